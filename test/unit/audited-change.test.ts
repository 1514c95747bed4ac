import { describe, expect, it } from "vitest";
import { audited } from "../../src/app/mail/audited.ts";
import { createFakeAuditRecord } from "../fakes/audit-record.ts";

const change = { by: "alice", client: "page", tool: "mail release", sentence: "released em_1" };

describe("an audited change of access to mail", () => {
  it("is recorded before it happens, and again with its outcome", async () => {
    const audit = createFakeAuditRecord();
    const seen: (string | undefined)[] = [];
    const value = await audited(
      audit,
      change,
      async () => {
        seen.push(...audit.events.map(({ type }) => type));
        return false;
      },
      (isReleased) => (isReleased ? "ok" : "conflict"),
    );
    expect(value).toBe(false);
    expect(seen).toEqual(["started"]);
    const [started, finished] = audit.events;
    expect(started).toMatchObject({ principal: "alice", client: "page", tool: "mail release" });
    expect(finished).toMatchObject({ type: "finished", outcome: "conflict" });
    expect(finished?.callId).toBe(started?.callId);
  });

  // A release on the page that failed left an event without an end.
  it("that fails is recorded as failed, and its error is thrown", async () => {
    const audit = createFakeAuditRecord();
    const act = () => Promise.reject(new Error("no space left"));
    await expect(audited(audit, change, act)).rejects.toThrow("no space left");
    expect(audit.events.map(({ type, outcome }) => [type, outcome])).toEqual([
      ["started", undefined],
      ["finished", "failed"],
    ]);
  });
});
