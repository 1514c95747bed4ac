import { describe, expect, it } from "vitest";
import {
  approvalTimes,
  continuation,
  guidance,
  isOpen,
  refusal,
  requestAfter,
  settled,
} from "../../src/core/approvals/approval.ts";
import { effectOf } from "../../src/core/approvals/effect.ts";
import type { Decision, Ticket, TicketStatus } from "../../src/core/approvals/ticket.ts";
import { errorFields } from "../../src/core/tool/tool-error.ts";
import { request } from "../contract/ticket-fixtures.ts";

const now = new Date("2026-03-01T14:30:00Z");
const ago = (ms: number): Date => new Date(now.getTime() - ms);
const ahead = (ms: number): Date => new Date(now.getTime() + ms);
const minute = 60_000;

const opened = {
  ...request(),
  ticketId: "ap_1",
  fingerprint: "ABCD-EFGH",
  createdAt: ago(minute),
  expiresAt: ahead(minute),
};
const approval: Decision = { verdict: "approve", channel: "page", by: "alice", at: ago(minute) };
const denial: Decision = { verdict: "deny", channel: "terminal", by: "alice", at: ago(minute) };
const finishedAt = new Date("2026-03-01T14:02:00Z");

const tickets = {
  pending: { ...opened, status: "pending", question: undefined },
  approved: { ...opened, status: "approved", decision: approval, runBefore: ahead(minute) },
  running: { ...opened, status: "running", decision: approval, leaseUntil: ahead(minute) },
  done: {
    ...opened,
    status: "done",
    decision: approval,
    finishedAt,
    output: { deleted: true },
    delivered: false,
  },
  failed: {
    ...opened,
    status: "failed",
    decision: approval,
    finishedAt,
    error: { kind: "conflict", message: "m", retryable: false, sideEffects: "none" },
  },
  unknown: { ...opened, status: "unknown", decision: approval, finishedAt },
  denied: { ...opened, status: "denied", decision: denial },
  expired: { ...opened, status: "expired" },
} as const satisfies { [S in TicketStatus]: Extract<Ticket, { status: S }> };

const delivered = { ...tickets.done, delivered: true };
const deniedLongAgo = {
  ...tickets.denied,
  decision: { ...denial, at: ago(approvalTimes.denialLasts) },
};

/** The outcome of an identical call in each state of its request, as in docs/reference/approvals.md. */
const identicalCalls: readonly [string, Ticket | undefined, object][] = [
  [
    "[tickets.none-opens] no ticket",
    undefined,
    { kind: "open", lead: undefined, afterUnknown: false },
  ],
  ["[tickets.pending-joins] pending", tickets.pending, { kind: "wait" }],
  ["[tickets.approved-runs] approved", tickets.approved, { kind: "run" }],
  ["[tickets.running-waits] running", tickets.running, { kind: "wait" }],
  ["[tickets.done-once] done, not delivered", tickets.done, { kind: "deliver" }],
  [
    "[tickets.done-then-new] done and delivered",
    delivered,
    { kind: "open", lead: "done once at 14:02 UTC", afterUnknown: false },
  ],
  [
    "[tickets.failed-opens] failed",
    tickets.failed,
    { kind: "open", lead: undefined, afterUnknown: false },
  ],
  [
    "[tickets.expired-opens] expired",
    tickets.expired,
    { kind: "open", lead: undefined, afterUnknown: false },
  ],
  ["[tickets.denied-stands] denied a minute ago", tickets.denied, { kind: "refuse" }],
  [
    "[tickets.denied-ends] denied 15 minutes ago",
    deniedLongAgo,
    { kind: "open", lead: undefined, afterUnknown: false },
  ],
  ["[tickets.unknown-leads] unknown", tickets.unknown, { kind: "open", afterUnknown: true }],
];

describe("an identical call", () => {
  it.each(identicalCalls)("finds its ticket: %s", (_name, ticket, expected) => {
    expect(continuation(ticket, now)).toMatchObject(expected);
  });

  it("returns the ticket that it found", () => {
    for (const ticket of [tickets.pending, tickets.running, tickets.approved, tickets.done]) {
      expect(continuation(ticket, now)).toHaveProperty("ticket", ticket);
    }
  });

  it("learns that an unknown run may already have happened [tickets.unknown-leads]", () => {
    expect(continuation(tickets.unknown, now)).toHaveProperty(
      "lead",
      "may already have happened: an earlier run, started after 14:29 UTC, did not report back",
    );
  });

  it("learns of the last run, whatever happened to later requests [tickets.unknown-leads]", () => {
    for (const since of [tickets.failed, tickets.expired, deniedLongAgo]) {
      const { unknown } = tickets;
      expect(continuation(since, now, unknown)).toEqual(continuation(unknown, now));
      expect(continuation(since, now, delivered)).toEqual(continuation(delivered, now));
    }
  });

  it("is refused up to the last millisecond of the fifteen minutes [tickets.denied-stands]", () => {
    const at = ago(approvalTimes.denialLasts - 1);
    const ticket = { ...tickets.denied, decision: { ...denial, at } };
    expect(continuation(ticket, now).kind).toBe("refuse");
  });
});

// The guidance for a model contained "(elicitation)", which it repeated to the user.
it("says in words where the user denied", () => {
  const here = { page: () => undefined, telegram: () => false, command: "countersign" };
  const messageFor = (channel: Decision["channel"]) =>
    refusal({ ...tickets.denied, decision: { ...denial, channel } }, here).message;
  expect(messageFor("elicitation")).toContain("in the client's dialog. Nothing was done");
  expect(messageFor("terminal")).toContain("at the terminal. Nothing was done");
});

it("has the promised times [tickets.lease]", () => {
  const minute = 60_000;
  expect(approvalTimes).toMatchObject({
    answerWithin: 10 * minute,
    runWithin: 10 * minute,
    lease: 15_000,
    denialLasts: 15 * minute,
    keepEnded: 24 * 60 * minute,
  });
  // One renewal may be missed without the run being taken for lost.
  expect(approvalTimes.renewEvery).toBeLessThan(approvalTimes.lease / 2);
});

const year = 365 * 24 * 60 * minute;
const ofFastClock = { createdAt: ahead(year), expiresAt: ahead(year + minute) };
const approvedByFastClock = {
  decision: { ...tickets.approved.decision, at: ahead(year) },
  runBefore: ahead(year + minute),
};
const corrected = { createdAt: ahead(minute), expiresAt: ahead(2 * minute) };

/** The clock of the store decides, whatever the row still says. */
const lapses: readonly [string, Ticket, TicketStatus][] = [
  ["[tickets.ttl] pending, its time over", { ...tickets.pending, expiresAt: now }, "expired"],
  ["pending, a millisecond left", { ...tickets.pending, expiresAt: ahead(1) }, "pending"],
  ["[tickets.run-within] approved, never run", { ...tickets.approved, runBefore: now }, "expired"],
  ["approved, a millisecond left", { ...tickets.approved, runBefore: ahead(1) }, "approved"],
  ["[tickets.lease] running, its lease lapsed", { ...tickets.running, leaseUntil: now }, "unknown"],
  ["running, a millisecond left", { ...tickets.running, leaseUntil: ahead(1) }, "running"],
  // A fast clock had left requests that waited for years after it was set back.
  ["pending, of a fast clock", { ...tickets.pending, ...ofFastClock }, "expired"],
  ["approved, by a fast clock", { ...tickets.approved, ...approvedByFastClock }, "expired"],
  ["running, of a fast clock", { ...tickets.running, leaseUntil: ahead(year) }, "unknown"],
  ["pending, of a clock that was corrected", { ...tickets.pending, ...corrected }, "pending"],
];

describe("a ticket at a moment", () => {
  it.each(lapses)("is settled: %s", (_name, ticket, status) => {
    expect(settled(ticket, now).status).toBe(status);
  });

  it("keeps exactly the fields of its new state", () => {
    expect(settled({ ...tickets.pending, expiresAt: now }, now)).toEqual({
      ...tickets.expired,
      expiresAt: now,
    });
    expect(settled({ ...tickets.approved, runBefore: now }, now)).toEqual(tickets.expired);
    expect(settled({ ...tickets.running, leaseUntil: now }, now)).toEqual({
      ...tickets.unknown,
      finishedAt: now,
    });
  });

  it("does not change once it has ended", () => {
    const late = ahead(1_000 * approvalTimes.keepEnded);
    for (const ticket of [
      tickets.done,
      tickets.failed,
      tickets.unknown,
      tickets.denied,
      tickets.expired,
    ]) {
      expect(settled(ticket, late)).toBe(ticket);
      expect(isOpen(ticket)).toBe(false);
    }
  });

  it("is open while it can still change", () => {
    for (const ticket of [tickets.pending, tickets.approved, tickets.running]) {
      expect(isOpen(ticket)).toBe(true);
    }
  });
});

const here = { page: () => undefined, telegram: () => false, command: "countersign" };

describe("the refusal of a ticket without a result [errors.says-what-not]", () => {
  const cases = [
    ["pending", "approval_required", "none", "was not done"],
    ["approved", "approval_required", "none", "was not done"],
    ["running", "approval_required", "none", "is running now"],
    ["denied", "denied", "none", "Nothing was done"],
    ["expired", "approval_required", "none", "Nothing was done"],
    ["unknown", "internal", "unknown", "was approved and started"],
  ] as const;

  it.each(cases)("of a %s one has kind %s and side effects %s", (status, kind, effects, words) => {
    const fields = errorFields(refusal(tickets[status], here));
    expect(fields).toMatchObject({ kind, sideEffects: effects });
    expect(fields.message).toContain(words);
    expect(fields.approval).toMatchObject({ id: "ap_1", status, fingerprint: "ABCD-EFGH" });
    expect(fields.hint).toBe(guidance(tickets[status], here));
  });

  // Three sentences said that it may have happened, and two that the target must be checked.
  it("does not repeat in the hint what the refusal of an interrupted call says", () => {
    const message = "The server ended. The effect may have happened: check the target.";
    const error = {
      kind: "unavailable",
      message,
      retryable: false,
      sideEffects: "unknown",
    } as const;
    const plain = errorFields(refusal(tickets.unknown, here));
    expect(plain.message).not.toContain("may have happened");
    expect(plain.hint).toMatch(/may or may not have happened.*Check the target.*tell the user/);
    const failed = errorFields(refusal({ ...tickets.unknown, error }, here));
    expect(failed.message).toContain("so it may have happened");
    expect(failed.hint).toBe(
      "Find out before anything else, and tell the user. Call the tool again only if the user asks for it: the same call makes a second request.",
    );
  });

  // A model called again, as the request said. It read that nothing was done, and asked the user for a second run.
  it("says of a request after an interrupted run to check the target first", () => {
    const after = requestAfter(tickets.unknown);
    const tool = {
      title: "Delete",
      operation: "removes",
      describe: () => "delete a.txt",
      mentions: [],
    } as const;
    const effect = effectOf(tool, {}, undefined, after.kind === "open" ? after : {});
    const again = { ...tickets.pending, effect };
    const { message, hint } = errorFields(refusal(again, here));
    expect(message).toMatch(/was not done again: .*may already have happened/);
    expect(hint).toMatch(/^Check the target first\. If it happened, tell the user to deny/);
    expect(errorFields(refusal(tickets.pending, here)).hint).not.toContain("Check the target");
  });

  // The words of the note decided, so other words in the note would have changed the guidance.
  it("knows a request after an interrupted run by its field, whatever its note says", () => {
    const effect = { ...opened.effect, followsUnknownRun: true };
    const { message, hint } = errorFields(refusal({ ...tickets.pending, effect }, here));
    expect(message).toContain("was not done again: ");
    expect(hint).toMatch(/^Check the target first\./);
    const facts = [{ label: "note", value: "may already have happened: so says a file" }];
    const forModel = { ...opened.effect.forModel, facts };
    const worded = { ...tickets.pending, effect: { ...opened.effect, forModel } };
    expect(errorFields(refusal(worded, here)).hint).not.toContain("Check the target");
  });

  it("shows the caller's own arguments and no fact of the target [effect.model-sees-no-facts]", () => {
    for (const [status] of cases) {
      const text = JSON.stringify(errorFields(refusal(tickets[status], here)));
      expect(text).toContain("a.txt");
      expect(text).not.toContain("5 bytes");
    }
  });

  it("never suggests bypassing a denial [tickets.denied-stands]", () => {
    expect(guidance(tickets.denied, here)).toContain("do not try another way");
  });

  // The sentence about Decline was missing if there was no other channel, and a model could ask again.
  it("says of each declined dialog that it had no decision", () => {
    const question = { putAt: now, expiresAt: ahead(1), answered: "elsewhere" as const };
    for (const channels of [["elicitation"], ["elicitation", "terminal"]] as const)
      expect(guidance({ ...tickets.pending, question, channels }, here)).toMatch(
        /^The client answered without a decision\. If the user pressed Decline, do not ask again[.;]/,
      );
  });

  // The guidance said that it was done, although the upstream server reported a failure.
  it("says of a call that ran whether its result reports a failure", () => {
    const failed = { ...tickets.done, output: { failed: true } };
    expect(guidance(tickets.done, here)).toContain("It was done.");
    expect(guidance(failed, here)).toContain("its result reports a failure");
  });

  // The guidance told the model to wait for a decision that was impossible.
  it("says if no approval channel is left", () => {
    const channels = ["elicitation"] as const;
    const question = { putAt: now, expiresAt: ahead(1), answered: "elsewhere" as const };
    const declined = guidance({ ...tickets.pending, question, channels }, here);
    expect(declined).toContain("so this request cannot be decided");
    expect(declined).toContain(`it ends at ${opened.expiresAt.toISOString()}`);
    const unasked = guidance({ ...tickets.pending, channels }, here);
    expect(unasked).toContain("this client opened none");
    for (const said of [declined, unasked]) expect(said).not.toContain("after a decision");
  });

  // "Do what the user says" and the refusal of "18:00 instead" contradicted each other.
  it("says when a note's changed call for the same target can be asked", () => {
    const noted = { ...tickets.denied, decision: { ...denial, note: "18:00 instead" } };
    expect(guidance({ ...noted, actsOn: "ev_1" }, here)).toContain(
      "for the same target, you can call it after 14:44 UTC",
    );
    expect(guidance(noted, here)).not.toContain("asked after");
  });

  it("calls an undecided request not retryable once it may have run", () => {
    expect(refusal(tickets.unknown, here).retryable).toBe(false);
    expect(refusal(tickets.pending, here).retryable).toBe(true);
  });
});
