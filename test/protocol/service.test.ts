import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, describe, expect, inject, it } from "vitest";
import { besideUserSystemd, canRunUserSystemd } from "../servers/user-systemd.ts";
import { newHome } from "./home.ts";
import { program, runProgram } from "./program.ts";
import { converseAtTerminal, keys } from "./terminal.ts";

const missing = inject("missingServers");
const secret = "service-canary-secret";
const settings = `INGEST_RECIPIENTS=me@in.example\nSMTP_PORT=0\nTAVILY_API_KEY=${secret}\n`;

/** Creates a home directory with characters in its path that have a meaning in unit files. */
function personsHome(t: TestContext, text = settings) {
  const home = newHome(t);
  const dataDir = join(home.dir, 'da ta 100% $HOME "q" & <x>');
  mkdirSync(dataDir, { mode: 0o700 });
  const envFile = join(dataDir, ".env");
  if (text !== "") writeFileSync(envFile, text, { mode: 0o600 });
  const config = join(home.dir, "config");
  const env = { HOME: home.dir, XDG_CONFIG_HOME: config, COUNTERSIGN_DATA_DIR: dataDir };
  const unit = join(config, "systemd/user/countersign-ingest.service");
  const service = (...args: string[]) => runProgram({ ...home, env }, ["service", ...args]);
  return { ...home, env, dataDir, envFile, unit, service };
}

/** Writes a `systemctl` that always succeeds and records its arguments. */
function recordingSystemctl(home: { dir: string }) {
  const bin = join(home.dir, "bin");
  const calls = join(home.dir, "calls");
  mkdirSync(bin);
  writeFileSync(join(bin, "systemctl"), `#!/bin/sh\necho "$@" >> '${calls}'\n`);
  chmodSync(join(bin, "systemctl"), 0o755);
  return { path: `${bin}:${process.env["PATH"] ?? ""}`, calls: () => readFileSync(calls, "utf8") };
}

describe.skipIf(process.platform !== "linux").concurrent("the service", () => {
  it.skipIf(missing.includes("systemd"))("is a unit that systemd accepts", async (t) => {
    const home = personsHome(t);
    const { code, stdout } = await home.service("install", "--print");
    expect(code).toBe(0);
    expect(existsSync(home.unit)).toBe(false);
    expect(stdout).toContain(
      // docs/guides/operations.md replaces the quoted word by `serve --http`.
      `ExecStart="${process.execPath}" "${program}" "ingest" "--env-file" "`,
    );
    for (const line of ["NoNewPrivileges=yes", "ProtectSystem=strict", "PrivateTmp=yes"])
      expect(stdout.split("\n")).toContain(line);
    expect(stdout).not.toContain(secret);
    const file = join(home.dir, "countersign-ingest.service");
    writeFileSync(file, stdout);
    const verified = spawnSync("systemd-analyze", ["verify", "--user", file], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "", HOME: home.dir, XDG_RUNTIME_DIR: home.dir },
    });
    expect(verified.stderr + verified.stdout).toBe("");
    expect(verified.status).toBe(0);
  });

  it("may write to a database outside of the data directory", async (t) => {
    // The unit made this database read-only for ingest.
    const elsewhere = join(newHome(t).dir, "new");
    const home = personsHome(t, `${settings}DATABASE_URL=file:${elsewhere}/mail.db\n`);
    const { path } = recordingSystemctl(home);
    const env = { ...home.env, PATH: path };
    const { code, stderr } = await runProgram({ ...home, env }, ["service", "install"]);
    expect(code, stderr).toBe(0);
    const paths = /^ReadWritePaths=(.*)$/m.exec(readFileSync(home.unit, "utf8"))?.[1] ?? "";
    expect(paths.endsWith(` "${elsewhere}"`), paths).toBe(true);
    expect(existsSync(elsewhere)).toBe(true);
  });

  it("is a property list that a real parser reads", async (t) => {
    const home = personsHome(t);
    const { stdout } = await home.service("install", "--print", "--kind", "launchd");
    const read =
      "import sys,json,plistlib; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))";
    const parsed = spawnSync("python3", ["-c", read], { input: stdout, encoding: "utf8" });
    expect(parsed.stderr).toBe("");
    expect(JSON.parse(parsed.stdout)).toEqual({
      Label: "countersign-ingest",
      ProgramArguments: [process.execPath, program, "ingest", "--env-file", home.envFile],
      EnvironmentVariables: { COUNTERSIGN_DATA_DIR: home.dataDir },
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
      ThrottleInterval: 10,
      Umask: 0o077,
      ProcessType: "Background",
      StandardErrorPath: join(home.dataDir, "ingest.log"),
    });
  });

  it.skipIf(missing.includes("systemd") || !canRunUserSystemd())(
    "runs under a real systemd, is installed twice as once, and leaves nothing",
    async (t) => {
      // One test for all, because two of these managers would stop each other's services.
      const home = personsHome(t);
      const call = `COUNTERSIGN_DATA_DIR='${home.dataDir}' '${process.execPath}' '${program}' service`;
      const said = await besideUserSystemd(
        home,
        `${call} install; echo "code $?"
         ${call} status --json
         ${call} install | head -1
         kill -KILL $(systemctl --user show countersign-ingest --property=MainPID --value)
         systemctl --user show countersign-ingest --property=Restart
         stat --format=%a '${home.unit}'
         ${call} uninstall; echo "code $?"
         ${call} uninstall
         ${call} status; echo "code $?"
         mkdir -p '${dirname(home.unit)}'
         printf '[Service]\nType=exec\n[Install]\nWantedBy=default.target\n' > '${home.unit}'
         systemctl --user daemon-reload
         ${call} uninstall --force; echo "forced $?"`,
      );
      const lines = said.trim().split("\n");
      expect(lines[0]).toBe(`Written: ${home.unit}`);
      expect(lines).toContain("code 0");
      const status = lines.find((line) => line.startsWith("{")) ?? "{}";
      expect(JSON.parse(status)).toMatchObject({
        kind: "systemd",
        file: home.unit,
        installed: "current",
        running: true,
      });
      expect(lines).toContain(`Unchanged: ${home.unit}`);
      expect(lines).toContain("Restart=on-failure");
      expect(lines).toContain(`Removed: ${home.unit}`);
      expect(lines).toContain("No service is installed.");
      expect(said).toMatch(/countersign-ingest: not installed\n.+\n.+service install\ncode 1/);
      // The file of a unit without a command stayed, and each repeat failed in the same way.
      expect(lines.slice(-2)).toEqual([`Removed: ${home.unit}`, "forced 0"]);
      expect(readdirSync(dirname(home.unit), { recursive: true })).toEqual([]);
      // The process did the work of `ingest`, with these settings and in this directory.
      expect(existsSync(join(home.dataDir, "countersign.db"))).toBe(true);
    },
  );

  it.for(["new\nline", "re\rturn", "ta\tb", "escape\u001B[2J"])(
    "is refused for a data directory with a control character: %j",
    async (name, t) => {
      // The rest of the name began another line of the unit, which systemd then refused or obeyed.
      const home = personsHome(t);
      const dataDir = join(home.dir, name);
      mkdirSync(dataDir, { mode: 0o700 });
      writeFileSync(join(dataDir, ".env"), settings, { mode: 0o600 });
      const env = { ...home.env, COUNTERSIGN_DATA_DIR: dataDir };
      for (const words of ["install", "install --print", "install --print --kind launchd"]) {
        const run = await runProgram({ ...home, env }, ["service", ...words.split(" ")]);
        expect([run.code, run.stdout]).toEqual([1, ""]);
        expect(run.stderr).toMatch(
          /^The path [^\p{Cc}]+ has a line break or another control character, .+ Nothing was installed\. Rename it\.\n$/u,
        );
      }
      expect(existsSync(home.unit)).toBe(false);
    },
  );

  it("leaves a foreign file alone, and reports it", async (t) => {
    const home = personsHome(t);
    mkdirSync(dirname(home.unit), { recursive: true });
    writeFileSync(home.unit, "[Service]\nExecStart=/bin/true\n");
    for (const [action, nothing] of [
      ["install", "Nothing was installed."],
      ["uninstall", "Nothing was removed."],
    ] as const) {
      const { code, stderr } = await home.service(action);
      expect(code).toBe(1);
      expect(stderr).toContain(
        `${home.unit} was not written by service install, or was changed since. ${nothing}`,
      );
    }
    expect(readFileSync(home.unit, "utf8")).toBe("[Service]\nExecStart=/bin/true\n");
  });

  it("treats its own file as foreign after a change, until it is forced", async (t) => {
    const home = personsHome(t);
    const systemctl = recordingSystemctl(home);
    const env = { ...home.env, PATH: systemctl.path };
    const service = (...args: string[]) => runProgram({ ...home, env }, ["service", ...args]);
    expect(await service("install")).toMatchObject({ code: 0, stderr: "" });
    expect(statSync(home.unit).mode & 0o777).toBe(0o600);
    expect(systemctl.calls()).toContain("--user enable countersign-ingest.service\n");
    const text = readFileSync(home.unit, "utf8");
    writeFileSync(home.unit, text.replace("RestartSec=10", "RestartSec=99"));
    expect((await service("install")).stderr).toContain("or was changed since");
    expect(await service("install", "--force")).toMatchObject({ code: 0 });
    expect(readFileSync(home.unit, "utf8")).toBe(text);
    expect(await service("uninstall")).toMatchObject({ code: 0 });
    expect(existsSync(home.unit)).toBe(false);
  });

  it.for([
    ["there are no settings", "", "There are no settings in "],
    ["no mail is set up", "LOG_LEVEL=warn\n", " sets up no mail"],
  ] as const)("is not installed if %s", async ([, text, reason], t) => {
    const home = personsHome(t, text);
    const { code, stderr } = await home.service("install");
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
    expect(stderr).toMatch(/Nothing was installed\. Run: .+ init\n$/);
    expect(existsSync(home.unit)).toBe(false);
  });

  // The guide derives the unit of `serve --http` from it, which was impossible without mail.
  it("is printed for a server over HTTP that receives no mail", async (t) => {
    const home = personsHome(t, "HTTP_TOKENS=alice:LONG-RANDOM-TEXT\n");
    const { code, stdout } = await home.service("install", "--print", "--kind", "systemd");
    expect(code).toBe(0);
    expect(stdout.replace('"ingest"', '"serve" "--http"')).toMatch(
      /^ExecStart=.+ "serve" "--http" "--env-file" .+$/m,
    );
    expect(existsSync(home.unit)).toBe(false);
  });

  it("says what to run if systemd does not answer", async (t) => {
    const home = personsHome(t);
    const bin = join(home.dir, "empty");
    mkdirSync(bin);
    const env = { ...home.env, PATH: bin };
    const ended = await runProgram({ ...home, env }, ["service", "install"]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`${home.unit} was written, but the service was not started.`);
    expect(ended.stderr).toMatch(/not with su or sudo, and run: .+ service install\n$/);
    // A file that was written could not be removed again.
    const refused = await runProgram({ ...home, env }, ["service", "uninstall"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("Nothing was removed.");
    expect(existsSync(home.unit)).toBe(true);
    const [, command = ""] = /alone: (.+)\n$/.exec(refused.stderr) ?? [];
    expect(command).toMatch(/ service uninstall --force$/);
    const forced = await runProgram({ ...home, env }, ["service", "uninstall", "--force"]);
    expect(forced).toMatchObject({ code: 0 });
    expect(existsSync(home.unit)).toBe(false);
  });

  it.skipIf(missing.includes("script"))("is offered by init", async (t) => {
    const home = personsHome(t);
    const systemctl = recordingSystemctl(home);
    const env = { ...home.env, PATH: systemctl.path };
    const { code, stdout } = await converseAtTerminal(
      { ...home, env },
      ["init"],
      [
        ["What do you want to set up?", keys.enter],
        ["Receive mail in the background", `${keys.down}${keys.enter}`],
      ],
    );
    expect(stdout).toContain("The service runs.");
    expect(stdout).not.toContain("Keep this command running");
    expect(code).toBe(0);
    expect(existsSync(home.unit)).toBe(true);
  });
});
