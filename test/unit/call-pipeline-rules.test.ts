import { beforeEach, describe, expect, it } from "vitest";
import { approvalTimes } from "../../src/core/approvals/approval.ts";
import { compilePolicy } from "../../src/core/policy/policy.ts";
import {
  approveAndAllowSimilar,
  formatSimilar,
} from "../../src/core/policy/rules/allow-similar.ts";
import { everybody } from "../../src/core/approvals/ticket.ts";
import type { Rule } from "../../src/core/policy/rules/rule.ts";
import { approve, deny } from "../contract/ticket-fixtures.ts";
import {
  asked,
  audit,
  call,
  calls,
  done,
  pass,
  refused,
  reset,
  resume,
  seesVersion,
  type Spec,
  settings,
  steps,
  tool,
  use,
} from "./call-pipeline-world.ts";

const rule: Rule = {
  ruleId: "letters",
  tool: "act",
  principals: ["local"],
  when: { key: { oneOf: ["a", "b", "c", "d"] }, mode: "any", extra: "absent" },
  expiresAt: new Date(Date.now() + 3_600_000),
  uses: 2,
  source: "file",
};

function useRules(...rules: Partial<Rule>[]): void {
  settings.policy = () => compilePolicy({ rules: rules.map((fields) => ({ ...rule, ...fields })) });
  use(tool("act", { ...seesVersion, similar: () => ({ key: "any", mode: "any", extra: "any" }) }));
}

const decisions = (): (string | undefined)[] =>
  audit.events.filter(({ type }) => type === "decided").map(({ outcome }) => outcome);

describe("a standing rule [rules.ticket]", () => {
  beforeEach(() => {
    reset();
    // The store's clock and the rules' are one here.
    pass(Date.now() - Date.parse("2026-03-01T12:00:00Z"));
  });

  it("does not cover a call that only a person may decide, and the run knows who decided", async () => {
    const decided: unknown[] = [];
    const full: Partial<Spec> = {
      ...seesVersion,
      prepare: async ({ extra }) => ({
        version: "v1",
        ...(extra === undefined && { onlyPerson: "it is full" }),
      }),
      execute: async ({ key }, { isDecided }) => {
        decided.push(isDecided);
        return { ok: true as const, key };
      },
    };
    useRules({ when: { key: "any", mode: "any", extra: "any" } });
    use(tool("act", full));
    await resume(await asked("act"), approve);
    await call("act", { key: "a", extra: "fits" });
    expect(decided).toEqual([true, false]);
  });

  it("allows a covered call through a request of its own, on record, once, and reported", async () => {
    useRules({});
    expect(await call("act")).toEqual({
      ...done(),
      tool: "act",
      text: { facts: "did a" },
      report: "did a",
    });
    expect(steps).toEqual([
      "ticket",
      "budget high",
      "prepare a",
      "durable asked",
      "durable decided",
      "claim",
      "durable started",
      "execute a safe v1",
      "note finished ok",
    ]);
    expect(decisions()).toEqual(["approve (rule, letters)"]);
    const [ticket] = await settings.tickets.list({ limit: 5 });
    expect(ticket).toMatchObject({
      status: "done",
      delivered: true,
      decision: { channel: "rule" },
    });
  });

  it("approves as often as declared, and then the person is asked", async () => {
    useRules({});
    await call("act", { key: "a" });
    await call("act", { key: "b" });
    expect((await call("act", { key: "c" })).kind).toBe("waiting");
    expect(decisions()).toHaveLength(2);
  });

  it("never approves more often, however many calls arrive at the same time", async () => {
    useRules({});
    const outcomes = await Promise.all(["a", "b", "c", "d"].map((key) => call("act", { key })));
    expect(outcomes.filter(({ kind }) => kind === "done")).toHaveLength(2);
    expect(outcomes.filter(({ kind }) => kind === "waiting")).toHaveLength(2);
  });

  it("is used once by simultaneous identical calls, which join", async () => {
    useRules({});
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => call("act")));
    expect(outcomes.map(({ kind }) => kind)).toContain("done");
    expect(decisions()).toHaveLength(1);
    expect(steps.filter((step) => step.startsWith("execute"))).toHaveLength(1);
  });

  it("is skipped when it is used up, in favour of the next that covers the call", async () => {
    useRules({ ruleId: "first", uses: 1 }, { ruleId: "second" });
    await call("act", { key: "a" });
    await call("act", { key: "b" });
    expect(decisions()).toEqual(["approve (rule, first)", "approve (rule, second)"]);
  });

  it.each<[string, Partial<Rule>]>([
    ["of another principal", { principals: ["alice"] }],
    ["whose time is over", { expiresAt: new Date("2020-01-01T00:00:00Z") }],
    ["with another condition", { when: { ...rule.when, key: { is: "z" } } }],
    ["of another tool", { tool: "other" }],
  ])("approves nothing %s", async (_what, fields) => {
    useRules(fields);
    expect((await call("act")).kind).toBe("waiting");
    expect(decisions()).toEqual([]);
  });

  it("ignores the client's name", async () => {
    useRules({ principals: ["alice"] });
    const request = { tool: "act", arguments: { key: "a" }, principal: "local" };
    const signal = new AbortController().signal;
    expect((await calls.call({ ...request, client: "alice", signal })).kind).toBe("waiting");
  });

  it("approves nothing after an unknown run of the same call", async () => {
    useRules({});
    use(tool("act", { ...seesVersion, execute: () => Promise.reject(new Error("gone")) }));
    expect(refused(await call("act")).sideEffects).toBe("unknown");
    const again = await call("act");
    expect(again.kind).toBe("waiting");
    expect(decisions()).toHaveLength(1);
  });

  it("approves nothing after an unknown run, even if the next request was not approved [tickets.unknown-leads]", async () => {
    useRules({});
    use(tool("act", { ...seesVersion, execute: () => Promise.reject(new Error("gone")) }));
    expect(refused(await call("act")).sideEffects).toBe("unknown");
    await resume(await asked("act"), deny);
    pass(approvalTimes.denialLasts + 1);
    const ticket = await settings.tickets.find(await asked("act"));
    expect(ticket?.effect.forPerson.facts[0]?.value).toContain("may already have happened");
    expect(decisions()).toEqual(["approve (rule, letters)", "deny (page, bob)"]);
  });

  it("approves nothing during a pause, even for a tool that answers without approval", async () => {
    const withoutApproval = async ({ key }: { key: string }) => ({ ok: true as const, key });
    useRules({});
    use(tool("act", { ...seesVersion, withoutApproval }));
    await settings.tickets.pause(everybody, "operator");
    expect((await call("act")).kind).toBe("waiting");
    expect(decisions()).toEqual([]);
    expect(steps.some((step) => step.startsWith("execute"))).toBe(false);
  });

  it("does not affect a request from before the rule", async () => {
    useRules({ uses: 1, ruleId: "none", tool: "other" });
    const ticketId = await asked("act");
    useRules({});
    expect((await call("act")).kind).toBe("waiting");
    expect((await resume(ticketId, deny)).kind).toBe("refused");
    expect(decisions()).toEqual(["deny (page, bob)"]);
  });

  it("also covers computed values of a dynamic tool", async () => {
    useRules({});
    use(tool("act", { ...seesVersion, risk: "dynamic", prepare: async () => ({ risk: "high" }) }));
    expect((await call("act")).kind).toBe("done");
    expect(decisions()).toEqual(["approve (rule, letters)"]);
  });

  it("does not permit a call that the policy denies", async () => {
    useRules({});
    const rules = [rule];
    settings.policy = () => compilePolicy({ rules, deny: ["act"] });
    use(tool("act", seesVersion));
    expect(refused(await call("act")).kind).toBe("not_found");
  });
});

describe("a policy that became narrower after an approval [policy.reload]", () => {
  beforeEach(reset);

  it.each([
    ["denies the tool", compilePolicy({ deny: ["act"] }), "forbids act"],
    [
      "leaves out the channel",
      compilePolicy({ channels: { terminal: "never" } }),
      "does not allow this decision",
    ],
  ])("stops a run that has not begun if it %s", async (_what, policy, words) => {
    use(tool("act", seesVersion));
    const ticketId = await asked("act");
    await settings.tickets.decide(ticketId, approve, 60_000);
    settings.policy = () => policy;
    use(tool("act", seesVersion));
    const { kind, message } = refused(await resume(ticketId));
    expect(kind).toBe("forbidden");
    expect(message).toContain(words);
    expect(steps).not.toContain("claim");
  });
});

describe("the channels of a request [policy.channels]", () => {
  beforeEach(reset);

  it("are those of the policy when it was opened, and no other decides", async () => {
    settings.policy = () =>
      compilePolicy({ channels: { terminal: "never", elicitation: "additive" } });
    use(tool("act", seesVersion));
    const ticketId = await asked("act");
    expect((await settings.tickets.find(ticketId))?.channels).toEqual(["page", "telegram"]);
    const { kind, message, hint } = refused(await resume(ticketId, approve));
    expect([kind, message, hint]).toEqual([
      "forbidden",
      "The policy does not allow this decision here (terminal). Nothing was decided.",
      "Approval channels that may: the approval page, Telegram.",
    ]);
    expect((await resume(ticketId, { ...approve, channel: "page" })).kind).toBe("done");
  });

  it("include an additive one if the tool adds", async () => {
    settings.policy = () => compilePolicy({ channels: { elicitation: "additive" } });
    use(tool("act", { ...seesVersion, operation: "adds" }));
    const ticketId = await asked("act");
    expect((await settings.tickets.find(ticketId))?.channels).toContain("elicitation");
  });
});

describe("allowing similar calls [rules.similar]", () => {
  const maria = { channel: "page", by: "maria" } as const;

  beforeEach(() => {
    reset();
    pass(Date.now() - Date.parse("2026-03-01T12:00:00Z"));
    useRules({ tool: "other" });
  });

  it("approves this request and five more calls for 15 minutes, and says so first", async () => {
    const ticketId = await asked("act", { key: "0" });
    const ticket = await settings.tickets.find(ticketId);
    expect(ticket && formatSimilar(ticket)).toBe(
      "For 15 minutes, up to 5 more calls of act by local run without your approval: any key, any mode, any extra.",
    );
    const { won, rule: made } = await approveAndAllowSimilar(settings, ticketId, maria);
    expect(won).toBe(true);
    expect(made).toMatchObject({ uses: 5, principals: ["local"], ticketId, by: "maria" });
    for (const key of ["1", "2", "3", "4", "5"]) {
      expect((await call("act", { key })).kind).toBe("done");
    }
    expect((await call("act", { key: "6" })).kind).toBe("waiting");
    expect(decisions().slice(0, 3)).toEqual([
      "approve (page, maria)",
      "allow similar (page, maria)",
      `approve (rule, ${made?.ruleId})`,
    ]);
  });

  it("ends after 15 minutes", async () => {
    await approveAndAllowSimilar(settings, await asked("act", { key: "0" }), maria);
    const [made] = await settings.rules.list();
    const lasts = (made?.expiresAt.getTime() ?? 0) - (made?.createdAt.getTime() ?? 0);
    expect(lasts).toBe(15 * 60_000);
  });

  it("creates no rule if the decision came too late", async () => {
    const ticketId = await asked("act", { key: "0" });
    await resume(ticketId, deny);
    const { won, rule: made } = await approveAndAllowSimilar(settings, ticketId, maria);
    expect([won, made]).toEqual([false, undefined]);
    expect(await settings.rules.list()).toEqual([]);
  });

  it("creates no rule after a denial in between", async () => {
    const ticketId = await asked("act", { key: "0" });
    const waiting = await settings.tickets.find(ticketId);
    await resume(ticketId, deny);
    // The request was read a moment before the refusal.
    const tickets = { ...settings.tickets, find: () => Promise.resolve(waiting) };
    const { won, rule: made } = await approveAndAllowSimilar(
      { ...settings, tickets },
      ticketId,
      maria,
    );
    expect([won, made]).toEqual([false, undefined]);
    expect(await settings.rules.list()).toEqual([]);
  });

  it("creates rules only at a channel that may decide", async () => {
    settings.policy = () => compilePolicy({ channels: { page: "never" } });
    use(tool("act", { ...seesVersion, similar: () => ({ key: "any" }) }));
    const ticketId = await asked("act", { key: "0" });
    await expect(approveAndAllowSimilar(settings, ticketId, maria)).rejects.toThrow(
      "The policy does not allow this decision here (page).",
    );
    expect(await settings.rules.list()).toEqual([]);
  });

  it("is offered only for a tool with similar calls", async () => {
    use(tool("act", seesVersion));
    const ticketId = await asked("act");
    const ticket = await settings.tickets.find(ticketId);
    expect(ticket && formatSimilar(ticket)).toBeUndefined();
  });

  it("keeps the approval if the rule cannot be stored", async () => {
    const ticketId = await asked("act", { key: "0" });
    const rules = { ...settings.rules, add: () => Promise.reject(new Error("full")) };
    const { won, rule: made } = await approveAndAllowSimilar(
      { ...settings, rules },
      ticketId,
      maria,
    );
    expect([won, made]).toEqual([true, undefined]);
  });
});
