import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  Server,
  type ServerContext,
  TRACEPARENT_META_KEY,
  isInputRequiredResult,
} from "@modelcontextprotocol/server";
import type { CallRequest, Outcome } from "../core/call.ts";
import { type ApprovalRoad, withProgress } from "./approval-road.ts";
import { askIn2025 } from "./approve-2025.ts";
import { answerIn2026, askIn2026 } from "./approve-2026.ts";
import { clientFacts } from "./client.ts";
import { type Prompt, offerPrompts } from "./prompts.ts";
import { type Page, offerPages } from "./resources.ts";
import { toResult } from "./result.ts";
import type { ToolList } from "./tool-list.ts";

/** How long a client may keep a list: it changes only with the settings and the policy. Milliseconds. */
const listHint = { ttlMs: 60_000, cacheScope: "private" } as const;
/** Pages and templates change only with the program. */
const pageHint = { ttlMs: 3_600_000, cacheScope: "private" } as const;

export interface McpDoor {
  version: string;
  instructions: string;
  tools: ToolList;
  /** The full documentation, by tool name; only that of listed tools is shown. */
  pages: ReadonlyMap<string, Page>;
  prompts: readonly Prompt[];
  road: ApprovalRoad;
  /** Where people sign in to decide, over HTTP. */
  pageUrl?: string;
}

/**
 * One MCP server for one connection or one request, in one of the two protocol eras. Built on the SDK's low-level `Server`:
 * its high-level one answers bad arguments and unknown tools before the pipeline, and so the audit, has seen them.
 */
export function createMcpServer(
  door: McpDoor,
  connection: { era: "modern" | "legacy"; principal: string },
): Server {
  const server = new Server(
    { name: "countersign", title: "Countersign", version: door.version },
    {
      capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
      instructions: door.instructions,
      cacheHints: {
        "tools/list": listHint,
        "resources/list": listHint,
        "resources/templates/list": pageHint,
        "resources/read": pageHint,
        "prompts/list": pageHint,
      },
    },
  );
  server.setRequestHandler("tools/list", () => ({
    tools: door.tools.current().map(({ risk, ...tool }) => ({
      ...tool,
      _meta: { "dev.countersign/risk": risk },
    })),
  }));

  server.setRequestHandler("tools/call", (request, ctx) =>
    door.road.answering(() => callTool(request, ctx)),
  );
  offerPages(server, door);
  offerPrompts(server, door.prompts);
  return server;

  async function callTool(
    { params }: CallToolRequest,
    ctx: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const client = clientFacts(server, ctx);
    const turn = turnOf(ctx);
    const request: CallRequest = {
      tool: params.name,
      arguments: params.arguments,
      principal: connection.principal,
      client: client.name,
      ...(turn !== undefined && { turn }),
      signal: ctx.mcpReq.signal,
    };
    const modern = connection.era === "modern";
    const state = modern ? ctx.mcpReq.requestState<string>() : undefined;
    const outcome =
      state === undefined
        ? await firstRound(door.road, request, ctx, modern, client.canElicit)
        : await withProgress(ctx, () => answerIn2026(door.road, request, state, ctx));
    return isInputRequiredResult(outcome) ? outcome : toResult(outcome, door.pageUrl);
  }
}

async function firstRound(
  road: ApprovalRoad,
  request: CallRequest,
  ctx: ServerContext,
  modern: boolean,
  canElicit: boolean,
): Promise<Outcome | InputRequiredResult> {
  const outcome = await road.calls.call(request);
  if (outcome.kind !== "waiting") return outcome;
  const { ticket } = outcome;
  road.watch.add(ticket.ticketId);
  const wasDeclined = ticket.status === "pending" && ticket.question?.answered === "elsewhere";
  if (!canElicit || wasDeclined || ticket.status !== "pending")
    return await withProgress(ctx, () => road.waitElsewhere(ticket, ctx));
  return await withProgress(ctx, () =>
    modern ? askIn2026(road, request, ticket, ctx) : askIn2025(road, request, ticket, ctx),
  );
}

/** The trace id of W3C Trace Context names the turn that a call belongs to, where the client sends one. */
function turnOf(ctx: ServerContext): string | undefined {
  const traceparent = ctx.mcpReq._meta?.[TRACEPARENT_META_KEY];
  return typeof traceparent === "string" ? traceparent.split("-")[1] : undefined;
}
