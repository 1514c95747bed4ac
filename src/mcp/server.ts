import {
  type CallToolResult,
  type InputRequiredResult,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
import type { Listing } from "../core/tool/catalog.ts";
import { callToolName } from "../core/tool/tool-source.ts";
import type { ReceivedCall } from "./call-tool.ts";
import { formFor } from "./known-clients.ts";
import { type Prompt, offerPrompts } from "./prompts.ts";
import { type ToolPage, offerPages } from "./resources.ts";
import type { ToolList } from "./tool-list.ts";

/** How long a client may cache a list, which changes only with the settings and the policy. Milliseconds. */
const listHint = { ttlMs: 60_000, cacheScope: "private" } as const;
/** How long a client may cache pages and templates, which change only with the program. Milliseconds. */
const pageHint = { ttlMs: 3_600_000, cacheScope: "private" } as const;

const jsonSchemaValidator = new CfWorkerJsonSchemaValidator();

/** Returns the tools that a caller is offered. */
export type Offer = (
  listings: readonly Listing[],
  caller: { principal: string; client?: string },
) => readonly Listing[];

export interface McpBackend {
  version: string;
  /** Returns the instructions for the model of this principal. */
  instructions(principal: string): string;
  tools: ToolList;
  /** Undefined if every caller is offered the whole list. */
  offer?: Offer;
  /** The full documentation by tool name. Only that of listed tools is shown. */
  pages: ReadonlyMap<string, ToolPage>;
  prompts(principal: string): readonly Prompt[];
  /** Answers a call. Its code is loaded at the first call or after the first list, so that the start is fast. */
  answer(call: ReceivedCall): Promise<CallToolResult | InputRequiredResult>;
  /** Called after a client has listed the tools, because a call is then likely. */
  listed(): void;
}

/**
 * Creates one MCP server for one connection or request, in one of the two eras. It uses the SDK's low-level `Server`,
 * because the high-level one would reject bad calls before the pipeline and the audit record see them.
 */
export function createMcpServer(
  backend: McpBackend,
  connection: { era: "modern" | "legacy"; principal: string; lowRiskOnly?: boolean | undefined },
): Server {
  const server = new Server(
    { name: "countersign", title: "Countersign", version: backend.version },
    {
      capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
      instructions: backend.instructions(connection.principal),
      // The SDK checks only the answer of the approval dialog. Its default, Ajv, takes 15 ms to load.
      jsonSchemaValidator,
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
    const listings = await permitted(ctx);
    // `call_tool` stays listed, because the call pipeline checks the tool that it names.
    return connection.lowRiskOnly
      ? listings.filter(({ name, risk }) => risk === "low" || name === callToolName)
      : listings;
  };
  const permitted = async (ctx: ServerContext): Promise<readonly Listing[]> => {
    const listings = backend.tools.current();
    if (backend.offer === undefined) return listings;
    // Loaded only here, because before a call only a policy needs the client's name.
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
        // A client with an output schema rejects a result without structured content.
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
