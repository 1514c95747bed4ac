import { type DecisionFacts, decide } from "../../src/core/policy/decide.ts";
import { compilePolicy } from "../../src/core/policy/policy.ts";
import type { Rule } from "../../src/core/policy/rules/rule.ts";

const rules = 100;
const decisions = 20_000;

/** Microseconds of single decisions about a call that a hundred rules of its tool are compared with, and the last covers. */
export function decisionTimes(): number[] {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const content = Array.from({ length: rules }, (_, index): Rule => ({
    ruleId: `rule-${index}`,
    tool: "write_file",
    principals: ["local", "alice"],
    when: {
      content: "any",
      encoding: { is: "utf-8" },
      mediaType: { oneOf: ["text/plain", "text/markdown"], orAbsent: true },
      ifMatch: "any",
      createOnly: { is: false },
      key: { under: `notes/${index}/` },
    },
    expiresAt,
    uses: 5,
    source: "file",
  }));
  const policy = compilePolicy({ rules: content });
  const ruleContext = { now: new Date(), similar: [], states: new Map() };
  const facts: DecisionFacts = { policy, risk: "high", afterUnknown: false, ruleContext };
  const key = `notes/${rules - 1}/a.md`;
  const args = { key, content: "x", encoding: "utf-8", mediaType: "text/plain", createOnly: false };
  const call = { tool: "write_file", principal: "local", client: "bench", args };
  const times: number[] = [];
  for (let count = 0; count < decisions; count += 1) {
    const before = performance.now();
    const { verdict } = decide(call, facts);
    times.push((performance.now() - before) * 1000);
    if (verdict !== "rule") throw new Error("The last rule covers it.");
  }
  return times;
}
