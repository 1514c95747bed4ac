import { describe, expect, it } from "vitest";
import { decide } from "../../src/core/policy/decide.ts";
import { mayDecide } from "../../src/core/approvals/decide-ticket.ts";
import { type PolicyContent, compilePolicy, defaultPolicy } from "../../src/core/policy/policy.ts";
import type { Risk } from "../../src/core/policy/risk.ts";

const call = { tool: "write_file", principal: "local", client: "any", args: { key: "a" } };

function decided(risk: Risk, content: PolicyContent = {}, afterUnknown = false) {
  return decide(call, { policy: compilePolicy(content), risk, afterUnknown });
}

describe("the decision on a call", () => {
  it.each([
    ["[risk.low-runs] low runs immediately", "low", "run"],
    ["[risk.medium-reports] medium runs and is reported", "medium", "report"],
    ["[risk.high-asks] high is asked about", "high", "ask"],
  ] as const)("follows the risk: %s", (_name, risk, verdict) => {
    expect(decided(risk)).toMatchObject({ verdict, risk });
  });

  it("gives its reasons", () => {
    expect(decided("high").reasons).toEqual(["write_file has risk high"]);
  });

  it("is stricter if the policy's floor is higher, and names the floor", () => {
    const riskFloors = { write_file: "high" } as const;
    expect(decided("low", { riskFloors })).toEqual({
      verdict: "ask",
      risk: "high",
      reasons: ["write_file has risk low", "the policy's floor is high"],
    });
  });

  it("is never less strict because of a floor", () => {
    expect(decided("high", { riskFloors: { write_file: "medium" } }).verdict).toBe("ask");
  });

  it("is not affected by another tool's floor", () => {
    expect(decided("low", { riskFloors: { delete_file: "high" } }).verdict).toBe("run");
  });

  it.each(["low", "medium", "high"] as const)("forbids a denied tool of risk %s", (risk) => {
    const { verdict, reasons } = decided(risk, { deny: ["write_file"] });
    expect(verdict).toBe("forbid");
    expect(reasons).toContain("the policy denies write_file");
  });

  it("mentions an earlier run that ended unknown", () => {
    const { verdict, reasons } = decided("high", {}, true);
    expect(verdict).toBe("ask");
    expect(reasons).toContain("an earlier run of the same call ended unknown");
  });

  it("is a person's if no rule may cover the call", () => {
    const rule = { ruleId: "all", tool: "write_file", principals: ["local"], uses: 9 };
    const expiresAt = new Date("2026-04-01T00:00:00Z");
    const rules = [{ ...rule, when: { key: "any" as const }, expiresAt, source: "file" as const }];
    const now = new Date("2026-03-01T00:00:00Z");
    const ruleContext = { now, similar: [], states: new Map() };
    const policy = compilePolicy({ rules });
    const facts = { policy, risk: "high", afterUnknown: false, ruleContext } as const;
    expect(decide(call, facts).verdict).toBe("rule");
    const { verdict, reasons } = decide(call, { ...facts, onlyPerson: "it is full" });
    expect(verdict).toBe("ask");
    expect(reasons).toContain("no rule covers it: it is full");
  });

  it("does not depend on the client's name", () => {
    const facts = { policy: defaultPolicy, risk: "high", afterUnknown: false } as const;
    for (const client of ["Claude", "countersign", "operator", ""]) {
      expect(decide({ ...call, client }, facts).verdict).toBe("ask");
    }
  });
});

describe("an approver [approvers.scope]", () => {
  it("decides only the requests of the principal with its name", () => {
    expect(mayDecide("alice", "alice")).toBe(true);
    expect(mayDecide("alice", "bob")).toBe(false);
    expect(mayDecide("alice", "local")).toBe(false);
  });

  it("decides all requests as operator", () => {
    expect(mayDecide("operator", "alice")).toBe(true);
    expect(mayDecide("operator", "local")).toBe(true);
  });
});
