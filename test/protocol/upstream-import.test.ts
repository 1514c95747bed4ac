import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { newHome } from "./home.ts";
import { program, runProgram } from "./program.ts";
import { writeServers } from "./upstream-home.ts";
import { converseAtTerminal, keys } from "./terminal.ts";

const here = {
  onTestFinished: (cleanUp: () => unknown) => onTestFinished(async () => void (await cleanUp())),
};

/** Creates a home directory with the file of a client. */
function homeWithClient(
  t: Parameters<typeof newHome>[0],
  file: string,
  content: string,
  settings: Record<string, string> = {},
) {
  const home = newHome(t, settings);
  const user = join(home.dir, "user");
  const path = join(user, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  const env = { ...home.env, HOME: user, XDG_CONFIG_HOME: join(user, ".config") };
  const servers = join(home.dir, "servers.json");
  return {
    home: { ...home, env },
    path,
    read: () => readFileSync(path, "utf8"),
    servers: () => JSON.parse(readFileSync(servers, "utf8")) as { mcpServers: object },
    hasServers: () => existsSync(servers),
    mode: () => statSync(servers).mode & 0o777,
    run: (...args: string[]) => runProgram({ ...home, env }, ["servers", "import", ...args]),
  };
}

const cursorFile = `{
  // my servers
  "mcpServers": {
    "my notes": { "command": "npx", "args": ["-y", "notes"], "env": { "KEY": "s3cret-value" }, "disabled": false },
    "countersign": { "command": "countersign", "args": ["serve"] },
    "web": { "url": "https://example.org/mcp", "headers": { "Authorization": "Bearer \${env:WEB}" } },
    "here": { "command": "x", "cwd": "/srv" }
  },
  "other": 1
}
`;

describe("servers import", () => {
  it.skipIf(inject("missingServers").includes("script")).for([
    // A person at a terminal read "Run it at a terminal, or with --yes."
    ["No", keys.down + keys.enter, 1, /Nothing was written\.\n/],
    ["Ctrl-C", keys.interrupt, 130, /Cancelled\. Nothing was written\.\n/],
  ] as const)("writes nothing after %s", async ([, typed, code, sentence], t) => {
    const { home, hasServers } = homeWithClient(t, ".cursor/mcp.json", cursorFile);
    const words = ["servers", "import", "cursor"];
    const ended = await converseAtTerminal(home, words, [["Write this?", typed]]);
    expect(ended.code).toBe(code);
    expect(ended.stdout).toMatch(sentence);
    expect(hasServers()).toBe(false);
  });

  it("hides secrets in what it shows, and writes only after a confirmation", async (t) => {
    const { run, read, hasServers } = homeWithClient(t, ".cursor/mcp.json", cursorFile);
    const { code, stdout, stderr } = await run("cursor", "--move");
    expect(code).toBe(1);
    expect(stdout).toContain('"my-notes"');
    expect(stdout).not.toContain("s3cret-value");
    expect(stderr).toContain("Nothing was written.");
    expect(read()).toBe(cursorFile);
    expect(hasServers()).toBe(false);
  });

  it("copies the entries that it can use, and says why it skips others", async (t) => {
    const { run, read, servers, mode } = homeWithClient(t, ".cursor/mcp.json", cursorFile);
    const { code, stdout } = await run("cursor", "--yes", "--json");
    expect(code).toBe(0);
    const told = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { given: string; result: string; problem?: string });
    expect(told).toMatchObject([
      { given: "my notes", name: "my-notes", result: "imported", leftOut: ["disabled"] },
      { given: "countersign", result: "skipped", problem: "it is Countersign itself" },
      { given: "web", result: "imported" },
      { given: "here", result: "skipped" },
    ]);
    expect(told[3]?.problem).toContain("cwd");
    expect(servers().mcpServers).toEqual({
      "my-notes": { command: "npx", args: ["-y", "notes"], env: { KEY: "s3cret-value" } },
      web: {
        type: "http",
        url: "https://example.org/mcp",
        headers: { Authorization: "Bearer ${env:WEB}" },
      },
    });
    expect(mode()).toBe(0o600);
    expect(read()).toBe(cursorFile);
    const again = await run("cursor", "--yes", "--json");
    expect(again.stdout).toContain("there is a server web already");
  });

  // One such entry made the import of all fail, with a line of a file that did not exist.
  it("skips entries that servers.json cannot have, and copies the others", async (t) => {
    const entries = {
      password: { url: "https://user:s3cret@example.org/mcp" },
      setting: { command: "x", env: { KEY: "${env:S3_SECRET_ACCESS_KEY}" } },
      long: { command: "x", timeoutMs: 5 },
      header: { url: "https://example.org/mcp", headers: { "X-Key": "s3cret\nwith a line break" } },
      good: { command: "y" },
    };
    const text = JSON.stringify({ mcpServers: entries });
    const { run, servers } = homeWithClient(t, ".cursor/mcp.json", text);
    const { code, stdout, stderr } = await run("cursor", "--yes");
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("password: skipped, url: must not contain a user or a password");
    expect(stdout).toContain(
      "setting: skipped, env.KEY: S3_SECRET_ACCESS_KEY is a setting of Countersign",
    );
    expect(stdout).toContain("long: skipped, timeoutMs: ");
    expect(stdout).toContain(
      "header: skipped, headers.X-Key: has a character that a header cannot contain.",
    );
    expect(stdout).not.toContain("s3cret");
    expect(servers().mcpServers).toEqual({ good: { command: "y" } });
  });

  it("takes moved entries out of the client's file, and keeps a copy and all the rest", async (t) => {
    const { run, read, path } = homeWithClient(t, ".cursor/mcp.json", cursorFile);
    const { code, stdout } = await run("cursor", "--move", "--yes");
    expect(code).toBe(0);
    expect(stdout).toContain("my notes: moved as my-notes");
    expect(read()).not.toContain('notes"');
    for (const kept of ["// my servers", '"countersign"', '"here"', '"other": 1'])
      expect(read()).toContain(kept);
    expect(readFileSync(`${path}.before-import`, "utf8")).toBe(cursorFile);
  });

  // The entry stayed, so a second client reached the server without an approval.
  it("takes an entry out of the client whose server is in servers.json already", async (t) => {
    const entry = { command: "npx", args: ["-y", "notes"], env: { KEY: "s3cret-value" } };
    const web = { url: "https://example.org/mcp" };
    const text = JSON.stringify({ mcpServers: { notes: entry, web } });
    const { home, run, read, servers } = homeWithClient(t, ".claude.json", text);
    const mcpServers = { notes: { ...entry, tools: { "*": "high" } }, web: entry };
    writeServers(home, mcpServers);
    const kept = await run("claude-code", "--yes");
    expect(kept.stdout).toContain("notes: skipped, there is a server notes already.");
    expect(read()).toBe(text);
    const { code, stdout } = await run("claude-code", "--move", "--yes");
    expect(code).toBe(0);
    expect(stdout).toMatch(/notes: moved as notes, which \S+servers\.json has already\./);
    expect(stdout).toContain("web: skipped, there is a server web already.");
    expect(stdout).not.toContain("s3cret");
    expect(JSON.parse(read())).toEqual({ mcpServers: { web } });
    expect(servers()).toEqual({ mcpServers });
  });

  it.each([
    ["claude-code", ".claude.json", "mcpServers", "${TOKEN}", "${env:TOKEN}"],
    ["claude-desktop", ".config/Claude/claude_desktop_config.json", "mcpServers", "plain", "plain"],
    ["vscode", ".config/Code/User/mcp.json", "servers", "${env:TOKEN}", "${env:TOKEN}"],
  ])("reads the entries of %s", async (client, file, section, given, expected) => {
    const entry = { type: "stdio", command: "x", env: { TOKEN: given } };
    const { run, servers } = homeWithClient(
      here,
      file,
      JSON.stringify({ [section]: { one: entry } }),
    );
    expect(await run(client, "--yes")).toMatchObject({ code: 0 });
    expect(servers().mcpServers).toEqual({ one: { command: "x", env: { TOKEN: expected } } });
  });

  it.each(["http", "streamable-http", "streamableHttp"])(
    "reads %s as the transport of a server over HTTP",
    async (type) => {
      const web = { type, url: "https://example.org/mcp" };
      const text = JSON.stringify({ mcpServers: { web } });
      const { run, servers } = homeWithClient(here, ".cursor/mcp.json", text);
      expect(await run("cursor", "--yes")).toMatchObject({ code: 0 });
      expect(servers().mcpServers).toEqual({ web: { ...web, type: "http" } });
    },
  );

  it("reads and moves the entries of Codex, whose variables have fields of their own", async (t) => {
    const kept = '# mine\nmodel = "gpt"\n';
    const text = `${kept}
[mcp_servers.notes]
command = "npx"
args = ["-y", "notes"]
env_vars = ["NOTES_TOKEN"]
tool_timeout_sec = 90
startup_timeout_sec = 20

[mcp_servers.notes.env]
KEY = "s3cret-value"

[mcp_servers.web]
url = "https://example.org/mcp"
bearer_token_env_var = "WEB"
http_headers = { "X-Team" = "team-secret" }
env_http_headers = { "X-Key" = "WEB_KEY" }

[mcp_servers.countersign]
command = "countersign"
args = ["serve"]
`;
    const { run, read, servers } = homeWithClient(t, ".codex/config.toml", text);
    const shown = await run("codex", "--move");
    expect(shown.stdout).toContain("[mcp_servers.notes]");
    expect(shown.stdout).not.toMatch(/s3cret-value|team-secret/);
    const { code, stdout } = await run("codex", "--move", "--yes");
    expect(code).toBe(0);
    expect(stdout).toContain("notes: moved as notes. Left out: startup_timeout_sec.");
    expect(servers().mcpServers).toEqual({
      notes: {
        command: "npx",
        args: ["-y", "notes"],
        env: { NOTES_TOKEN: "${env:NOTES_TOKEN}", KEY: "s3cret-value" },
        timeoutMs: 90_000,
      },
      web: {
        type: "http",
        url: "https://example.org/mcp",
        headers: {
          "X-Team": "team-secret",
          "X-Key": "${env:WEB_KEY}",
          Authorization: "Bearer ${env:WEB}",
        },
      },
    });
    expect(read()).toContain(kept);
    expect(read()).toContain("[mcp_servers.countersign]");
    expect(read()).not.toMatch(/mcp_servers\.(?:notes|web)/);
  });

  it("does not mistake another server over HTTP for an entry of Countersign", async (t) => {
    // The entry has the form of the entry that `connect` writes.
    const web = { type: "http", url: "https://mcp.example.org/mcp" };
    const own = { type: "http", url: "https://me.example.org/mcp" };
    const text = JSON.stringify({ mcpServers: { web, countersign: own } });
    const { run, servers } = homeWithClient(t, ".claude.json", text);
    const { stdout } = await run("claude-code", "--yes");
    expect(stdout).toContain("countersign: skipped, it is Countersign itself.");
    expect(servers().mcpServers).toEqual({ web });
  });

  // A clone in a folder of another name was imported into itself, and `--move` took it out of the client.
  it("skips the entry that starts this program, in whichever folder it is", async (t) => {
    const own = { command: process.execPath, args: [program, "serve"] };
    const moved = { command: "node", args: ["/srv/mcp-approvals/bundle/main.js", "serve"] };
    for (const mcpServers of [{ countersign: own }, { approvals: own }, { countersign: moved }]) {
      const text = JSON.stringify({ mcpServers });
      const { run, read, hasServers } = homeWithClient(t, ".claude.json", text);
      const { stdout } = await run("claude-code", "--move", "--yes");
      expect(stdout).toContain("skipped, it is Countersign itself.");
      expect(hasServers()).toBe(false);
      expect(read()).toBe(text);
    }
  });

  it("skips an entry with the address of this server under another name", async (t) => {
    const me = { url: "https://me.example.org/mcp" };
    const text = JSON.stringify({ mcpServers: { me } });
    const { run, hasServers } = homeWithClient(t, ".cursor/mcp.json", text, {
      PUBLIC_URL: "https://me.example.org",
    });
    const { stdout } = await run("cursor", "--yes");
    expect(stdout).toContain("me: skipped, it is Countersign itself.");
    expect(hasServers()).toBe(false);
  });

  it.each([
    ["vscode", ".config/Code/User/mcp.json", "servers", "${workspaceFolder}"],
    ["cursor", ".cursor/mcp.json", "mcpServers", "${userHome}"],
    ["claude-code", ".claude.json", "mcpServers", "${DB_URL:-...}"],
  ])("skips an entry with a variable of %s alone", async (client, file, section, variable) => {
    const arg = variable.replace("...", "postgres://me:s3cret@localhost");
    const entry = { command: "x", args: [`${arg}/server.js`] };
    const text = JSON.stringify({ [section]: { one: entry } });
    const { run, hasServers } = homeWithClient(here, file, text);
    const { stdout } = await run(client, "--yes");
    expect(stdout).toContain(`one: skipped, ${variable} has a meaning only in that client.`);
    expect(stdout).not.toContain("s3cret");
    expect(hasServers()).toBe(false);
  });

  it("replaces an invalid name by a valid one, and shows a header that only names a variable", async (t) => {
    const entry = { url: "https://a.example/mcp", headers: { Authorization: "Bearer ${env:WEB}" } };
    const text = JSON.stringify({ mcpServers: { "My Notes (work)": entry } });
    const { run } = homeWithClient(t, ".cursor/mcp.json", text);
    const { stdout } = await run("cursor", "--yes");
    expect(stdout).toContain("imported as My-Notes-work.");
    expect(stdout).toContain('"Bearer ${env:WEB}"');
  });

  it("skips an entry that asks for an input of VS Code", async (t) => {
    const entry = { command: "x", env: { TOKEN: "${input:token}" } };
    const text = JSON.stringify({ servers: { one: entry } });
    const { run, hasServers } = homeWithClient(t, ".config/Code/User/mcp.json", text);
    const { stdout } = await run("vscode", "--yes");
    expect(stdout).toContain("${input:token} has a meaning only in that client");
    expect(hasServers()).toBe(false);
  });

  it("leaves both files as they are if the client's file has an error", async (t) => {
    const { run, read } = homeWithClient(t, ".cursor/mcp.json", "{ broken");
    const { code, stderr } = await run("cursor", "--move", "--yes");
    expect(code).toBe(1);
    expect(stderr).toContain("line 1");
    expect(read()).toBe("{ broken");
  });
});
