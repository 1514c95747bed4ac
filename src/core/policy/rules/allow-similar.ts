import { type AuditRecord, recordBestEffort } from "../../audit/audit.ts";
import { decideTicket } from "../../approvals/decide-ticket.ts";
import { randomId } from "../../shared/digest.ts";
import type { DecisionResult, ApprovalChannel, Ticket, Tickets } from "../../approvals/ticket.ts";
import type { RuleStore, SimilarRule } from "./rule-store.ts";
import { formatConditions, formatRule } from "./rule.ts";

/** Life of the rule: long enough for one task, short enough to be remembered. Milliseconds. */
const lastsMs = 15 * 60_000;
const uses = 5;

/**
 * Describes the further calls that "allow similar" would approve. Every approval channel shows this text beside its
 * button. Undefined unless the request is pending and its tool defines similar calls.
 */
export function formatSimilar(ticket: Ticket): string | undefined {
  if (ticket.status !== "pending" || ticket.similar === undefined) return undefined;
  return `For ${lastsMs / 60_000} minutes, up to ${uses} more calls of ${ticket.tool} by ${ticket.principal} run without your approval: ${formatConditions(ticket.similar)}.`;
}

export interface AllowedSimilar extends DecisionResult {
  /**
   * The new rule. Undefined if another decision came first or storing the rule failed. Then at most this request is
   * approved.
   */
  rule: SimilarRule | undefined;
}

/**
 * Approves the request and stores the narrowest rule for similar calls. Not possible from an elicitation, which is the
 * client program's claim.
 * @throws ToolError as `decideTicket` does
 */
export async function approveAndAllowSimilar(
  stores: { tickets: Tickets; audit: AuditRecord; rules: RuleStore },
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
    .add({ ...made, ticketId, channel, by, configHash }, lastsMs)
    // The approval remains valid. The approver is notified that the rule was not stored.
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
      sentence: `allowed similar calls: ${formatRule(rule)}`,
      outcome: `allow similar (${channel}, ${by})`,
    });
  }
  return { ...result, rule };
}
