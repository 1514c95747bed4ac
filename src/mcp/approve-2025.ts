import type { ServerContext } from "@modelcontextprotocol/server";
import type { CallRequest } from "../core/call/call.ts";
import type { Outcome } from "../core/call/outcome.ts";
import type { Ticket } from "../core/approvals/ticket.ts";
import type { ApprovalFlow } from "./approval-road.ts";
import { newState, questionFor, readAnswer, stateHash } from "./question.ts";

/**
 * How long a dialog may stay open. The person's time counts against the caller's time-out, which is 60 s in the SDKs and on
 * the Claude surfaces whatever is configured. Milliseconds.
 */
const dialogMs = 45_000;

/**
 * The 2025 era: the server asks while the call is open. The dialog races the ticket, so a decision at another approval channel completes
 * the call and closes the dialog; what the person answers here is taken once.
 */
export async function askIn2025(
  road: ApprovalFlow,
  request: CallRequest,
  ticket: Ticket,
  ctx: ServerContext,
): Promise<Outcome> {
  const hash = stateHash(newState(), request);
  if (!(await road.tickets.putQuestion(ticket.ticketId, hash, dialogMs))) {
    return await road.wait(ticket, ctx);
  }
  const dialog = new AbortController();
  const signal = AbortSignal.any([dialog.signal, ctx.mcpReq.signal]);
  const answered = ctx.mcpReq
    .elicitInput(questionFor(ticket), { signal, timeout: dialogMs + 1_000 })
    .then(readAnswer, () => "none" as const);
  const ended = road.watch
    .waitForEnd(ticket.ticketId, dialogMs, ctx.mcpReq.signal)
    .then(() => "ended" as const);
  const first = await Promise.race([answered, ended]);
  dialog.abort();
  switch (first) {
    case "elsewhere":
    case "none":
      await road.tickets.closeQuestion(ticket.ticketId, hash);
      // Waiting for another approval channel is part of the dialog's time: the caller's own limit does not start anew.
      return await road.waitElsewhere(ticket, ctx, ended);
    case "ended":
      return await road.calls.resume(ticket.ticketId, ctx.mcpReq.signal);
    default:
      return await road.calls.resume(ticket.ticketId, ctx.mcpReq.signal, {
        ...first,
        channel: "elicitation",
        by: `client ${request.client}`,
        stateHash: hash,
      });
  }
}
