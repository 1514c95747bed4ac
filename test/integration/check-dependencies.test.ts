import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

/** Runs the check with an `npm` that answers so. */
function checked(answers: { outdated: unknown; audit: unknown }) {
  const folder = temporaryDirectory();
  const npm = join(folder, "npm");
  for (const [command, answer] of Object.entries(answers))
    writeFileSync(join(folder, command), JSON.stringify(answer));
  writeFileSync(npm, `#!/bin/sh\ncat "${folder}/$1"\n`);
  chmodSync(npm, 0o755);
  return spawnSync(process.execPath, ["--import", "tsx", "test/check-dependencies.ts"], {
    encoding: "utf8",
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"]}` },
  });
}

const none = { vulnerabilities: {} };

it("the check of dependencies names outdated ones, and passes", () => {
  const version = { current: "1.0.0", latest: "1.1.0" };
  const { status, stdout } = checked({
    outdated: { zod: version, "@types/node": version },
    audit: none,
  });
  expect(status).toBe(0);
  expect(stdout).toBe("zod is behind: 1.0.0 is installed, 1.1.0 is the latest.\n");
});

it.each(["hono", "libsql"])("fails on a known advisory for %s, bundled or installed", (name) => {
  const advisory = { severity: "high", nodes: [`node_modules/${name}`] };
  const { status, stderr } = checked({
    outdated: {},
    audit: { vulnerabilities: { [name]: advisory } },
  });
  expect(status).toBe(1);
  expect(stderr).toContain(`${name} (node_modules/${name}) has a known advisory (high)`);
});

it("passes an advisory for a package that reaches no user", () => {
  const vitest = { severity: "high", nodes: ["node_modules/vitest"] };
  const { status, stderr } = checked({
    outdated: {},
    audit: { vulnerabilities: { vitest } },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

it("the check of dependencies reports an unreachable registry, and passes", () => {
  const refused = { message: "405 Method Not Allowed", error: { summary: "" } };
  const { status, stdout } = checked({ outdated: refused, audit: refused });
  expect(status).toBe(0);
  expect(stdout).toContain("The registry did not say which dependencies are behind.");
  expect(stdout).toContain("none were checked");
});
