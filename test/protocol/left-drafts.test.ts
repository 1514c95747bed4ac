import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { type TestContext, describe, expect, it } from "vitest";
import { ownMark } from "../../src/app/platform/process-id.ts";
import { newHome } from "./home.ts";
import { runProgram } from "./program.ts";

const killer = new URL("../servers/kill-at-rename.mjs", import.meta.url).href;
const draftName = /\.\d+-[0-9a-f]{12,16}$/;

/** Creates a home directory with settings that receive mail, and with a `systemctl` that always succeeds. */
function personsHome(t: TestContext) {
  const home = newHome(t);
  const data = join(home.dir, "data");
  const bin = join(home.dir, "bin");
  for (const directory of [data, bin, join(home.dir, ".cursor")]) mkdirSync(directory);
  chmodSync(data, 0o700);
  writeFileSync(join(data, ".env"), "INGEST_RECIPIENTS=me@in.example\nSMTP_PORT=0\n", {
    mode: 0o600,
  });
  writeFileSync(join(bin, "systemctl"), "#!/bin/sh\n");
  chmodSync(join(bin, "systemctl"), 0o755);
  const env = {
    HOME: home.dir,
    PATH: `${bin}:${process.env["PATH"] ?? ""}`,
    COUNTERSIGN_DATA_DIR: data,
  };
  return {
    data,
    mcp: join(home.dir, ".cursor/mcp.json"),
    unit: join(home.dir, ".config/systemd/user/countersign-ingest.service"),
    run: (words: string) => runProgram({ ...home, env }, words.split(" ")),
    /** Kills the command when it would rename a file for the nth time. */
    killedAt: async (words: string, rename: number) => {
      const killing = { NODE_OPTIONS: `--import ${killer}`, KILL_AT_RENAME: String(rename) };
      const options = { env: { ...env, ...killing } };
      expect((await runProgram({ ...home, env }, words.split(" "), options)).code).toBe(null);
    },
  };
}

function draftIn(directory: string): string {
  const name = readdirSync(directory).find((one) => draftName.test(one));
  expect(name, readdirSync(directory).join(" ")).toBeDefined();
  return join(directory, name ?? "");
}

describe.skipIf(process.platform !== "linux").concurrent("a killed command", () => {
  it.for([1, 2])("leaves no copy of a client's secrets, killed at rename %i", async (at, t) => {
    // The draft stayed beside the file for ever, with every secret of the client's other servers.
    const { mcp, run, killedAt } = personsHome(t);
    writeFileSync(mcp, '{ "mcpServers": { "other": { "env": { "KEY": "canary" } } } }\n');
    await killedAt("connect cursor --yes", at);
    const draft = draftIn(dirname(mcp));
    expect(statSync(draft).mode & 0o777).toBe(statSync(mcp).mode & 0o777);
    expect(readFileSync(draft, "utf8")).toContain("canary");
    const found = await run("doctor");
    expect(found.stdout).toContain(
      `${draft}: is left over from a killed command, and may contain secrets of the file beside it. Run: rm ${draft}\n`,
    );
    await run("doctor --fix");
    expect(existsSync(draft)).toBe(false);

    await killedAt("connect cursor --yes", 1);
    // A process that runs may still rename its draft.
    const running = `${mcp}.${ownMark()}`;
    writeFileSync(running, "");
    expect((await run("connect cursor --yes")).code).toBe(0);
    expect(readdirSync(dirname(mcp)).toSorted()).toEqual(
      ["mcp.json", "mcp.json.before-countersign", basename(running)].toSorted(),
    );
    expect(readFileSync(mcp, "utf8")).toContain("countersign");
  });

  it("leaves no copy of a client's file after connect --undo", async (t) => {
    // A kill between restoring the file and deleting its copy left the copy, with every secret, for ever.
    const { mcp, run } = personsHome(t);
    const copy = `${mcp}.before-countersign`;
    const text = '{ "mcpServers": { "other": { "env": { "KEY": "canary" } } } }\n';
    writeFileSync(mcp, text);
    writeFileSync(copy, "an older text");
    expect((await run("connect cursor --undo --yes")).code).toBe(0);
    expect(readFileSync(copy, "utf8")).toBe("an older text");
    writeFileSync(copy, text);
    expect((await run("connect cursor --undo --yes")).code).toBe(0);
    expect(readdirSync(dirname(mcp))).toEqual(["mcp.json"]);
    expect(readFileSync(mcp, "utf8")).toBe(text);
  });

  it.for([1, 2, 3])(
    "leaves no draft of an import that moves servers, killed at rename %i",
    async (at, t) => {
      // The drafts of servers.json and of the copy beside the client's file stayed, with every secret.
      const { mcp, data, run, killedAt } = personsHome(t);
      writeFileSync(
        mcp,
        '{ "mcpServers": { "other": { "command": "x", "env": { "KEY": "canary" } } } }\n',
      );
      await killedAt("servers import cursor --move --yes", at);
      expect(readFileSync(draftIn(at === 1 ? data : dirname(mcp)), "utf8")).toContain("mcpServers");
      expect((await run("doctor")).stdout).toContain("is left over");

      expect((await run("servers import cursor --move --yes")).code).toBe(0);
      const names = [data, dirname(mcp)].flatMap((directory) => readdirSync(directory));
      expect(names.filter((name) => draftName.test(name))).toEqual([]);
      expect(readFileSync(join(data, "servers.json"), "utf8")).toContain("canary");
      expect(readFileSync(mcp, "utf8")).not.toContain("canary");
    },
  );

  it.for(["install", "uninstall"])(
    "leaves no draft of a unit after service %s",
    async (next, t) => {
      const { unit, run, killedAt } = personsHome(t);
      expect((await run("service install")).code).toBe(0);
      writeFileSync(unit, `${readFileSync(unit, "utf8")}#\n`);
      await killedAt("service install --force", 1);
      draftIn(dirname(unit));
      expect((await run(`service ${next} --force`)).code).toBe(0);
      expect(readdirSync(dirname(unit))).toEqual(next === "install" ? [basename(unit)] : []);
    },
  );
});
