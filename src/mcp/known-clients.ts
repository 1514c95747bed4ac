import {
  CLIENT_INFO_META_KEY,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";

/**
 * Which part of a result each host gives to its model, by the beginning of the host's name. A host that prefers
 * structured content gets text alone, so that its model reads each result once and with the markers. The name never
 * permits or refuses anything.
 */
const hosts: Readonly<Record<string, "text" | "structured" | "both">> = {
  // Claude Code 2.1.330, Codex 0.169.0, mcporter 0.12.3
  "claude-code": "structured",
  "codex-mcp-client": "structured",
  mcporter: "structured",
  // Qwen Code 0.24.4 (followed by the server's name), Copilot CLI 1.0.102, Cline 3.0.65, LangChain's adapters 1.1.4
  "qwen-cli-mcp-client": "both",
  "copilot-cli": "both",
  "@cline/core": "both",
  "@langchain/mcp-adapters": "both",
  // Gemini CLI 0.61.0, opencode 1.18.33, Continue 1.5.47
  "gemini-cli-mcp-client": "text",
  opencode: "text",
  "continue-cli-client": "text",
};

/** The form of results for a client. `both`: text and structured content, each complete. */
export type Form = "text" | "both";

export function formFor(server: Server, ctx: ServerContext): Form {
  const name = clientName(server, ctx)?.toLowerCase() ?? "";
  return Object.keys(hosts).some((host) => name.startsWith(host)) ? "text" : "both";
}

/** Returns the client's name: from the request's envelope in the 2026 era, from `initialize` in the 2025 era. */
function clientName(server: Server, ctx: ServerContext): string | undefined {
  const envelope: Readonly<Record<string, unknown>> | undefined = ctx.mcpReq.envelope;
  const info = envelope === undefined ? server.getClientVersion() : envelope[CLIENT_INFO_META_KEY];
  if (typeof info !== "object" || info === null || !("name" in info)) return undefined;
  return typeof info.name === "string" ? info.name : undefined;
}
