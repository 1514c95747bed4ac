import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { checkRegistry, readRegistry, registryPath } from "../../src/app/compose/read-registry.ts";
import { resultSchema, fullSchema } from "../../src/core/tool/catalog.ts";
import type { ToolContract } from "../../src/core/tool/tool.ts";
import { registryProblems } from "../../src/export/check-registry.ts";
import { pageSections } from "../../src/export/page.ts";
import { buildRegistry, registrySchema, registryVersion } from "../../src/export/registry.ts";
import { contracts } from "../../src/tools/catalog.ts";
import { documentation } from "../../src/tools/documentation.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

const every: readonly ToolContract<never>[] = contracts;
const artefact = registrySchema.parse(JSON.parse(readFileSync(registryPath, "utf8")));
const build = (at: string) => buildRegistry(contracts, documentation, { at });
const now = build("2026-03-01T12:00:00.000Z");

describe("bundle/tool-registry.json [catalog.registry]", () => {
  it("agrees with the code", () => {
    expect({ version: artefact.version, tools: artefact.tools }).toEqual(
      JSON.parse(JSON.stringify({ version: now.version, tools: now.tools })),
    );
  });

  it("has a version that depends only on its content", () => {
    expect(build("2027-01-01T00:00:00.000Z").version).toBe(now.version);
    const fromCommit = { at: now.builtFrom.at, commit: "0".repeat(40) };
    expect(buildRegistry(contracts, documentation, fromCommit).version).toBe(now.version);
    const [first, ...rest] = every;
    const changed = { ...first!, description: `${first!.description} Changed.` };
    expect(buildRegistry([changed, ...rest], documentation, now.builtFrom).version).not.toBe(
      now.version,
    );
  });

  it("names its commit, if there is a history, and its build time", () => {
    const inRepository = existsSync(fileURLToPath(new URL("../../.git", import.meta.url)));
    expect(artefact.builtFrom).toEqual({
      at: expect.stringMatching(/^\d{4}-.+Z$/) as unknown,
      ...(inRepository && { commit: expect.stringMatching(/^[0-9a-f]{40}$/) as unknown }),
    });
  });

  it("has a version that does not depend on the order of keys", () => {
    const turned = now.tools.map(
      (tool) => Object.fromEntries(Object.entries(tool).toReversed()) as unknown as typeof tool,
    );
    expect(JSON.stringify(turned)).not.toBe(JSON.stringify(now.tools));
    expect(registryVersion(turned)).toBe(now.version);
  });

  it.each(every.map((tool) => [tool.name, tool] as const))(
    "%s has its complete schemas, as JSON Schema 2020-12",
    (name, tool) => {
      const entry = artefact.tools.find((one) => one.name === name);
      expect(entry?.input).toEqual(fullSchema(tool.input, "input"));
      expect(entry?.output).toEqual(fullSchema(resultSchema(tool), "output"));
      for (const schema of [entry?.input, entry?.output])
        expect(schema).toHaveProperty("$schema", "https://json-schema.org/draft/2020-12/schema");
    },
  );

  it("passes Ajv in its form and in every schema", () => {
    expect(registryProblems(now)).toEqual([]);
  });

  it("is rejected by the build if a schema, a page or the version is wrong", () => {
    const [first, ...rest] = now.tools;
    const broken = { ...first!, input: { ...first!.input, required: "all" as never } };
    expect(registryProblems({ ...now, tools: [broken, ...rest] }).join()).toContain(first!.name);
    const empty = { ...first!, documentation: "# nothing" };
    expect(registryProblems({ ...now, tools: [empty, ...rest] }).join()).toContain("documentation");
    expect(registryProblems({ ...now, version: "0".repeat(64) }).join()).toContain("version");
  });

  it.each(now.tools.map((tool) => [tool.name, tool] as const))(
    "%s has a short summary, a category that fits and a page with every section",
    (_name, tool) => {
      expect(tool.summary.split("\n").length).toBeLessThanOrEqual(2);
      expect(tool.category).toBe(tool.operation === "reads" ? "retrieval" : "action");
      expect(tool.strict).toBe(true);
      const headings = [...tool.documentation.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
      expect(headings).toEqual(pageSections);
      for (const section of tool.documentation.split(/^## .+$/m)) {
        expect(section.trim()).not.toBe("");
      }
    },
  );

  it.each(every.map((tool) => [tool.name, tool] as const))(
    "%s accepts the examples of its page",
    (name, tool) => {
      const { examples } = documentation[name]!;
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples)
        expect(() => tool.input.parse(example.arguments)).not.toThrow();
    },
  );
});

describe("a server that reads its registry", () => {
  it("accepts the built one", () => {
    expect([...readRegistry().keys()]).toEqual(every.map(({ name }) => name));
  });

  it("explains what to do about a missing registry", () => {
    expect(() => readRegistry("/nowhere/tool-registry.json")).toThrow(
      "The registry of tools (/nowhere/tool-registry.json) is missing. Nothing was started. Run: npm run build",
    );
  });

  it("explains what to do about an invalid registry", () => {
    const path = join(temporaryDirectory(), "tool-registry.json");
    writeFileSync(path, "{");
    expect(() => readRegistry(path)).toThrow(/cannot be read.*npm run build/);
    writeFileSync(path, "[]");
    expect(() => readRegistry(path)).toThrow(/is not a registry.*npm run build/);
  });

  it("names the tools that have changed since it was built", () => {
    const [first, ...rest] = every;
    const riskier = { ...first!, risk: "high" as const };
    expect(() => checkRegistry(readRegistry(), [riskier, ...rest])).toThrow(
      /does not match this code \(search_emails\).*npm run build/,
    );
    expect(() => checkRegistry(readRegistry(), rest)).toThrow(
      /does not match this code \(tools that no longer exist\)/,
    );
  });
});
