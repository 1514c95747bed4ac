import { readFileSync, writeFileSync } from "node:fs";
import { type TestContext, describe, expect, it } from "vitest";
import { type Run, conformanceTables, productFailures } from "../conformance/report.ts";
import {
  type Revision,
  type ScenarioResult,
  revisions,
  runSuite,
} from "../conformance/run-suite.ts";
import { type Served, serveFixture, showToken } from "../conformance/serve.ts";
import { findSuite } from "../servers/conformance.ts";
import { newHome } from "./home.ts";
import { startHttp, tokens } from "./http-server.ts";

const suite = findSuite();
const notice =
  "the official conformance suite, or the newer Node that it needs, is not installed: npm run test:servers";
if (suite === undefined) {
  if (process.env["REQUIRE_SERVERS"] === "1") throw new Error(notice);
  console.warn(`\nNOT RUN (protocol): ${notice}\n`);
}

const section = /(?<=<!-- conformance:start -->\n\n)[\s\S]*(?=\n\n<!-- conformance:end -->)/;
const page = new URL("../../docs/protocol.md", import.meta.url);

async function serveProduct(t: TestContext): Promise<Served> {
  return await showToken(await startHttp(newHome(t)).url, tokens.alice);
}

async function results(served: Served, revision: Revision): Promise<ScenarioResult[]> {
  if (suite === undefined) throw new Error(notice);
  try {
    return await runSuite(suite, served.url, revision);
  } finally {
    await served.close();
  }
}

describe.skipIf(suite === undefined)("the official conformance suite", () => {
  const runs: Run[] = [];

  it.for(revisions)(
    "finds that the serving layer passes all that %s requires [http.conformance]",
    { timeout: 180_000 },
    async (revision, t) => {
      const fixture = await results(await serveFixture(), revision);
      const scored = fixture.filter((result) => result.scored);
      expect(scored.filter(({ failed }) => failed.length > 0)).toEqual([]);
      expect(scored.length).toBe({ "2025-11-25": 30, "2026-07-28": 37 }[revision]);
      const product = await results(await serveProduct(t), revision);
      runs.push({ revision, fixture, product });
      expect(productFailures(product)).toEqual([]);
    },
  );

  it("matches the documentation", () => {
    const tables = conformanceTables(runs);
    const text = readFileSync(page, "utf8");
    // `npm run conformance` writes the tables instead of comparing them.
    if (process.env["WRITE_DOCS"] === "1") writeFileSync(page, text.replace(section, tables));
    else expect(section.exec(text)?.[0]).toBe(tables);
  });
});
