import type { ConfigFormats, ServerCommand } from "./clients/client.ts";
import { printed } from "./clients/plan.ts";
import { mcpClients } from "./clients/table.ts";

/**
 * Returns the configuration for each client, to be copied by a person.
 * @param inShell quotes a word for a terminal
 */
export function clientLines(
  server: ServerCommand,
  inShell: (word: string) => string,
  formats: ConfigFormats,
): readonly string[] {
  const { command, args, env = {} } = server;
  const textFor = (id: string): string => {
    const client = mcpClients.find((each) => each.id === id);
    const made = client && printed(formats[client.format], client, { local: server });
    return made !== undefined && "text" in made ? made.text : "";
  };
  const settings = Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  const claude = ["claude", "mcp", "add", "--scope", "user", "countersign", ...settings, "--"];
  return [
    `Claude Code, in a terminal:\n${[...claude, command, ...args].map(inShell).join(" ")}`,
    `VS Code, "MCP: Open User Configuration":\n${textFor("vscode")}`,
    `Codex, in ~/.codex/config.toml:\n${textFor("codex")}`,
    `Claude Desktop (Settings, Developer, Edit Config), Cursor (~/.cursor/mcp.json) and others that know "mcpServers":\n${textFor("claude-desktop")}`,
  ];
}
