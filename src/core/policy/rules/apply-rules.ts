import type { AuditRecord } from "../../audit/audit.ts";
import {
  type Covering,
  type Decided,
  type DecisionCall,
  type DecisionFacts,
  decide,
} from "../decide.ts";
import { decideTicket } from "../../approvals/decide-ticket.ts";
import type { Ticket, Tickets } from "../../approvals/ticket.ts";
import type { RuleStore } from "./rule-store.ts";
import { compileRule } from "./rule.ts";

/** Decides with the current rules for this tool: those of the policy and those made at an approval channel. */
export async function decideWithRules(
  store: RuleStore,
  call: DecisionCall,
  facts: Omit<DecisionFacts, "ruleContext">,
  configHash: string,
): Promise<Decided> {
  const { tool, principal } = call;
  const similar = (await store.list({ tool, principal, configHash })).map(compileRule);
  const keys = [...similar, ...facts.policy.rulesFor(tool)].map(({ key }) => key);
  const ruleContext = { now: new Date(), similar, states: await store.states(keys) };
  return decide(call, { ...facts, ruleContext });
}

/**
 * Lets a rule that covers the call approve a newly opened request. As after a person's approval, the decision is
 * audited, and the call runs and is delivered at most once. A rule's use is counted before the approval. If the process
 * dies between the two, the use is lost and the request waits for the person. During a pause rules are not consulted.
 */
export async function decideByRule(
  stores: { tickets: Tickets; audit: AuditRecord; rules: RuleStore },
  ticket: Ticket,
  covering: readonly Covering[],
): Promise<Ticket> {
  if (covering.length === 0 || (await stores.tickets.pauseOf(ticket.principal))) return ticket;
  for (const rule of covering) {
    if (!(await stores.rules.use(rule))) continue;
    const decision = { verdict: "approve", channel: "rule", by: rule.ruleId } as const;
    return (await decideTicket(stores, ticket.ticketId, decision)).ticket;
  }
  return ticket;
}
