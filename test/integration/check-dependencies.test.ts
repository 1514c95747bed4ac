import { execFile, execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { compiledProgram } from "../servers/typescript-child.ts";

const program = compiledProgram(
  fileURLToPath(new URL("../check-dependencies.ts", import.meta.url)),
);

/** Runs the check with an `npm` that answers so. */
function checked(answers: { outdated: unknown; audit: unknown }) {
  const folder = temporaryDirectory();
  const npm = join(folder, "npm");
  for (const [command, answer] of Object.entries(answers))
    writeFileSync(join(folder, command), JSON.stringify(answer));
  writeFileSync(npm, `#!/bin/sh\ncat "${folder}/$1"\n`);
  chmodSync(npm, 0o755);
  return spawnSync(process.execPath, [program], {
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

/** Creates a folder whose `npm` finds nothing outdated. For all else it is the real one, which takes a second. */
function npmWithoutOutdated(): string {
  const folder = temporaryDirectory();
  const real = execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim();
  const npm = join(folder, "npm");
  writeFileSync(npm, `#!/bin/sh\n[ "$1" = outdated ] && echo "{}" || exec "${real}" "$@"\n`);
  chmodSync(npm, 0o755);
  return folder;
}

/** Runs the check with the real `npm` and a registry that answers questions about advisories so. */
async function checkedBy(registry: { status: number; body: string }) {
  const server = createServer((request, response) => {
    const isAsked = request.method === "POST" && request.url?.endsWith("/advisories/bulk") === true;
    response.writeHead(isAsked ? registry.status : 404, { "content-type": "application/json" });
    response.end(isAsked ? registry.body : "{}");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return await new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    // One of the responses is enough for packages that are behind.
    const ownPath = process.env["PATH"];
    const PATH =
      registry.status === 500 ? ownPath : `${npmWithoutOutdated()}${delimiter}${ownPath}`;
    const settings = {
      PATH,
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_fetch_retries: "0",
    };
    const child = execFile(
      process.execPath,
      [program],
      { env: { ...process.env, ...settings } },
      (_, stdout, stderr) => resolve({ status: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** The form of `POST /-/npm/v1/security/advisories/bulk`. */
const advisoryFor = (name: string): string =>
  JSON.stringify({
    [name]: [
      {
        id: 1,
        url: "https://example.invalid/1",
        title: "A fault",
        severity: "high",
        vulnerable_versions: "<1000",
        cwe: [],
        cvss: { score: 7, vectorString: null },
      },
    ],
  });

const unanswered = "The registry did not answer about advisories: none were checked.\n";

it.each([
  ["a known advisory", 200, advisoryFor("hono"), 1, ""],
  ["an advisory for a package that reaches no user", 200, advisoryFor("vitest"), 0, ""],
  ["no advisory", 200, "{}", 0, ""],
  ["404", 404, "{}", 0, unanswered],
  ["500", 500, "{}", 0, unanswered],
  ["no JSON", 200, "<html>", 0, unanswered],
])(
  "the check of dependencies reads a registry's answer: %s",
  { timeout: 60_000 },
  async (_, status, body, code, said) => {
    const ended = await checkedBy({ status, body });
    expect([ended.status, ended.stdout]).toEqual([code, said]);
    expect(ended.stderr.includes("hono (node_modules/hono) has a known advisory (high)")).toBe(
      code === 1,
    );
  },
);
