import {
  type InputRequiredResult,
  type ServerContext,
  inputRequired,
} from "@modelcontextprotocol/server";
import { approvalTimes } from "../core/approvals/approval.ts";
import type { CallRequest } from "../core/call/call.ts";
import type { Outcome } from "../core/call/outcome.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { Ticket } from "../core/approvals/ticket.ts";
import type { ApprovalFlow } from "./approval-road.ts";
import { newState, questionFor, readAnswer, stateHash } from "./question.ts";

/** The name of our one question in `inputRequests` and `inputResponses`. */
const questionName = "approval";

/**
 * The 2026 era: the call ends with the question, and the client calls again with the answer. The person thinks between two
 * requests, so no time-out runs.
 */
export async function askIn2026(
  road: ApprovalFlow,
  request: CallRequest,
  ticket: Ticket,
  ctx: ServerContext,
): Promise<Outcome | InputRequiredResult> {
  const state = newState();
  const hash = stateHash(state, request);
  if (!(await road.tickets.putQuestion(ticket.ticketId, hash, approvalTimes.answerWithin))) {
    return await road.wait(ticket, ctx);
  }
  return question(ticket, state);
}

/**
 * The answer round. Nothing is acted on without a state that we made, for this caller, tool and arguments, and that nobody
 * has used; any other is `conflict` and uses up nothing.
 */
export async function answerIn2026(
  road: ApprovalFlow,
  request: CallRequest,
  state: string,
  ctx: ServerContext,
): Promise<Outcome | InputRequiredResult> {
  const hash = answeredHash(state, request);
  const ticket = hash === undefined ? undefined : await road.tickets.findQuestion(hash);
  if (hash === undefined || ticket === undefined) {
    const error = new ToolError(
      "conflict",
      "This answer was used before, came too late or belongs to another request. Nothing was done.",
      { hint: "Call the tool again without requestState." },
    );
    return { kind: "refused", error };
  }
  // Another approval channel was faster: the answer decides nothing any more, the ticket as it stands is the outcome.
  if (ticket.status !== "pending")
    return await road.calls.resume(ticket.ticketId, ctx.mcpReq.signal);
  const answer = readAnswer(ctx.mcpReq.inputResponses?.[questionName]);
  switch (answer) {
    case "elsewhere":
      await road.tickets.closeQuestion(ticket.ticketId, hash);
      return await road.waitElsewhere(ticket, ctx);
    case "none":
      // The question stays open and is put once more. A client that answers nothing again would do so for ever.
      if (await road.tickets.repeatQuestion(ticket.ticketId, hash)) return question(ticket, state);
      await road.tickets.closeQuestion(ticket.ticketId, hash);
      return await road.waitElsewhere(ticket, ctx);
    default:
      return await road.calls.resume(ticket.ticketId, ctx.mcpReq.signal, {
        ...answer,
        channel: "elicitation",
        by: `client ${request.client}`,
        stateHash: hash,
      });
  }
}

/** Undefined for arguments that cannot be hashed, as half a character or what is nested too deeply: no question was about those. */
function answeredHash(state: string, request: CallRequest): string | undefined {
  try {
    return stateHash(state, request);
  } catch {
    return undefined;
  }
}

function question(ticket: Ticket, requestState: string): InputRequiredResult {
  return inputRequired({
    inputRequests: { [questionName]: inputRequired.elicit(questionFor(ticket)) },
    requestState,
  });
}
