import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ownServer, typedProgram } from "../../src/app/platform/own-command.ts";

const underNpx = "/home/me/.npm/_npx/a1b2/node_modules/countersign/bundle/main.js";

it("the entry of a client starts with npx what npx started", () => {
  expect(ownServer({}, underNpx, "linux", {})).toEqual({
    command: "npx",
    args: ["-y", "countersign", "serve"],
  });
  expect(ownServer({}, underNpx, "win32", {})).toMatchObject({ command: "cmd" });
});

it("the entry of a client names the package file that npx was given, by its full path", () => {
  // The client was configured with a package of this name from the registry, which was another one or none.
  const env = { npm_config_package: "./countersign-0.1.0.tgz", INIT_CWD: "/home/me/clone" };
  expect(ownServer({}, underNpx, "linux", env)).toEqual({
    command: "npx",
    args: ["-y", "--package=/home/me/clone/countersign-0.1.0.tgz", "countersign", "serve"],
  });
  const named = { npm_config_package: "countersign@0.1.0" };
  expect(ownServer({}, underNpx, "linux", named).args).toEqual([
    "-y",
    "--package=countersign@0.1.0",
    "countersign",
    "serve",
  ]);
});

it("the entry of a client starts with full paths what was installed in another way, with its places and no secret", () => {
  const place = { envFile: "/etc/my.env", dataDir: "/data" };
  expect(ownServer(place, "/opt/countersign/dist/main.js", "linux")).toEqual({
    command: process.execPath,
    args: ["/opt/countersign/dist/main.js", "serve", "--env-file", "/etc/my.env"],
    env: { COUNTERSIGN_DATA_DIR: "/data" },
  });
});

it("the program is typed as npx started it, because a terminal does not have npx's PATH", () => {
  // `countersign doctor` was printed under npx, and the terminal found no such command.
  const PATH = "/home/me/.npm/_npx/a1b2/node_modules/.bin:/usr/bin";
  expect(typedProgram(underNpx, { PATH })).toBe("npx -y countersign");
  const given = { PATH, npm_config_package: "/tmp/countersign-0.1.0.tgz" };
  expect(typedProgram(underNpx, given)).toBe(
    "npx -y --package=/tmp/countersign-0.1.0.tgz countersign",
  );
});

it("the program is typed by its name only if a directory of PATH is not npm's for one command", (t) => {
  const root = mkdtempSync(join(tmpdir(), "countersign-"));
  t.onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const program = join(root, "main.js");
  writeFileSync(program, "");
  chmodSync(program, 0o755);
  const [ofProject, ofUser] = [join(root, "node_modules", ".bin"), join(root, "bin")];
  for (const directory of [ofProject, ofUser]) {
    mkdirSync(directory, { recursive: true });
    symlinkSync(program, join(directory, "countersign"));
  }
  expect(typedProgram(program, { PATH: ofProject })).toContain(program);
  expect(typedProgram(program, { PATH: `${ofProject}:${ofUser}` })).toBe("countersign");
});
