import type { Policy } from "./policy.ts";
import { type Risk, stricter } from "./risk.ts";
import type { CompiledRule } from "./rules/rule.ts";
import type { RuleState } from "./rules/rule-store.ts";

/** What is known of a call when it is decided. Nothing here comes from the model but the arguments. */
export interface DecisionCall {
  tool: string;
  principal: string;
  /** The client's own word for itself: it may only narrow. */
  client: string;
  args: Readonly<Record<string, unknown>>;
  /** The private contents that the text that leaves matches. */
  sources?: readonly string[];
}

export interface DecisionFacts {
  policy: Policy;
  /** As the tool declares or computed it; a `dynamic` tool counts as low until `prepare` has spoken. */
  risk: Risk;
  /** A risk that does not come from the tool, and why. */
  raised?: { risk: Risk; reason: string };
  /** True where an earlier run of the same call ended `unknown`: then no rule applies. */
  afterUnknown: boolean;
  /** How the rules stand; without it none is asked. */
  standing?: RuleContext;
}

export interface RuleContext {
  now: Date;
  /** Those that were made at an approval channel; the policy has its own. */
  similar: readonly CompiledRule[];
  /** By the key of each rule; a rule that is not there has not been used. */
  states: ReadonlyMap<string, RuleState>;
}

/** A rule that covers the call, as it is counted. */
export interface Covering {
  ruleId: string;
  key: string;
  uses: number;
  expiresAt: Date;
}

/**
 * `report`: run it and tell the user. `ask`: only a person lets it run. `rule`: a rule that the person wrote does, the first of
 * `rules` that still has a use when it is taken.
 */
export interface Decided {
  verdict: "run" | "report" | "ask" | "rule" | "forbid";
  risk: Risk;
  reasons: readonly string[];
  rules?: readonly Covering[];
}

/** The one place where it is decided whether a call runs, is reported, is asked about or is forbidden. Pure. */
export function decide(call: DecisionCall, facts: DecisionFacts): Decided {
  const view = facts.policy.viewOf(call.principal, call.client);
  const floor = view.floorOf(call.tool);
  const { raised } = facts;
  const risk = stricter(stricter(facts.risk, floor), raised?.risk ?? "low");
  const reasons = [`${call.tool} has risk ${facts.risk}`];
  if (raised !== undefined) reasons.push(`raised to ${raised.risk}: ${raised.reason}`);
  if (floor !== "low") reasons.push(`the policy's floor is ${floor}`);
  if (view.denies(call.tool)) {
    return { verdict: "forbid", risk, reasons: [...reasons, `the policy denies ${call.tool}`] };
  }
  switch (risk) {
    case "low":
      return { verdict: "run", risk, reasons };
    case "medium":
      return { verdict: "report", risk, reasons };
    case "high":
      if (facts.afterUnknown) {
        reasons.push("an earlier run of the same call ended unknown");
        return { verdict: "ask", risk, reasons };
      }
      return askOrRule(call, facts, risk, reasons);
  }
}

function askOrRule(
  call: DecisionCall,
  { policy, standing }: DecisionFacts,
  risk: Risk,
  reasons: readonly string[],
): Decided {
  if (standing === undefined) return { verdict: "ask", risk, reasons };
  const why = [...reasons];
  const rules: Covering[] = [];
  for (const rule of [...standing.similar, ...policy.rulesFor(call.tool)]) {
    if (!rule.covers(call)) continue;
    const { ruleId, key, uses, expiresAt } = rule;
    const over = endOf(rule, standing);
    why.push(`the rule ${ruleId} covers it${over === undefined ? "" : `, but ${over}`}`);
    if (over === undefined) rules.push({ ruleId, key, uses, expiresAt });
  }
  if (rules.length > 0) return { verdict: "rule", risk, reasons: why, rules };
  return { verdict: "ask", risk, reasons: why };
}

/** Why a rule approves nothing any more. */
export function endOf(rule: CompiledRule, { now, states }: RuleContext): string | undefined {
  const state = states.get(rule.key);
  if (state?.revoked !== undefined) return "it was revoked";
  if (now >= rule.expiresAt) return "its time is over";
  return (state?.used ?? 0) >= rule.uses ? "it is used up" : undefined;
}
