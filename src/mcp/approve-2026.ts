import { type InputRequiredResult, inputRequired } from "@modelcontextprotocol/server";
import { approvalTimes } from "../core/approvals/approval.ts";
import type { CallRequest } from "../core/call/call.ts";
import type { Outcome } from "../core/call/outcome.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { Ticket } from "../core/approvals/ticket.ts";
import type { CallContext } from "./call-context.ts";
import type { ApprovalBroker } from "./approval-broker.ts";
import { newState, questionFor, readAnswer, stateHash } from "./question.ts";

/** The name of our question in `inputRequests` and `inputResponses`. */
const questionName = "approval";

/**
 * Asks in the 2026 era: the call ends with the question, and the client calls again with the answer. No timeout runs
 * in between.
 */
export async function askIn2026(
  broker: ApprovalBroker,
  request: CallRequest,
  ticket: Ticket,
  ctx: CallContext,
): Promise<Outcome | InputRequiredResult> {
  const state = newState();
  const hash = stateHash(state, request);
  if (!(await broker.tickets.putQuestion(ticket.ticketId, hash, approvalTimes.answerWithin))) {
    return await broker.wait(ticket, ctx);
  }
  return question(broker, ticket, state, request);
}

/**
 * Handles the answer. It counts only with an unused state that we issued for this caller, tool and arguments. Any other
 * state is a `conflict` and consumes nothing.
 */
export async function answerIn2026(
  broker: ApprovalBroker,
  request: CallRequest,
  state: string,
  ctx: CallContext,
): Promise<Outcome | InputRequiredResult> {
  const hash = answeredHash(state, request);
  const ticket = hash === undefined ? undefined : await broker.tickets.findQuestion(hash);
  if (hash === undefined || ticket === undefined) {
    const error = new ToolError(
      "conflict",
      "This answer was used before, came too late or belongs to another request. Nothing was done.",
      { hint: "Call the tool again without requestState." },
    );
    return { kind: "refused", error };
  }
  return await broker.calls.follow(ticket.ticketId, request, async () => {
    return await afterQuestion(broker, request, { ticket, hash, state }, ctx);
  });
}

async function afterQuestion(
  broker: ApprovalBroker,
  request: CallRequest,
  { ticket, hash, state }: { ticket: Ticket; hash: string; state: string },
  ctx: CallContext,
): Promise<Outcome | InputRequiredResult> {
  // Another approval channel decided first, so the ticket's present state is the outcome.
  if (ticket.status !== "pending")
    return await broker.calls.resume(ticket.ticketId, ctx.mcpReq.signal);
  const answer = readAnswer(ctx.mcpReq.inputResponses?.[questionName]);
  switch (answer) {
    case "elsewhere":
      await broker.tickets.closeQuestion(ticket.ticketId, hash);
      return await broker.waitElsewhere(ticket, ctx);
    case "none":
      // The question stays open and is asked once more. After a second time it is not asked again.
      if (await broker.tickets.repeatQuestion(ticket.ticketId, hash))
        return question(broker, ticket, state, request);
      await broker.tickets.closeQuestion(ticket.ticketId, hash);
      return await broker.waitElsewhere(ticket, ctx);
    default:
      return await broker.calls.resume(ticket.ticketId, ctx.mcpReq.signal, {
        ...answer,
        channel: "elicitation",
        by: `client ${request.client}`,
        stateHash: hash,
      });
  }
}

/**
 * Returns the hash of the answered question. Undefined for arguments that cannot be hashed, because no question had
 * such arguments.
 */
function answeredHash(state: string, request: CallRequest): string | undefined {
  try {
    return stateHash(state, request);
  } catch {
    return undefined;
  }
}

function question(
  { here }: ApprovalBroker,
  ticket: Ticket,
  requestState: string,
  { client }: CallRequest,
): InputRequiredResult {
  return inputRequired({
    inputRequests: { [questionName]: inputRequired.elicit(questionFor(ticket, here, client)) },
    requestState,
  });
}
