import type { CallRequest } from "../core/call/call.ts";
import type { Outcome } from "../core/call/outcome.ts";
import type { Ticket } from "../core/approvals/ticket.ts";
import type { CallContext } from "./call-context.ts";
import type { ApprovalBroker } from "./approval-broker.ts";
import { newState, questionFor, readAnswer, stateHash } from "./question.ts";

/**
 * How long a dialog may stay open. The person's time is part of the client's timeout, which is 60 s in the SDKs and in
 * Claude clients. Milliseconds.
 */
const dialogMs = 45_000;

/**
 * Asks in the 2025 era: the server shows a dialog during the call. A decision in another approval channel completes the
 * call and closes the dialog. An answer in the dialog counts once.
 */
export async function askIn2025(
  broker: ApprovalBroker,
  request: CallRequest,
  ticket: Ticket,
  ctx: CallContext,
): Promise<Outcome> {
  const hash = stateHash(newState(), request);
  if (!(await broker.tickets.putQuestion(ticket.ticketId, hash, dialogMs))) {
    return await broker.wait(ticket, ctx);
  }
  const dialog = new AbortController();
  const signal = AbortSignal.any([dialog.signal, ctx.mcpReq.signal]);
  const answered = ctx.mcpReq
    .elicitInput(questionFor(ticket, broker.here, request.client), {
      signal,
      timeout: dialogMs + 1_000,
    })
    .then(readAnswer, () => "none" as const);
  const ended = broker.watch
    .waitForEnd(ticket.ticketId, dialogMs, ctx.mcpReq.signal)
    .then(() => "ended" as const);
  const first = await Promise.race([answered, ended]);
  dialog.abort();
  switch (first) {
    case "elsewhere":
    case "none":
      await broker.tickets.closeQuestion(ticket.ticketId, hash);
      // Waiting for another approval channel is part of the dialog's time, so the caller's own limit does not start
      // again.
      return await broker.waitElsewhere(ticket, ctx, ended);
    case "ended":
      return await broker.calls.resume(ticket.ticketId, ctx.mcpReq.signal);
    default:
      return await broker.calls.resume(ticket.ticketId, ctx.mcpReq.signal, {
        ...first,
        channel: "elicitation",
        by: `client ${request.client}`,
        stateHash: hash,
      });
  }
}
