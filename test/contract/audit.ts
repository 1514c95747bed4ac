import { beforeEach, describe, expect, it } from "vitest";
import type { AuditEvent, AuditRecord } from "../../src/core/audit/audit.ts";

export interface AuditSubject {
  audit: AuditRecord;
  /** The durable events, in order. */
  read(): Promise<readonly AuditEvent[]>;
}

function event(callId: string, fields: Partial<AuditEvent> = {}): AuditEvent {
  const at = new Date("2026-03-01T12:00:00.123Z");
  return { type: "called", at, callId, principal: "local", client: "c", tool: "t", ...fields };
}

/**
 * Tests the requirements for every audit record.
 * @param makeAudit an empty log for each test
 */
export function auditContract(name: string, makeAudit: () => Promise<AuditSubject>): void {
  describe(`${name} as the audit record`, () => {
    let subject: AuditSubject;
    beforeEach(async () => {
      subject = await makeAudit();
    });

    const callIds = async () => (await subject.read()).map(({ callId }) => callId);

    it("has stored an event when append resolves, field by field", async () => {
      const full = event("1", {
        type: "finished",
        ticketId: "ap_1",
        risk: "high",
        digest: "d",
        sentence: "deleted a.txt, for „good“ \u{1F600}",
        outcome: "ok",
      });
      await subject.audit.append(full);
      await subject.audit.append(event("2"));
      expect(await subject.read()).toEqual([full, event("2")]);
    });

    it("has stored queued events when flush resolves", async () => {
      subject.audit.enqueue(event("1"));
      subject.audit.enqueue(event("2"));
      await subject.audit.flush();
      expect(await callIds()).toEqual(["1", "2"]);
    });

    it("flushes an empty queue without an error", async () => {
      await expect(subject.audit.flush()).resolves.toBeUndefined();
      expect(await subject.read()).toEqual([]);
    });

    it("keeps the order of queued and appended events", async () => {
      subject.audit.enqueue(event("1"));
      const second = subject.audit.append(event("2"));
      subject.audit.enqueue(event("3"));
      const fourth = subject.audit.append(event("4"));
      subject.audit.enqueue(event("5"));
      await Promise.all([second, fourth]);
      await subject.audit.flush();
      expect(await callIds()).toEqual(["1", "2", "3", "4", "5"]);
    });

    it("stores many events that arrive at the same time", async () => {
      const expected = Array.from({ length: 1_000 }, (_, at) => `${at}`);
      for (const callId of expected) subject.audit.enqueue(event(callId));
      await subject.audit.flush();
      expect(await callIds()).toEqual(expected);
    });
  });
}
