import { expect, it } from "vitest";
import { type StoredRequest, createRequestCheck } from "../../src/core/approvals/request-check.ts";
import { endContent, requestContent } from "../../src/core/approvals/request-content.ts";
import { createRequestSealer, decisionContent } from "../../src/core/approvals/request-seal.ts";
import type { ApprovedTicket } from "../../src/core/approvals/ticket.ts";
import type { AuditEvent } from "../../src/core/audit/audit.ts";

const at = new Date("2026-03-01T12:00:00Z");
const shown = { headline: "Write a.txt", facts: [] };
const ticket: ApprovedTicket = {
  ticketId: "ap_1",
  principal: "local",
  tool: "write_file",
  risk: "high",
  args: { key: "a.txt" },
  digest: "d",
  target: undefined,
  actsOn: undefined,
  effect: { title: "Write a file", forModel: shown, forPerson: shown, forDialog: shown },
  fingerprint: "AAAA-BBBB",
  client: "client",
  configHash: "c",
  channels: ["page"],
  similar: undefined,
  createdAt: at,
  expiresAt: at,
  status: "approved",
  runBefore: at,
  decision: { verdict: "approve", channel: "page", by: "operator", at },
};
const { principal, client, tool, risk, digest } = ticket;
const event = (type: AuditEvent["type"], callId: string, outcome: string): AuditEvent => ({
  type,
  at,
  callId,
  ticketId: "ap_1",
  principal,
  client,
  tool,
  risk,
  digest,
  outcome,
});
const asked = { ...event("asked", "call_1", "high risk"), content: requestContent(ticket) };
const decided = event("decided", "ap_1", "approve (page, operator)");

const key = Buffer.alloc(32, 1);
const seal = createRequestSealer(key);
const unsealed = { asked: undefined, decided: undefined, ended: undefined };

function checked(row: Omit<StoredRequest, "ticketId">, events: readonly AuditEvent[]) {
  const check = createRequestCheck([{ ticketId: "ap_1", ...row }], [Buffer.alloc(32, 2), key]);
  for (const one of events) check.add(one);
  return check.differences(undefined, at).map(({ what, isUnrecorded }) => [what, isUnrecorded]);
}

const differences = (...events: AuditEvent[]) =>
  checked({ ticket, seals: unsealed }, events).map(([what]) => what);

// The event of the rule has the id of the request, and was taken for a second decision.
it("the comparison of requests accepts a rule for similar calls", () => {
  const rule = event("decided", "ru_1", "allow similar (page, operator)");
  expect(differences(asked, decided, rule)).toEqual([]);
});

it("the comparison of requests finds two decisions of one request", () => {
  expect(differences(asked, decided, decided)).toEqual(["the record contains 2 decisions"]);
});

// A process that ends between a step and its event is no change by hand.
it.each([
  ["that it was asked", "asked", ticket, requestContent(ticket), []],
  [
    "its decision approve (page, operator)",
    "decided",
    ticket,
    decisionContent(ticket.decision),
    [asked],
  ],
  [
    "its end ok",
    "ended",
    { ...ticket, status: "done", finishedAt: at, output: { a: 1 }, delivered: true },
    endContent({ status: "done", output: { a: 1 } }),
    [asked, decided, event("started", "ap_1", "")],
  ],
] as const)(
  "the comparison of requests knows by its seal that %s was only not recorded",
  (what, step, row, content, events) => {
    const own = { ...unsealed, [step]: seal(step, "ap_1", content) };
    const decisionSeal = seal("decided", "ap_1", decisionContent(ticket.decision));
    const seals = step === "asked" ? { ...own, decided: decisionSeal } : own;
    const [first] = checked({ ticket: row, seals }, events);
    expect(first).toEqual([`a process ended before it could record ${what}`, true]);
    const broken = [`the record does not contain ${what}: the row was inserted or changed`, false];
    for (const other of [undefined, "", seal(step, "ap_2", content), seal(step, "ap_1", "x")]) {
      const [changed] = checked({ ticket: row, seals: { ...seals, [step]: other } }, events);
      expect(changed).toEqual(broken);
    }
  },
);
