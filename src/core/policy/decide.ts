import type { Policy } from "./policy.ts";
import { type Risk, stricter } from "./risk.ts";
import type { CompiledRule } from "./rules/rule.ts";
import type { RuleState } from "./rules/rule-store.ts";

/** The facts of a call when it is decided. Only the arguments come from the model. */
export interface DecisionCall {
  tool: string;
  principal: string;
  /** The name that the client chose for itself. It may therefore only narrow the policy. */
  client: string;
  args: Readonly<Record<string, unknown>>;
  /** The private items that the outgoing text matches. */
  sources?: readonly string[];
}

export interface DecisionFacts {
  policy: Policy;
  /** The risk that the tool declares or computed. A `dynamic` tool counts as low until `prepare` has run. */
  risk: Risk;
  /** A risk from another cause than the tool, and its reason. */
  raised?: { risk: Risk; reason: string };
  /** True if an earlier run of the same call ended `unknown`. Then rules do not apply. */
  afterUnknown: boolean;
  /** Why only a person may decide. Then rules do not apply either. */
  onlyPerson?: string | undefined;
  /** The current rules and the number of their uses. If absent, rules are not consulted. */
  ruleContext?: RuleContext;
}

export interface RuleContext {
  now: Date;
  /** Rules made at an approval channel. The policy has its own. */
  similar: readonly CompiledRule[];
  /** Keyed by `ruleKey`. A missing rule has not been used. */
  states: ReadonlyMap<string, RuleState>;
}

/** A rule that covers the call, with its key for counting uses. */
export interface Covering {
  ruleId: string;
  key: string;
  uses: number;
  expiresAt: Date;
}

/**
 * `report`: run the call and report it to the user. `ask`: a person decides. `rule`: the first of `rules` with a use
 * left approves the call.
 */
export interface Decided {
  verdict: "run" | "report" | "ask" | "rule" | "forbid";
  risk: Risk;
  reasons: readonly string[];
  rules?: readonly Covering[];
}

/** Decides whether a call runs, is reported, needs approval or is forbidden. The only place for that decision. */
export function decide(call: DecisionCall, facts: DecisionFacts): Decided {
  const effective = facts.policy.effectiveFor(call.principal, call.client);
  const floor = effective.floorOf(call.tool);
  const { raised } = facts;
  const risk = stricter(stricter(facts.risk, floor), raised?.risk ?? "low");
  const reasons = [`${call.tool} has risk ${facts.risk}`];
  if (raised !== undefined) reasons.push(`raised to ${raised.risk}: ${raised.reason}`);
  if (floor !== "low") reasons.push(`the policy's floor is ${floor}`);
  if (effective.denies(call.tool)) {
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
      if (facts.onlyPerson !== undefined) {
        reasons.push(`no rule covers it: ${facts.onlyPerson}`);
        return { verdict: "ask", risk, reasons };
      }
      return askOrRule(call, facts, risk, reasons);
  }
}

function askOrRule(
  call: DecisionCall,
  { policy, ruleContext }: DecisionFacts,
  risk: Risk,
  reasons: readonly string[],
): Decided {
  if (ruleContext === undefined) return { verdict: "ask", risk, reasons };
  const why = [...reasons];
  const rules: Covering[] = [];
  for (const rule of [...ruleContext.similar, ...policy.rulesFor(call.tool)]) {
    if (!rule.covers(call)) continue;
    const { ruleId, key, uses, expiresAt } = rule;
    const over = endOf(rule, ruleContext);
    why.push(`the rule ${ruleId} covers it${over === undefined ? "" : `, but ${over}`}`);
    if (over === undefined) rules.push({ ruleId, key, uses, expiresAt });
  }
  if (rules.length > 0) return { verdict: "rule", risk, reasons: why, rules };
  return { verdict: "ask", risk, reasons: why };
}

/** Returns why a rule no longer approves calls, or undefined if it still does. */
export function endOf(rule: CompiledRule, { now, states }: RuleContext): string | undefined {
  const state = states.get(rule.key);
  if (state?.revoked !== undefined) return "it was revoked";
  if (now >= rule.expiresAt) return "it has expired";
  return (state?.used ?? 0) >= rule.uses ? "it is used up" : undefined;
}
