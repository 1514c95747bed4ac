import { approvalTimes } from "./approval.ts";
import { type AuditLog, recordBestEffort } from "../audit/audit.ts";
import { withoutIdleWords } from "./denial.ts";
import { pauseOnRecord } from "./pause.ts";
import type { Decision, DecisionResult, Tickets } from "./ticket.ts";
import { ToolError } from "../tool/tool-error.ts";

/** A person's decision as an approval channel received it. */
export interface ChannelDecision extends Omit<Decision, "at"> {
  /** Only for an elicitation: the hash of the question's state, which makes the answer count once. */
  stateHash?: string;
}

/** May this approver decide this principal's requests? `operator` decides all (PRODUCT section 1). */
export function mayDecide(approver: string, principal: string): boolean {
  return approver === "operator" || approver === principal;
}

/**
 * The one place where an approval channel's decision is taken. Approval channels decide and never execute. The first decision wins; losing is told by
 * `won: false` and the ticket as it stands. Throws `not_found`, and `forbidden` at an approval channel that the policy leaves out, and for
 * an approval while everything is paused.
 */
export async function decideTicket(
  stores: { tickets: Tickets; audit: AuditLog },
  ticketId: string,
  decision: ChannelDecision,
): Promise<DecisionResult> {
  const { stateHash, ...rest } = decision;
  const made = withoutIdleWords(rest);
  await mustBeOpenTo(stores.tickets, ticketId, made);
  const result = await stores.tickets.decide(ticketId, made, approvalTimes.runWithin, stateHash);
  const { ticket, won, pause } = result;
  if (won) {
    await recordBestEffort(stores.audit, {
      type: "decided",
      at: new Date(),
      callId: ticket.ticketId,
      ticketId: ticket.ticketId,
      principal: ticket.principal,
      client: ticket.client,
      tool: ticket.tool,
      risk: ticket.risk,
      digest: ticket.digest,
      ...(made.note !== undefined && { sentence: `said to the assistant: "${made.note}"` }),
      outcome: `${made.mayAskAgain ? "deny, may ask again" : made.verdict} (${made.channel}, ${made.by})`,
    });
    if (pause !== undefined) await pauseOnRecord(stores.audit, pause);
  } else if (stateHash !== undefined && !(await stores.tickets.findQuestion(stateHash))) {
    // A question that is still unanswered lost to another approval channel: then the request as it stands is the answer.
    throw new ToolError(
      "conflict",
      "This answer was used before, came too late or belongs to another request. Nothing was decided.",
    );
  }
  return result;
}

async function mustBeOpenTo(
  tickets: Tickets,
  ticketId: string,
  { verdict, channel }: ChannelDecision,
): Promise<void> {
  const ticket = await tickets.find(ticketId);
  if (ticket?.status !== "pending") return;
  if (channel !== "rule" && !ticket.channels.includes(channel)) {
    throw new ToolError(
      "forbidden",
      `The policy does not let this be decided here (${channel}). Nothing was decided.`,
      { hint: `Approval channels that may: ${ticket.channels.join(", ") || "none"}.` },
    );
  }
  // An approval holds for ten minutes: given while nothing may run, it would mostly be over before it counts.
  if (verdict === "deny" || !(await tickets.pauseOf(ticket.principal))) return;
  throw new ToolError(
    "forbidden",
    "Everything that needs approval is paused. Nothing was decided.",
    {
      hint: "Resume first; the request stays open.",
    },
  );
}
