import type { Policy } from "./policy.ts";
import { type Risk, stricter } from "./risk.ts";

/** What is known of a call when it is decided. Nothing here comes from the model but the arguments. */
export interface DecisionCall {
  tool: string;
  principal: string;
  /** The client's own word for itself: it may only narrow. */
  client: string;
  args: Readonly<Record<string, unknown>>;
}

export interface DecisionFacts {
  policy: Policy;
  /** As the tool declares or computed it; a `dynamic` tool counts as low until `prepare` has spoken. */
  risk: Risk;
  /** True where an earlier run of the same call ended `unknown`: then no rule applies. */
  afterUnknown: boolean;
}

/** `report`: run it and tell the user. `ask`: only a person, or a rule that the person wrote, lets it run. */
export interface Decided {
  verdict: "run" | "report" | "ask" | "forbid";
  risk: Risk;
  reasons: readonly string[];
}

/** The one place where it is decided whether a call runs, is reported, is asked about or is forbidden. Pure. */
export function decide(call: DecisionCall, facts: DecisionFacts): Decided {
  const floor = facts.policy.riskFloors[call.tool] ?? "low";
  const risk = stricter(facts.risk, floor);
  const reasons = [`${call.tool} has risk ${facts.risk}`];
  if (floor !== "low") reasons.push(`the policy's floor is ${floor}`);
  if (facts.policy.denied.includes(call.tool)) {
    return { verdict: "forbid", risk, reasons: [...reasons, `the policy denies ${call.tool}`] };
  }
  switch (risk) {
    case "low":
      return { verdict: "run", risk, reasons };
    case "medium":
      return { verdict: "report", risk, reasons };
    case "high":
      if (facts.afterUnknown) reasons.push("an earlier run of the same call ended unknown");
      return { verdict: "ask", risk, reasons };
  }
}
