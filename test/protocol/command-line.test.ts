import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newHome } from "./home.ts";
import { program, runHere, runProgram } from "./program.ts";
import { commands } from "../../src/app/commands.ts";

/** The words after `countersign`, and the whole answer of the program. `@` is the program as it is typed here. */
const wrong: readonly [typed: string, sentence: string][] = [
  ["sreve", 'There is no command "sreve". Did you mean serve?'],
  ["paint", 'There is no command "paint". Run: @ --help'],
  ["help mial", 'There is no command "mial". Did you mean mail?'],
  ["serve --colour", '"countersign serve" has no option --colour. Run: @ serve --help'],
  ["mail lst", '"countersign mail" has no subcommand "lst". Did you mean list?'],
  ["mail list --limt 5", '"countersign mail" has no option --limt. Did you mean --limit?'],
  ["mail --limt 5 list", '"countersign mail" has no option --limt. Did you mean --limit?'],
  ["mail list -x", '"countersign mail" has no option -x. Run: @ mail --help'],
  [
    "mail list --summaries",
    '"countersign mail list" has no option --summaries. It belongs to: retry.',
  ],
  ["mail list --limit 0", '--limit must be a whole number from 1 to 10000, not "0".'],
  ["mail list --limit=many", '--limit must be a whole number from 1 to 10000, not "many".'],
  ["mail show", '"countersign mail show" needs ID. Run: @ mail --help'],
  ["mail show one two", '"countersign mail show" takes no argument "two" here. Run: @ mail --help'],
  ["import", '"countersign import" needs PATH. Run: @ import --help'],
  ["audit", '"countersign audit" needs one of list, verify.'],
  [
    "audit list --since yesterday",
    '--since must be a day or a time, such as 2026-11-22 or 2026-11-22T10:00Z, not "yesterday".',
  ],
  ["activity --today --week", "--today and --week cannot be given together."],
  ["serve --port 9999", "--port works only with --http. Run: @ serve --http"],
  ["approvals deny ap_1 --note", "--note needs a value: --note TEXT."],
  [
    "approvals deny ap_1 --note --json",
    '--note needs a value, but "--json" follows. A value that begins with a dash is written --note=VALUE.',
  ],
  ["activity --json=yes", '--json takes no value, but got "yes".'],
  [
    "catalog export --format cobol",
    '--format must be one of mcp, openai, anthropic, gemini, ollama, ai-sdk, not "cobol".',
  ],
  ["copy", '"countersign copy" needs --to ENV_FILE. Run: @ copy --help'],
  ["remove --yes", '"countersign remove" needs --data. Run: @ remove --help'],
  ["connect --http mcp.example.org", "--http must be an http or https URL, not mcp.example.org."],
  ["catalog export", "--format must be one of mcp, openai, anthropic, gemini, ollama, ai-sdk."],
];

describe.concurrent("the command line", () => {
  it.for(wrong)("refuses %s with code 2 and one sentence", async ([typed, sentence], t) => {
    const run = /^s[er]+ve\b/.test(typed) ? runProgram : runHere;
    const ended = await run(newHome(t), typed.split(" "));
    const stderr = `${sentence.replace("@", `node ${program}`)}\n`;
    expect(ended).toEqual({ code: 2, stdout: "", stderr });
  });

  it.for(commands.map(({ name }) => name))(
    "explains %s the same in three ways",
    async (name, t) => {
      const home = newHome(t);
      const [long, short, asked] = await Promise.all([
        runProgram(home, [name, "--help"]),
        runHere(home, [name, "-h"]),
        runHere(home, ["help", name]),
      ]);
      expect(long).toMatchObject({ code: 0, stderr: "" });
      expect(long?.stdout).toContain(`Usage: node ${program} ${name}`);
      expect(long?.stdout).toContain("Exit codes:");
      expect([short, asked]).toEqual([long, long]);
    },
  );

  it("reads options before and after the subcommand, and words after -- as arguments", async (t) => {
    const home = newHome(t);
    for (const args of [["list", "--json"], ["--json", "list"], ["--json"]]) {
      const ended = await runHere(home, ["catalog", ...args]);
      expect(ended.stdout).toMatch(/^\{"name":/);
    }
    const absent = await runHere(home, ["approvals", "show", "--", "--json"]);
    expect(absent.stderr).toBe(
      "There is no request --json. Nothing was decided. `approvals list --all` shows the ids.\n",
    );
  });

  it("explains a broken file of servers like any other wrong setting", async (t) => {
    // The answer was "countersign stopped: ... (LOG_LEVEL=debug shows details)".
    const home = newHome(t);
    const file = join(home.dir, "servers.json");
    writeFileSync(file, '{"mcpServers": {', { mode: 0o600 });
    const { code, stderr } = await runProgram(home, ["servers", "add", "b", "--", "node"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^\S+servers\.json:1:17 \(line 1, column 17\): expected [^\n(]+\n$/);
  });

  it("adds a server to a file that is kept elsewhere", async (t) => {
    // A file replaced the link, and the file that it named stayed as it was.
    const home = newHome(t);
    const file = join(newHome(t).dir, "servers.json");
    writeFileSync(file, '{"mcpServers": {}}', { mode: 0o600 });
    symlinkSync(file, join(home.dir, "servers.json"));
    const { code } = await runHere(home, ["servers", "add", "b", "--", "node"]);
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      mcpServers: { b: { command: "node" } },
    });
  });

  it("explains a command although the rest of the line is wrong", async (t) => {
    const ended = await runHere(newHome(t), ["mail", "lst", "--limit", "0", "--help"]);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain("--limit N");
  });
});
