import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type Server,
  TRACEPARENT_META_KEY,
  isInputRequiredResult,
} from "@modelcontextprotocol/server";
import type { CallRequest } from "../core/call/call.ts";
import { cancellationOf } from "../core/call/caller-stop.ts";
import type { Outcome } from "../core/call/outcome.ts";
import type { CallContext } from "./call-context.ts";
import type { ApprovalBroker } from "./approval-broker.ts";
import { askIn2025 } from "./approve-2025.ts";
import { answerIn2026, askIn2026 } from "./approve-2026.ts";
import { type ClientFacts, clientFacts } from "./client.ts";
import { formFor } from "./known-clients.ts";
import { withLost } from "./lost-arguments.ts";
import { type CallProgress, progressTo, whileWaiting } from "./progress.ts";
import { toResult } from "./result.ts";

/** One `tools/call` as a server of either era received it. */
export interface ReceivedCall {
  server: Server;
  era: "modern" | "legacy";
  principal: string;
  /** True for tokens that are limited to tools of low risk. */
  lowRiskOnly?: boolean | undefined;
  params: CallToolRequest["params"];
  ctx: CallContext;
  /** True if a resource read made this call. In the 2026 era a question about it could not be answered. */
  isResource?: boolean;
}

/**
 * Runs a call through the pipeline. If it waits for a person, the response follows the protocol of its era.
 * @param pageUrl the address where people sign in to decide, over HTTP
 */
export async function callTool(
  broker: ApprovalBroker,
  { server, era, principal, lowRiskOnly = false, params, ctx, isResource = false }: ReceivedCall,
  pageUrl?: string,
): Promise<CallToolResult | InputRequiredResult> {
  const client = clientFacts(server, ctx);
  const turn = turnOf(ctx);
  const progress = progressTo(ctx);
  const request: CallRequest = {
    tool: params.name,
    arguments: withLost(params.arguments, ctx.mcpReq._meta),
    principal,
    client: client.name,
    ...(turn !== undefined && { turn }),
    ...(lowRiskOnly && { lowRiskOnly }),
    signal: ctx.mcpReq.cancellation ?? cancellationOf(ctx.mcpReq.signal),
    progress: progress?.tell,
  };
  const modern = era === "modern";
  // A second round continues a request that needed approval, which low-risk calls never have.
  const state = modern && !lowRiskOnly ? ctx.mcpReq.requestState?.<string>() : undefined;
  const outcome =
    state === undefined
      ? await firstRound(broker, request, ctx, {
          progress,
          modern,
          client,
          mayAsk: !(modern && isResource),
        })
      : await whileWaiting(progress, () => answerIn2026(broker, request, state, ctx));
  if (isInputRequiredResult(outcome)) return outcome;
  const form = isResource ? "raw" : formFor(server, ctx);
  const result = toResult(outcome, { outputOf: broker.calls.outputOf, form, pageUrl });
  return knowsLinks(server, modern) ? result : withoutLinks(result);
}

/** Returns whether the client supports resource links (since 2025-06-18). Older clients reject a result with them. */
function knowsLinks(server: Server, modern: boolean): boolean {
  return modern || (server.getNegotiatedProtocolVersion() ?? "") >= "2025-06-18";
}

function withoutLinks(result: CallToolResult): CallToolResult {
  return { ...result, content: result.content.filter(({ type }) => type !== "resource_link") };
}

async function firstRound(
  broker: ApprovalBroker,
  request: CallRequest,
  ctx: CallContext,
  {
    progress,
    modern,
    client,
    mayAsk,
  }: {
    progress: CallProgress | undefined;
    modern: boolean;
    client: ClientFacts;
    mayAsk: boolean;
  },
): Promise<Outcome | InputRequiredResult> {
  const outcome = await broker.calls.call(request);
  if (outcome.kind !== "waiting") return outcome;
  const { ticket } = outcome;
  broker.watch.add(ticket.ticketId);
  const wasDeclined = ticket.status === "pending" && ticket.question?.answered === "elsewhere";
  const asks = mayAsk && client.canElicit && ticket.channels.includes("elicitation");
  return await broker.calls.follow(ticket.ticketId, request, async () => {
    if (!asks || wasDeclined || ticket.status !== "pending")
      return await whileWaiting(progress, () => broker.waitElsewhere(ticket, ctx));
    await broker.orderChannels(client, ticket);
    return await whileWaiting(progress, () =>
      modern ? askIn2026(broker, request, ticket, ctx) : askIn2025(broker, request, ticket, ctx),
    );
  });
}

/** W3C Trace Context, section 3.2: version, trace id, parent id, flags, and additions of later versions. */
const traceparentForm =
  /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/;

/** Returns the trace id, which identifies the call's turn. Undefined for another form. */
function turnOf(ctx: CallContext): string | undefined {
  const traceparent = ctx.mcpReq._meta?.[TRACEPARENT_META_KEY];
  return typeof traceparent === "string" ? traceparentForm.exec(traceparent)?.[1] : undefined;
}
