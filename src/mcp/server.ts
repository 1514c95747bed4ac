import {
  type CallToolResult,
  type InputRequiredResult,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Listing } from "../core/tool/catalog.ts";
import type { ReceivedCall } from "./call-tool.ts";
import { formFor } from "./known-clients.ts";
import { type Prompt, offerPrompts } from "./prompts.ts";
import { type ToolPage, offerPages } from "./resources.ts";
import type { ToolList } from "./tool-list.ts";

/** How long a client may keep a list: it changes only with the settings and the policy. Milliseconds. */
const listHint = { ttlMs: 60_000, cacheScope: "private" } as const;
/** Pages and templates change only with the program. */
const pageHint = { ttlMs: 3_600_000, cacheScope: "private" } as const;

/** What of the list a caller is offered. Before a client has said its name there is none. */
export type Offer = (
  listings: readonly Listing[],
  caller: { principal: string; client?: string },
) => readonly Listing[];

export interface McpBackend {
  version: string;
  /** What a model is told about this server when this principal connects. */
  instructions(principal: string): string;
  tools: ToolList;
  /** Without it everybody is offered the whole list. */
  offer?: Offer;
  /** The full documentation, by tool name; only that of listed tools is shown. */
  pages: ReadonlyMap<string, ToolPage>;
  prompts(principal: string): readonly Prompt[];
  /** Answers a call. What that takes is loaded with the first one, or after the first list: no start waits for it. */
  answer(call: ReceivedCall): Promise<CallToolResult | InputRequiredResult>;
  /** Somebody has the list, so a call is likely. */
  listed(): void;
}

/**
 * One MCP server for one connection or one request, in one of the two protocol eras. Built on the SDK's low-level `Server`:
 * its high-level one answers bad arguments and unknown tools before the pipeline, and so the audit, has seen them.
 */
export function createMcpServer(
  backend: McpBackend,
  connection: { era: "modern" | "legacy"; principal: string },
): Server {
  const server = new Server(
    { name: "countersign", title: "Countersign", version: backend.version },
    {
      capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
      instructions: backend.instructions(connection.principal),
      cacheHints: {
        "tools/list": listHint,
        "resources/list": listHint,
        "resources/templates/list": pageHint,
        "resources/read": pageHint,
        "prompts/list": pageHint,
      },
    },
  );
  const offered = async (ctx: ServerContext): Promise<readonly Listing[]> => {
    const listings = backend.tools.current();
    if (backend.offer === undefined) return listings;
    // Only here: without a policy nobody's name matters before a call.
    const { clientFacts } = await import("./client.ts");
    const { name: client } = clientFacts(server, ctx);
    return backend.offer(listings, { principal: connection.principal, client });
  };

  server.setRequestHandler("tools/list", async (_request, ctx) => {
    backend.listed();
    const isTyped = formFor(server, ctx) === "both";
    return {
      tools: (await offered(ctx)).map(({ risk, outputSchema, ...tool }) => ({
        ...tool,
        // Whoever is promised structured content refuses a result without it.
        ...(isTyped && { outputSchema }),
        _meta: { "dev.countersign/risk": risk },
      })),
    };
  });
  server.setRequestHandler("tools/call", ({ params }, ctx) =>
    backend.answer({ server, ...connection, params, ctx }),
  );
  offerPages(server, {
    offered,
    pages: backend.pages,
    call: (params, ctx) => backend.answer({ server, ...connection, params, ctx, isResource: true }),
  });
  offerPrompts(server, backend.prompts(connection.principal));
  return server;
}
