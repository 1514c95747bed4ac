import { approvalTimes } from "./approval.ts";
import { type AuditRecord, recordBestEffort } from "../audit/audit.ts";
import { storedDecision } from "./denial.ts";
import { channelNames } from "./directions.ts";
import { recordAutomaticPause } from "./pause.ts";
import { decisionOutcome, noteSentence } from "./request-check.ts";
import type { Decision, DecisionResult, Tickets } from "./ticket.ts";
import { ToolError } from "../tool/tool-error.ts";

/** A person's decision as an approval channel received it. */
export interface ChannelDecision extends Omit<Decision, "at"> {
  /** Hash of the question's state, for elicitations only. An answer with this hash counts once. */
  stateHash?: string;
}

/** Returns whether this approver may decide this caller's requests. `operator` decides all. */
export function mayDecide(approver: string, principal: string): boolean {
  return approver === "operator" || approver === principal;
}

/**
 * Records a decision of any approval channel. Channels never execute calls. The first decision wins, and a later one
 * gets `won: false` with the current request.
 * @throws ToolError `not_found`, or `forbidden` at a channel that the policy excludes and for an approval during a
 * pause
 */
export async function decideTicket(
  stores: { tickets: Tickets; audit: AuditRecord },
  ticketId: string,
  decision: ChannelDecision,
): Promise<DecisionResult> {
  const { stateHash, ...rest } = decision;
  const made = storedDecision(rest);
  await assertOpenTo(stores.tickets, ticketId, made);
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
      ...(made.note !== undefined && { sentence: noteSentence(made.note) }),
      outcome: decisionOutcome(made),
    });
    if (pause !== undefined) await recordAutomaticPause(stores.audit, pause);
  } else if (stateHash !== undefined && !(await stores.tickets.findQuestion(stateHash))) {
    // If another approval channel decided first, the request as it is now is returned.
    throw new ToolError(
      "conflict",
      "This answer was used before, came too late or belongs to another request. Nothing was decided.",
    );
  }
  return result;
}

async function assertOpenTo(
  tickets: Tickets,
  ticketId: string,
  { verdict, channel }: ChannelDecision,
): Promise<void> {
  const ticket = await tickets.find(ticketId);
  if (ticket?.status !== "pending") return;
  if (channel !== "rule" && !ticket.channels.includes(channel)) {
    throw new ToolError(
      "forbidden",
      `The policy does not allow this decision here (${channel}). Nothing was decided.`,
      {
        hint: `Approval channels that may: ${ticket.channels.map((each) => channelNames[each]).join(", ") || "none"}.`,
      },
    );
  }
  // An approval expires after ten minutes, so one given during a pause would usually expire before it could be used.
  if (verdict === "deny" || !(await tickets.pauseOf(ticket.principal))) return;
  throw new ToolError(
    "forbidden",
    "Everything that needs approval is paused. Nothing was decided.",
    {
      hint: "Resume first; the request stays open.",
    },
  );
}
