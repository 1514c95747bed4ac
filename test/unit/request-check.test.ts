import { expect, it } from "vitest";
import { createRequestCheck } from "../../src/core/approvals/request-check.ts";
import { requestContent } from "../../src/core/approvals/request-content.ts";
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

function differences(...events: AuditEvent[]) {
  const check = createRequestCheck([{ ticketId: "ap_1", ticket }]);
  for (const one of events) check.add(one);
  return check.differences(undefined, at).map(({ what }) => what);
}

// The event of the rule has the id of the request, and was taken for a second decision.
it("the comparison of requests accepts a rule for similar calls", () => {
  const rule = event("decided", "ru_1", "allow similar (page, operator)");
  expect(differences(asked, decided, rule)).toEqual([]);
});

it("the comparison of requests finds two decisions of one request", () => {
  expect(differences(asked, decided, decided)).toEqual(["the record contains 2 decisions"]);
});
