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
import type { Listing } from "../core/catalog.ts";
import { type ApprovalRoad, withProgress } from "./approval-road.ts";
import { askIn2025 } from "./approve-2025.ts";
import { answerIn2026, askIn2026 } from "./approve-2026.ts";
import { clientFacts } from "./client.ts";
import { toResult } from "./result.ts";

/** How long a client may keep the tool list: it changes only with the settings. Milliseconds. */
const listTtlMs = 60_000;

export interface McpDoor {
  version: string;
  instructions: string;
  listings: readonly Listing[];
  road: ApprovalRoad;
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
      capabilities: { tools: {} },
      instructions: door.instructions,
      cacheHints: { "tools/list": { ttlMs: listTtlMs, cacheScope: "private" } },
    },
  );
  server.setRequestHandler("tools/list", () => ({
    tools: door.listings.map(({ risk, ...tool }) => ({
      ...tool,
      _meta: { "dev.countersign/risk": risk },
    })),
  }));

  server.setRequestHandler("tools/call", (request, ctx) =>
    door.road.answering(() => callTool(request, ctx)),
  );
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
    return finished(
      state === undefined
        ? await firstRound(door.road, request, ctx, modern, client.canElicit)
        : await withProgress(ctx, () => answerIn2026(door.road, request, state, ctx)),
    );
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

function finished(outcome: Outcome | InputRequiredResult): CallToolResult | InputRequiredResult {
  return isInputRequiredResult(outcome) ? outcome : toResult(outcome);
}

/** The trace id of W3C Trace Context names the turn that a call belongs to, where the client sends one. */
function turnOf(ctx: ServerContext): string | undefined {
  const traceparent = ctx.mcpReq._meta?.[TRACEPARENT_META_KEY];
  return typeof traceparent === "string" ? traceparent.split("-")[1] : undefined;
}
