/** How a client starts the server. */
export interface ServerCommand {
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** Returns what a person copies into each client, one text a client. `inShell` quotes a word for a terminal. */
export function clientLines(
  server: ServerCommand,
  inShell: (word: string) => string,
): readonly string[] {
  const { command, args, env = {} } = server;
  const json = (value: unknown): string => JSON.stringify(value, null, 2);
  const settings = Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  const claude = ["claude", "mcp", "add", "--scope", "user", "countersign", ...settings, "--"];
  return [
    `Claude Code, in a terminal:\n${[...claude, command, ...args].map(inShell).join(" ")}`,
    `VS Code, "MCP: Open User Configuration":\n${json({ servers: { countersign: { type: "stdio", ...server } } })}`,
    `Codex, in ~/.codex/config.toml:\n${codexTable(server)}`,
    `Claude Desktop (Settings, Developer, Edit Config), Cursor (~/.cursor/mcp.json) and others that know "mcpServers":\n${json({ mcpServers: { countersign: server } })}`,
  ];
}

/** Codex asks before each call itself; Countersign asks for what needs it. A JSON string is a TOML string. */
function codexTable({ command, args, env }: ServerCommand): string {
  const pairs = Object.entries(env ?? {}).map(
    ([name, value]) => `${name} = ${JSON.stringify(value)}`,
  );
  return [
    "[mcp_servers.countersign]",
    `command = ${JSON.stringify(command)}`,
    `args = ${JSON.stringify(args)}`,
    'default_tools_approval_mode = "approve"',
    ...(pairs.length > 0 ? [`env = { ${pairs.join(", ")} }`] : []),
  ].join("\n");
}
