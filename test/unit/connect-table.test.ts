import { describe, expect, it } from "vitest";
import type { Machine, McpClient } from "../../src/setup/clients/client.ts";
import { httpUrl } from "../../src/app/command-line/options.ts";
import { entryFor } from "../../src/setup/clients/change.ts";
import { factsOf } from "../../src/setup/clients/plan.ts";
import { mcpClients } from "../../src/setup/clients/table.ts";

const client = (id: string): McpClient => mcpClients.find((each) => each.id === id)!;
const server = { command: "npx", args: ["-y", "countersign", "serve"] };

const machines: Readonly<Record<string, Machine>> = {
  linux: { system: "linux", home: "/home/me", env: { XDG_CONFIG_HOME: "/home/me/cfg" } },
  darwin: { system: "darwin", home: "/Users/me", env: { CODEX_HOME: "/Users/me/codex" } },
  win32: { system: "win32", home: "C:\\Users\\me", env: { APPDATA: "C:\\Users\\me\\Roaming" } },
};

describe("the files of clients", () => {
  it.each([
    ["claude-desktop", "linux", "/home/me/cfg/Claude/claude_desktop_config.json"],
    [
      "claude-desktop",
      "darwin",
      "/Users/me/Library/Application Support/Claude/claude_desktop_config.json",
    ],
    ["claude-desktop", "win32", "C:\\Users\\me\\Roaming\\Claude\\claude_desktop_config.json"],
    ["vscode", "win32", "C:\\Users\\me\\Roaming\\Code\\User\\mcp.json"],
    ["codex", "darwin", "/Users/me/codex/config.toml"],
    ["cursor", "win32", "C:\\Users\\me\\.cursor\\mcp.json"],
    ["opencode", "linux", "/home/me/cfg/opencode/opencode.json"],
    ["claude-code", "linux", "/home/me/.claude.json"],
  ])("are where %s keeps them on %s", (id, system, file) => {
    expect(client(id).places(machines[system]!)[0]?.files[0]).toBe(file);
  });
});

describe("a link that adds the server", () => {
  it("has the whole entry for VS Code, in both forms", () => {
    const { app, web } = client("vscode").links!(server);
    expect(JSON.parse(decodeURIComponent(app.replace("vscode:mcp/install?", "")))).toEqual({
      name: "countersign",
      ...server,
    });
    expect(JSON.parse(new URL(web).searchParams.get("config")!)).toEqual(server);
  });

  it("has the entry for Cursor in base64", () => {
    const { app, web } = client("cursor").links!(server);
    for (const link of [app, web]) {
      const { searchParams } = new URL(link);
      const config = Buffer.from(searchParams.get("config")!, "base64").toString();
      expect(searchParams.get("name")).toBe("countersign");
      expect(JSON.parse(config)).toEqual(server);
    }
  });
});

it("writes no token into any entry", () => {
  const url = "https://mcp.example/mcp";
  for (const client of mcpClients) {
    const { id } = client;
    const text = JSON.stringify(entryFor(client, { remote: url, access: "token" }) ?? {});
    const headers = text.match(/Bearer [^"]+/g) ?? [];
    for (const header of headers) expect(header, id).toMatch(/^Bearer (?:\$\{|\{env:)/);
  }
});

it("warns that others can read the token if the address has no TLS", () => {
  // The command gave no warning.
  const factsAt = (url: string, access: "token" | "sign-in"): string =>
    factsOf(client("codex"), { remote: url, access }).join("\n");
  const said = "Others on the network can read the token";
  for (const access of ["token", "sign-in"] as const) {
    expect(factsAt("http://mcp.example/mcp", access)).toContain(said);
    for (const url of ["https://mcp.example/mcp", "http://127.0.0.1:8080/mcp", "http://[::1]/mcp"])
      expect(factsAt(url, access)).not.toContain(said);
  }
});

it("refuses an address with a password, and does not repeat it", () => {
  // The password was written into the client's file, below "The file contains no token".
  const read = (): unknown => httpUrl("").read(["https://me:pw-42@mcp.example/mcp"], "--http");
  expect(read).toThrow("--http must be a URL without a user name or password.");
});
