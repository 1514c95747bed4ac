import { clientTokenVariable as tokenVariable } from "../../config/misspelled.ts";
import {
  type Entry,
  type Machine,
  type McpClient,
  type ConfigPlace,
  type ServerCommand,
  serverName,
} from "./client.ts";
import { appData, homeOr, joined } from "./places.ts";

const inMcpServers = ["mcpServers", serverName] as const;
const setVariable = `Set ${tokenVariable} to your token in the environment that starts the client. The file contains no token.`;

const plain = ({ command, args, env }: ServerCommand): Entry => ({
  command,
  args,
  ...(env !== undefined && { env }),
});

const headers = (token: string): Entry => ({ headers: { Authorization: `Bearer ${token}` } });

/**
 * The clients that `connect` supports. The facts were seen in runs of `npm run test:clients`, or are from the clients'
 * documentation.
 */
export const mcpClients: readonly McpClient[] = [
  {
    id: "claude-desktop",
    title: "Claude Desktop",
    format: "json",
    programs: [],
    places: (machine) => {
      const directory = appData(machine, "Claude");
      return [
        { files: [joined(machine, directory, "claude_desktop_config.json")], signs: [directory] },
      ];
    },
    path: inMcpServers,
    local: plain,
    facts: ["Quit and restart Claude Desktop. It reads the file only when it starts."],
    tokenFacts: [],
  },
  {
    id: "claude-code",
    title: "Claude Code",
    format: "json",
    programs: ["claude"],
    places: (machine) => {
      const directory = homeOr(machine, "CLAUDE_CONFIG_DIR");
      const own = joined(machine, machine.home, ".claude");
      return [{ files: [joined(machine, directory, ".claude.json")], signs: [own] }];
    },
    path: inMcpServers,
    local: (server) => ({ type: "stdio", ...plain(server) }),
    remote: (url) => ({ type: "http", url }),
    token: headers(`\${${tokenVariable}}`),
    signIn: `Sign in with: claude mcp login ${serverName}`,
    facts: [
      "Claude Code itself asks before the first call of each tool. With the rule `mcp__countersign` in its permissions, only Countersign asks.",
      "Start a new session, because a running session does not read the file again.",
    ],
    tokenFacts: [setVariable],
  },
  {
    id: "vscode",
    title: "VS Code",
    format: "json",
    programs: ["code", "code-insiders"],
    places: (machine) =>
      ["Code", "Code - Insiders"].map((edition) => {
        const directory = appData(machine, edition);
        return { files: [joined(machine, directory, "User", "mcp.json")], signs: [directory] };
      }),
    path: ["servers", serverName],
    local: (server) => ({ type: "stdio", ...plain(server) }),
    remote: (url) => ({ type: "http", url }),
    token: headers("${input:countersign-token}"),
    signIn: "VS Code opens the sign-in page when it starts the server.",
    question: {
      path: ["inputs", { named: "countersign-token" }],
      value: {
        type: "promptString",
        id: "countersign-token",
        description: "Countersign: token of the HTTP server",
        password: true,
      },
    },
    facts: ["VS Code starts the server when chat needs it, and asks once whether you trust it."],
    tokenFacts: ["VS Code asks for the token once and stores it."],
    links: (server) => {
      const entry = plain(server);
      const config = encodeURIComponent(JSON.stringify(entry));
      const whole = encodeURIComponent(JSON.stringify({ name: serverName, ...entry }));
      return {
        app: `vscode:mcp/install?${whole}`,
        web: `https://vscode.dev/redirect/mcp/install?name=${serverName}&config=${config}`,
      };
    },
  },
  {
    id: "cursor",
    title: "Cursor",
    format: "json",
    programs: ["cursor", "cursor-agent"],
    places: (machine) => {
      const directory = joined(machine, machine.home, ".cursor");
      return [{ files: [joined(machine, directory, "mcp.json")], signs: [directory] }];
    },
    path: inMcpServers,
    local: plain,
    remote: (url) => ({ url }),
    token: headers(`\${env:${tokenVariable}}`),
    signIn: "Sign in from Cursor's settings, under MCP.",
    facts: ["If Cursor lists the server as disabled, enable it in Cursor's settings, under MCP."],
    tokenFacts: [setVariable],
    links: (server) => {
      const config = encodeURIComponent(
        Buffer.from(JSON.stringify(plain(server))).toString("base64"),
      );
      const query = `name=${serverName}&config=${config}`;
      return {
        app: `cursor://anysphere.cursor-deeplink/mcp/install?${query}`,
        web: `https://cursor.com/en/install-mcp?${query}`,
      };
    },
  },
  {
    id: "codex",
    title: "Codex",
    format: "toml",
    programs: ["codex"],
    places: (machine) => {
      const directory = homeOr(machine, "CODEX_HOME", ".codex");
      return [{ files: [joined(machine, directory, "config.toml")], signs: [directory] }];
    },
    path: ["mcp_servers", serverName],
    local: (server) => ({ ...plain(server), default_tools_approval_mode: "approve" }),
    remote: (url) => ({ url, default_tools_approval_mode: "approve" }),
    token: { bearer_token_env_var: tokenVariable },
    signIn: `Sign in with: codex mcp login ${serverName}`,
    facts: [
      '`default_tools_approval_mode = "approve"` is set. Without it, Codex itself asks before each call, and `codex exec` refuses each call.',
      "Start a new session, because a running session does not read the file again.",
    ],
    tokenFacts: [setVariable],
  },
  {
    id: "gemini-cli",
    title: "Gemini CLI",
    format: "json",
    programs: ["gemini"],
    places: (machine) => {
      const directory = joined(machine, homeOr(machine, "GEMINI_CLI_HOME"), ".gemini");
      return [{ files: [joined(machine, directory, "settings.json")], signs: [directory] }];
    },
    path: inMcpServers,
    local: plain,
    remote: (url) => ({ httpUrl: url }),
    token: headers(`\${${tokenVariable}}`),
    signIn: `Sign in with /mcp auth ${serverName} in Gemini CLI.`,
    facts: [
      'Gemini CLI itself asks before each tool. With `"trust": true` in the entry, only Countersign asks.',
      "Start a new session, because a running session does not read the file again.",
    ],
    tokenFacts: [setVariable],
  },
  {
    id: "opencode",
    title: "opencode",
    format: "json",
    programs: ["opencode"],
    places: (machine) => {
      const directory = joined(machine, homeOr(machine, "XDG_CONFIG_HOME", ".config"), "opencode");
      const file = (name: string): string => joined(machine, directory, name);
      return [{ files: [file("opencode.json"), file("opencode.jsonc")], signs: [directory] }];
    },
    path: ["mcp", serverName],
    local: ({ command, args, env }) => ({
      type: "local",
      command: [command, ...args],
      enabled: true,
      ...(env !== undefined && { environment: env }),
    }),
    remote: (url) => ({ type: "remote", url, enabled: true }),
    token: { oauth: false, ...headers(`{env:${tokenVariable}}`) },
    signIn: `Sign in with: opencode mcp auth ${serverName}`,
    facts: ["opencode runs tools without asking. Countersign asks if a call needs approval."],
    tokenFacts: [setVariable],
  },
  {
    id: "copilot-cli",
    title: "Copilot CLI",
    format: "json",
    programs: ["copilot"],
    places: (machine) => {
      const directory = homeOr(machine, "COPILOT_HOME", ".copilot");
      return [{ files: [joined(machine, directory, "mcp-config.json")], signs: [directory] }];
    },
    path: inMcpServers,
    local: (server) => ({ type: "local", ...plain(server), tools: ["*"] }),
    remote: (url) => ({ type: "http", url, tools: ["*"] }),
    token: headers(`\${${tokenVariable}}`),
    signIn: "Copilot CLI opens the sign-in page when it starts.",
    facts: [
      '`"tools": ["*"]` is set. Without it, Copilot CLI offers no tool of the server.',
      "Copilot CLI itself asks before each tool. With `--allow-tool countersign`, only Countersign asks.",
    ],
    tokenFacts: [setVariable],
  },
  {
    id: "cline",
    title: "Cline",
    format: "json",
    programs: ["cline"],
    places: (machine) => [
      extensionOf(machine, "Code"),
      extensionOf(machine, "Cursor"),
      clineItself(machine),
    ],
    path: inMcpServers,
    local: (server) => ({ ...plain(server), disabled: false }),
    remote: (url) => ({ type: "streamableHttp", url, disabled: false }),
    token: headers(`\${env:${tokenVariable}}`),
    signIn: "Sign in from the list of MCP servers in Cline.",
    facts: [
      "Cline itself asks before each tool, unless auto-approve is on for MCP servers. Countersign asks in both cases.",
      "Cline cuts the middle out of results over 8 000 characters. Set CLINE_MESSAGE_BUILDER_MAX_TOOL_RESULT_CHARS=60000 in the environment that starts it.",
    ],
    tokenFacts: [
      setVariable,
      "Cline's command line does not expand variables in this file. For it, write the token instead of `${env:COUNTERSIGN_TOKEN}`.",
    ],
  },
  {
    id: "continue",
    title: "Continue",
    format: "yaml",
    programs: ["cn"],
    places: (machine) => {
      const directory = homeOr(machine, "CONTINUE_GLOBAL_DIR", ".continue");
      return [{ files: [joined(machine, directory, "config.yaml")], signs: [directory] }];
    },
    path: ["mcpServers", { named: serverName }],
    local: (server) => ({ name: serverName, ...plain(server) }),
    remote: (url) => ({ name: serverName, type: "streamable-http", url }),
    token: { requestOptions: headers(`\${{ secrets.${tokenVariable} }}`) },
    facts: ["Continue offers tools in its agent mode only."],
    tokenFacts: [
      `Put ${tokenVariable}=YOUR-TOKEN into ~/.continue/.env. The configuration file contains no token.`,
    ],
    newFile: "name: Local Config\nversion: 1.0.0\nschema: v1\n",
  },
];

function extensionOf(machine: Machine, editor: string): ConfigPlace {
  const directory = appData(machine, editor, "User", "globalStorage", "saoudrizwan.claude-dev");
  return {
    files: [joined(machine, directory, "settings", "cline_mcp_settings.json")],
    signs: [directory],
  };
}

/** Returns the file of Cline's command line program. */
function clineItself(machine: Machine): ConfigPlace {
  const directory = homeOr(machine, "CLINE_DIR", ".cline");
  return {
    files: [joined(machine, directory, "data", "settings", "cline_mcp_settings.json")],
    signs: [directory],
  };
}
