import { describe, expect, it } from "vitest";
import { configFormats } from "../../src/app/compose/config-formats.ts";
import { clientLines } from "../../src/setup/client-lines.ts";

const server = {
  command: "/usr/bin/node",
  args: ["/home/me/my apps/bundle/main.js", "serve"],
  env: { COUNTERSIGN_DATA_DIR: "/data" },
};
const inShell = (word: string): string => (word.includes(" ") ? `'${word}'` : word);
const lines = clientLines(server, inShell, configFormats);

describe("the lines for clients", () => {
  it("name Claude Code, VS Code, Codex, Claude Desktop and Cursor", () => {
    for (const client of ["Claude Code", "VS Code", "Codex", "Claude Desktop", "Cursor"])
      expect(lines.join("\n")).toContain(client);
  });

  it("are a pasteable command, valid JSON and a TOML table", () => {
    const [claude = "", code = "", codex = "", desktop = ""] = lines;
    expect(claude.split("\n")[1]).toBe(
      "claude mcp add --scope user countersign --env COUNTERSIGN_DATA_DIR=/data -- /usr/bin/node '/home/me/my apps/bundle/main.js' serve",
    );
    const json = (text: string): unknown => JSON.parse(text.slice(text.indexOf("\n")));
    expect(json(code)).toEqual({ servers: { countersign: { type: "stdio", ...server } } });
    expect(json(desktop)).toEqual({ mcpServers: { countersign: server } });
    expect(codex).toContain('default_tools_approval_mode = "approve"');
    expect(codex).toContain('env = { COUNTERSIGN_DATA_DIR = "/data" }');
  });
});
