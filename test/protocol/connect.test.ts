import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type TestContext, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { newHome } from "./home.ts";
import { bareEnv, program, runProgram } from "./program.ts";
import { converseAtTerminal, type Exchange, keys } from "./terminal.ts";

/** Creates a home directory that contains only the files of a test. */
function emptyHome(t: TestContext) {
  const home = newHome(t);
  const user = join(home.dir, "user");
  const data = join(home.dir, "data");
  mkdirSync(user);
  const env = { HOME: user, COUNTERSIGN_DATA_DIR: data };
  const path = (file: string): string => join(user, file);
  return {
    home: { ...home, env },
    data,
    path,
    put: (file: string, text: string) => {
      mkdirSync(dirname(path(file)), { recursive: true });
      writeFileSync(path(file), text);
    },
    read: (file: string) => readFileSync(path(file), "utf8"),
    connect: (...args: string[]) => runProgram({ ...home, env }, ["connect", ...args]),
  };
}

const entry = z.object({
  command: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
});

describe.concurrent("countersign connect", () => {
  it("says which clients it looked for when it finds none", async (t) => {
    const { connect, path } = emptyHome(t);
    const { code, stderr } = await connect("--yes");
    expect(code).toBe(1);
    expect(stderr).toContain("No client was found here. Looked for: Claude Desktop, Claude Code");
    expect(readdirSync(path("."))).toEqual([]);
  });

  it("writes an entry with which the client starts this server", async (t) => {
    const { home, connect, read, data } = emptyHome(t);
    expect(await connect("cursor", "--yes")).toMatchObject({ code: 0, stderr: "" });
    const { mcpServers } = z
      .object({ mcpServers: z.object({ countersign: entry }) })
      .parse(JSON.parse(read(".cursor/mcp.json")));
    const { command, args, env } = mcpServers.countersign;
    expect({ command, args, env }).toEqual({
      command: process.execPath,
      args: [program, "serve"],
      env: { COUNTERSIGN_DATA_DIR: data },
    });
    const client = new Client({ name: "cursor", version: "1.0.0" });
    await client.connect(
      new StdioClientTransport({ command, args, env: bareEnv(env), stderr: "ignore" }),
    );
    home.later(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("delete_file");
  });

  it("configures every client that it finds, says what each needs, and removes it all again", async (t) => {
    const { connect, put, path, read } = emptyHome(t);
    const codex = '# mine\nmodel = "x" # inline\n';
    put(".codex/config.toml", codex);
    mkdirSync(path(".gemini"));
    const { code, stdout } = await connect("--yes");
    expect(code).toBe(0);
    expect(stdout).toContain('+ default_tools_approval_mode = "approve"');
    expect(stdout).toContain("Without it, Codex itself asks before each call");
    expect(stdout).toContain("Gemini CLI is connected.");
    expect(read(".codex/config.toml").startsWith(codex)).toBe(true);
    expect(read(".codex/config.toml.before-countersign")).toBe(codex);
    const again = await connect("--yes");
    expect(again.stdout.match(/Is connected already\./g)).toHaveLength(2);
    expect((await connect("--undo", "--yes")).code).toBe(0);
    expect(read(".codex/config.toml")).toBe(codex);
    expect(readdirSync(path(".codex"))).toEqual(["config.toml"]);
    expect(readdirSync(path(".gemini"))).toEqual([]);
    const none = await connect("--undo", "--yes");
    expect(none.stdout.match(/Has no entry\./g)).toHaveLength(2);
  });

  it("writes through a link and keeps the permissions", async (t) => {
    const { connect, put, path, read } = emptyHome(t);
    put("dotfiles/mcp.json", "{}\n");
    chmodSync(path("dotfiles/mcp.json"), 0o640);
    mkdirSync(path(".cursor"));
    symlinkSync("../dotfiles/mcp.json", path(".cursor/mcp.json"));
    expect((await connect("--yes")).code).toBe(0);
    expect(lstatSync(path(".cursor/mcp.json")).isSymbolicLink()).toBe(true);
    expect(read("dotfiles/mcp.json")).toContain("countersign");
    expect(statSync(path("dotfiles/mcp.json")).mode & 0o777).toBe(0o640);
    expect(statSync(path(".cursor/mcp.json.before-countersign")).mode & 0o777).toBe(0o640);
    expect((await connect("--undo", "--yes")).code).toBe(0);
    expect(read("dotfiles/mcp.json")).toBe("{}\n");
    expect(lstatSync(path(".cursor/mcp.json")).isSymbolicLink()).toBe(true);
  });

  it("does not replace a file that the person made read-only", async (t) => {
    // Only its directory was writable, and a rename needs no more.
    const { connect, put, path, read } = emptyHome(t);
    put(".cursor/mcp.json", "{}\n");
    chmodSync(path(".cursor/mcp.json"), 0o440);
    mkdirSync(path(".codex"));
    const { code, stderr } = await connect("--yes");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `${path(".cursor/mcp.json")} is read-only. It was not changed. Make it writable for you, then run the command again.\n`,
    });
    expect(read(".cursor/mcp.json")).toBe("{}\n");
    expect(readdirSync(path(".cursor"))).toEqual(["mcp.json"]);
    expect(read(".codex/config.toml")).toContain("[mcp_servers.countersign]");
  });

  it("refuses a broken file, names its line, and continues with the others", async (t) => {
    const { connect, put, path, read } = emptyHome(t);
    const broken = '{\n  "mcpServers": {\n    "a" 1\n  }\n}\n';
    put(".cursor/mcp.json", broken);
    mkdirSync(path(".codex"));
    const { code, stderr } = await connect("--yes");
    expect(code).toBe(1);
    expect(stderr).toContain(`${path(".cursor/mcp.json")}, line 3: `);
    expect(stderr).toContain("Nothing was written.");
    expect(read(".cursor/mcp.json")).toBe(broken);
    expect(readdirSync(path(".cursor"))).toEqual(["mcp.json"]);
    expect(read(".codex/config.toml")).toContain("[mcp_servers.countersign]");
  });

  it("continues after a file that it cannot read, and names the next step", async (t) => {
    // One unreadable file ended the command, and the clients after it were not connected.
    const { connect, path, read } = emptyHome(t);
    mkdirSync(path(".cursor/mcp.json"), { recursive: true });
    mkdirSync(path(".codex"));
    const { code, stderr } = await connect("--yes");
    expect(code).toBe(1);
    expect(stderr).toBe(
      `${path(".cursor/mcp.json")} is a directory. It was not changed. Move it away, then run the command again.\n`,
    );
    expect(read(".codex/config.toml")).toContain("[mcp_servers.countersign]");
    const data = await connect("cursor", "codex", "--json");
    const lines = data.stdout.trim().split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { client: "cursor", result: "impossible", problem: stderr.trim() },
      { client: "codex", result: "unchanged" },
    ]);
  });

  it("leaves a file alone that is not UTF-8, and keeps a byte order mark", async (t) => {
    // A file in Latin-1 lost its letters: each was replaced by U+FFFD.
    const { connect, put, path, read } = emptyHome(t);
    const latin1 = Buffer.from('{ "path": "C:/Users/J\u00FCrgen" }\n', "latin1");
    put(".cursor/mcp.json", "");
    writeFileSync(path(".cursor/mcp.json"), latin1);
    put(".gemini/settings.json", "\uFEFF{}\n");
    const { code, stderr } = await connect("--yes");
    expect(code).toBe(1);
    expect(stderr).toBe(
      `${path(".cursor/mcp.json")} is not UTF-8 text. It was not changed. Save it as UTF-8, then run the command again.\n`,
    );
    expect(readFileSync(path(".cursor/mcp.json"))).toEqual(latin1);
    expect(readdirSync(path(".cursor"))).toEqual(["mcp.json"]);
    expect(read(".gemini/settings.json")).toMatch(/^\uFEFF\{[^]*countersign/);
    expect((await connect("gemini-cli", "--undo", "--yes")).code).toBe(0);
    expect(read(".gemini/settings.json")).toBe("\uFEFF{}\n");
  });

  it("shows a foreign entry, and needs a yes to replace it", async (t) => {
    const { connect, put, read } = emptyHome(t);
    const text = '{ "mcpServers": { "countersign": { "command": "other" } } }\n';
    put(".cursor/mcp.json", text);
    const { code, stdout, stderr } = await connect();
    expect(code).toBe(1);
    expect(stdout).toContain('"command": "other"');
    expect(stdout).toContain("This file has an entry of this name that connect did not write.");
    expect(stderr).toContain("Nothing was written. Run the command at a terminal, or with --yes.");
    expect(read(".cursor/mcp.json")).toBe(text);
    await connect("--yes");
    expect(read(".cursor/mcp.json")).not.toContain("other");
    await connect("--undo", "--yes");
    expect(read(".cursor/mcp.json")).toBe(text);
  });

  it("leaves a foreign entry when it removes its own", async (t) => {
    const { connect, put, read } = emptyHome(t);
    const text = '{ "mcpServers": { "countersign": { "command": "other" } } }\n';
    put(".cursor/mcp.json", text);
    const { code, stderr } = await connect("--undo", "--yes");
    expect(code).toBe(1);
    expect(stderr).toContain("was not written by connect. It was not removed.");
    expect(read(".cursor/mcp.json")).toBe(text);
  });

  it("restores the original text, even if its entry was changed since", async (t) => {
    const { connect, put, read } = emptyHome(t);
    const text = '{ "mcpServers": { "b": { "command": "c" } } }';
    put(".cursor/mcp.json", text);
    await connect("--yes");
    expect((await connect("--yes", "--http", "https://mcp.example.org/mcp")).code).toBe(0);
    expect(read(".cursor/mcp.json")).toContain("https://mcp.example.org/mcp");
    expect((await connect("--undo", "--yes")).code).toBe(0);
    expect(read(".cursor/mcp.json")).toBe(text);
  });

  it("connects a server elsewhere without a token in the file", async (t) => {
    const { connect, path, read } = emptyHome(t);
    const url = "https://mcp.example.org/mcp";
    const { code, stdout } = await connect("codex", "vscode", "--http", url, "--yes");
    expect(code).toBe(0);
    expect(stdout).toContain("Set COUNTERSIGN_TOKEN to your token");
    expect(read(".codex/config.toml")).toBe(
      `[mcp_servers.countersign]\nurl = "${url}"\ndefault_tools_approval_mode = "approve"\nbearer_token_env_var = "COUNTERSIGN_TOKEN"\n`,
    );
    expect(JSON.parse(read(".config/Code/User/mcp.json"))).toMatchObject({
      servers: { countersign: { type: "http", url } },
      inputs: [{ id: "countersign-token", password: true }],
    });
    const desktop = await connect("claude-desktop", "--http", url, "--yes");
    expect(desktop.code).toBe(1);
    expect(desktop.stderr).toContain("cannot name a remote server");
    expect(existsSync(path(".config/Claude"))).toBe(false);
    const wrong = await connect("codex", "--http", "mcp.example.org", "--yes");
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
  });

  it("connects a server elsewhere for clients that sign in", async (t) => {
    const { connect, read } = emptyHome(t);
    const url = "https://mcp.example.org/mcp";
    const withToken = await connect("codex", "opencode", "--http", url, "--yes");
    expect(withToken.code).toBe(0);
    const signing = ["codex", "opencode", "--http", url, "--sign-in", "--yes"];
    const signsIn = await connect(...signing);
    expect(signsIn.code).toBe(0);
    expect(signsIn.stdout).toContain("codex mcp login countersign");
    expect(signsIn.stdout).not.toContain("COUNTERSIGN_TOKEN to");
    expect(read(".codex/config.toml")).not.toContain("bearer_token_env_var");
    expect(JSON.parse(read(".config/opencode/opencode.json"))).toMatchObject({
      mcp: { countersign: { type: "remote", url, enabled: true } },
    });
    expect(read(".config/opencode/opencode.json")).not.toMatch(/oauth|headers/);
    expect((await connect(...signing)).stdout).toContain("Is connected already.");

    const cannot = await connect("continue", "--http", url, "--sign-in", "--yes");
    expect(cannot.code).toBe(1);
    expect(cannot.stderr).toContain("Continue cannot sign in.");
    const alone = await connect("codex", "--sign-in", "--yes");
    expect(alone).toMatchObject({ code: 2 });
    expect(alone.stderr).toContain("--sign-in works only with --http");
  });

  it("prints entries, also as JSON, without writing", async (t) => {
    const { connect, path, put } = emptyHome(t);
    const all = await connect("--print", "--json");
    const lines = all.stdout.trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { client: string }).client)).toEqual([
      "claude-desktop",
      "claude-code",
      "vscode",
      "cursor",
      "codex",
      "gemini-cli",
      "opencode",
      "copilot-cli",
      "cline",
      "continue",
    ]);
    const one = await connect("continue", "--print");
    expect(one.stdout).toContain("mcpServers:\n  - name: countersign\n    command: ");
    // The command printed nothing for Claude Desktop, which has no such entry.
    const none = await connect(
      "claude-desktop",
      "--http",
      "https://mcp.example.org/mcp",
      "--print",
    );
    expect(none).toMatchObject({ code: 1, stdout: "" });
    expect(none.stderr).toContain("The file of Claude Desktop cannot name a remote server.");
    expect(readdirSync(path("."))).toEqual([]);
    put(".cursor/mcp.json", "{}");
    const planned = await connect("--json");
    expect(JSON.parse(planned.stdout)).toMatchObject({
      client: "cursor",
      file: path(".cursor/mcp.json"),
      result: "not-written",
      found: "none",
    });
    expect(planned.code).toBe(0);
  });

  it.for([["paint"], ["--print", "--undo"]])("refuses %s", async (args, t) => {
    const { code, stdout, stderr } = await emptyHome(t).connect(...args);
    expect({ isRefused: code !== 0, stdout }).toEqual({ isRefused: true, stdout: "" });
    expect(stderr).toMatch(/CLIENT must be one of [^\n]*, not "paint"|--print/);
  });
});

describe.skipIf(inject("missingServers").includes("script"))("at a terminal", () => {
  it("connect shows the change and asks before it writes", async (t) => {
    const { home, put, read } = emptyHome(t);
    put(".codex/config.toml", "# mine\n");
    put(".cursor/mcp.json", "{}\n");
    const converse = (...typed: Exchange[]) => converseAtTerminal(home, ["connect"], typed);
    const cancelled = await converse(["Write this for Cursor?", keys.interrupt]);
    expect(cancelled.code).toBe(130);
    const { code, stdout } = await converse(
      ["Write this for Cursor?", keys.down + keys.enter],
      ["Write this for Codex?", keys.enter],
    );
    expect(code).toBe(0);
    expect(stdout).toContain("+ [mcp_servers.countersign]");
    expect(read(".cursor/mcp.json")).toBe("{}\n");
    expect(read(".codex/config.toml")).toContain("[mcp_servers.countersign]");
  });

  it("init ends with the clients that it found", async (t) => {
    const { home, put, read } = emptyHome(t);
    put(".codex/config.toml", "# mine\n");
    const { code, stdout } = await converseAtTerminal(
      home,
      ["init"],
      [
        ["What do you want to set up?", keys.enter],
        ["Which clients should have this server?", keys.space + keys.enter],
        ["Write this for Codex?", keys.enter],
      ],
    );
    expect(code).toBe(0);
    expect(stdout).toContain("Codex is connected.");
    expect(stdout).not.toContain('"mcpServers"');
    expect(read(".codex/config.toml")).toContain("[mcp_servers.countersign]");
  });
});
