import { type AuditLog, recordBestEffort } from "../../audit/audit.ts";
import { decideTicket } from "../../approvals/decide-ticket.ts";
import { randomId } from "../../shared/digest.ts";
import type { DecisionResult, ApprovalChannel, Ticket, Tickets } from "../../approvals/ticket.ts";
import type { RuleStore, SimilarRule } from "./rule-store.ts";
import { conditionsInWords, ruleInWords } from "./rule.ts";

/** Long enough for one piece of work, short enough to be remembered while it holds. Milliseconds. */
const lasts = 15 * 60_000;
const uses = 5;

/**
 * What "allow similar" would let run besides this request, for a person to read before they press it: every approval channel that offers
 * it shows these words. Undefined where it is not offered: the request does not wait, or its tool knows no similar calls.
 */
export function similarInWords(ticket: Ticket): string | undefined {
  if (ticket.status !== "pending" || ticket.similar === undefined) return undefined;
  return `For ${lasts / 60_000} minutes, up to ${uses} more calls of ${ticket.tool} by ${ticket.principal} run without asking you: ${conditionsInWords(ticket.similar)}.`;
}

export interface AllowedSimilar extends DecisionResult {
  /** Undefined where the decision did not count, or the rule could not be kept: then only this one request is approved. */
  rule: SimilarRule | undefined;
}

/**
 * "Allow similar": approves the request and keeps the narrowest rule for calls like it. Never from an elicitation, which is
 * the client program's word. Throws as `decideTicket` does.
 */
export async function approveAndAllowSimilar(
  stores: { tickets: Tickets; audit: AuditLog; rules: RuleStore },
  ticketId: string,
  { channel, by }: { channel: Exclude<ApprovalChannel, "rule" | "elicitation">; by: string },
): Promise<AllowedSimilar> {
  const before = await stores.tickets.find(ticketId);
  const similar = before?.status === "pending" ? before.similar : undefined;
  const result = await decideTicket(stores, ticketId, { verdict: "approve", channel, by });
  const { ticket, won } = result;
  if (!won || similar === undefined) return { ...result, rule: undefined };
  const { tool, principal, configHash } = ticket;
  const made = { ruleId: randomId("ru"), tool, principals: [principal], when: similar, uses };
  const rule = await stores.rules
    .add({ ...made, ticketId, channel, by, configHash }, lasts)
    // What was approved stays approved: whoever decided is told that there is no rule.
    .catch(() => undefined);
  if (rule !== undefined) {
    await recordBestEffort(stores.audit, {
      type: "decided",
      at: new Date(),
      callId: rule.ruleId,
      ticketId,
      principal,
      client: ticket.client,
      tool,
      sentence: `allowed similar calls: ${ruleInWords(rule)}`,
      outcome: `allow similar (${channel}, ${by})`,
    });
  }
  return { ...result, rule };
}
