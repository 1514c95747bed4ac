import { type InputRequiredResult, inputRequired } from "@modelcontextprotocol/server";
import { approvalTimes } from "../core/approvals/approval.ts";
import type { CallRequest } from "../core/call/call.ts";
import type { Outcome } from "../core/call/outcome.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { Ticket } from "../core/approvals/ticket.ts";
import type { CallContext } from "./call-context.ts";
import type { ApprovalFlow } from "./approval-flow.ts";
import { newState, questionFor, readAnswer, stateHash } from "./question.ts";

/** The name of our question in `inputRequests` and `inputResponses`. */
const questionName = "approval";

/**
 * Asks in the 2026 era: the call ends with the question, and the client calls again with the answer. No timeout runs
 * in between.
 */
export async function askIn2026(
  flow: ApprovalFlow,
  request: CallRequest,
  ticket: Ticket,
  ctx: CallContext,
): Promise<Outcome | InputRequiredResult> {
  const state = newState();
  const hash = stateHash(state, request);
  if (!(await flow.tickets.putQuestion(ticket.ticketId, hash, approvalTimes.answerWithin))) {
    return await flow.wait(ticket, ctx);
  }
  return question(flow, ticket, state, request);
}

/**
 * Handles the answer. It counts only with an unused state that we issued for this caller, tool and arguments. Any other
 * state is a `conflict` and consumes nothing.
 */
export async function answerIn2026(
  flow: ApprovalFlow,
  request: CallRequest,
  state: string,
  ctx: CallContext,
): Promise<Outcome | InputRequiredResult> {
  const hash = answeredHash(state, request);
  const ticket = hash === undefined ? undefined : await flow.tickets.findQuestion(hash);
  if (hash === undefined || ticket === undefined) {
    const error = new ToolError(
      "conflict",
      "This answer was used before, came too late or belongs to another request. Nothing was done.",
      { hint: "Call the tool again without requestState." },
    );
    return { kind: "refused", error };
  }
  return await flow.calls.follow(ticket.ticketId, request, async () => {
    return await afterQuestion(flow, request, { ticket, hash, state }, ctx);
  });
}

async function afterQuestion(
  flow: ApprovalFlow,
  request: CallRequest,
  { ticket, hash, state }: { ticket: Ticket; hash: string; state: string },
  ctx: CallContext,
): Promise<Outcome | InputRequiredResult> {
  // Another approval channel decided first, so the ticket's present state is the outcome.
  if (ticket.status !== "pending")
    return await flow.calls.resume(ticket.ticketId, ctx.mcpReq.signal);
  const answer = readAnswer(ctx.mcpReq.inputResponses?.[questionName]);
  switch (answer) {
    case "elsewhere":
      await flow.tickets.closeQuestion(ticket.ticketId, hash);
      return await flow.waitElsewhere(ticket, ctx);
    case "none":
      // The question stays open and is asked once more. After a second time it is not asked again.
      if (await flow.tickets.repeatQuestion(ticket.ticketId, hash))
        return question(flow, ticket, state, request);
      await flow.tickets.closeQuestion(ticket.ticketId, hash);
      return await flow.waitElsewhere(ticket, ctx);
    default:
      return await flow.calls.resume(ticket.ticketId, ctx.mcpReq.signal, {
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
  { here }: ApprovalFlow,
  ticket: Ticket,
  requestState: string,
  { client }: CallRequest,
): InputRequiredResult {
  return inputRequired({
    inputRequests: { [questionName]: inputRequired.elicit(questionFor(ticket, here, client)) },
    requestState,
  });
}
