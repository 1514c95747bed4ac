import { CLIENT_INFO_META_KEY, type Server } from "@modelcontextprotocol/server";
import type { CallContext } from "./call-context.ts";

/** A client that was tried in tests. See docs/clients.md. */
interface KnownClient {
  /** The result of a dialog without a person at the terminal. */
  dialog: "answers by itself" | "offers none";
  /** True if the model gets a failed result as quoted JSON with the call, or with the request to correct the call. */
  rewordsErrors?: true;
}

/**
 * Known clients, by the beginning of their names. They get only text, so that their model reads each result once and
 * with the markers. The name never permits or refuses anything.
 */
const knownClients: Readonly<Record<string, KnownClient>> = {
  // Clients that give their model only the structured content: Claude Code 2.1.332, Codex 0.171.0, mcporter
  // 0.12.3, Pydantic AI 2.68.0 with this name in its `client_info`.
  "claude-code": { dialog: "answers by itself" },
  "codex-mcp-client": { dialog: "answers by itself" },
  mcporter: { dialog: "offers none" },
  "pydantic-ai": { dialog: "offers none" },
  // Clients that give it both forms: Qwen Code 0.24.4 (followed by the server's name), Copilot CLI 1.0.102, Cline 3.0.65,
  // LangChain's adapters 1.1.4, Google's ADK 2.13.0.
  "qwen-cli-mcp-client": { dialog: "offers none", rewordsErrors: true },
  "copilot-cli": { dialog: "answers by itself" },
  "@cline/core": { dialog: "offers none" },
  "@langchain/mcp-adapters": { dialog: "offers none", rewordsErrors: true },
  "google-adk": { dialog: "offers none" },
  // Clients that give it only the text: Gemini CLI 0.61.0, opencode 1.18.33, Continue 1.5.47.
  "gemini-cli-mcp-client": { dialog: "offers none", rewordsErrors: true },
  opencode: { dialog: "offers none" },
  "continue-cli-client": { dialog: "offers none" },
};

/** A cache of the last result, because a connection asks for the same client at each call. */
let newest: { name: string; client: KnownClient | undefined } = { name: "", client: undefined };

/** Returns the facts about a client from tests. */
export function knownClient(name: string): KnownClient | undefined {
  if (newest.name === name) return newest.client;
  const given = name.toLowerCase();
  const found = Object.entries(knownClients).find(([beginning]) => given.startsWith(beginning));
  newest = { name, client: found?.[1] };
  return newest.client;
}

/**
 * The form of results for a client. `both`: text and structured content, each complete. `text`: only text. `unmarked`:
 * only text, and without `isError` for an error.
 */
export type Form = "text" | "both" | "unmarked";

export function formFor(server: Server, ctx: CallContext): Form {
  const known = knownClient(clientName(server, ctx) ?? "");
  if (known === undefined) return "both";
  return known.rewordsErrors === true ? "unmarked" : "text";
}

/** Clients that cannot submit a form with an empty text, even an optional one: Codex 0.169.0. */
const clientsWithoutEmptyText = ["codex-mcp-client"];

/** Returns whether a person can leave an optional text of a form empty in this client. */
export function canLeaveTextEmpty(client: string): boolean {
  return !clientsWithoutEmptyText.some((name) => client.toLowerCase().startsWith(name));
}

/** Returns the client's name: from the request's envelope in the 2026 era, from `initialize` in the 2025 era. */
function clientName(server: Server, ctx: CallContext): string | undefined {
  const envelope: Readonly<Record<string, unknown>> | undefined = ctx.mcpReq.envelope;
  const info = envelope === undefined ? server.getClientVersion() : envelope[CLIENT_INFO_META_KEY];
  if (typeof info !== "object" || info === null || !("name" in info)) return undefined;
  return typeof info.name === "string" ? info.name : undefined;
}
