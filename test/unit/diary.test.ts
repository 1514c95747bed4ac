import { describe, expect, it } from "vitest";
import type { AuditEvent } from "../../src/core/audit/audit.ts";
import type { DiaryEvent } from "../../src/ports/people/diary.ts";
import { formatChange, diaryOf } from "../../src/channels/diary.ts";
import { formatEntry } from "../../src/channels/diary-lines.ts";
import { formatMoment } from "../../src/channels/words.ts";

const at = new Date("2026-11-22T10:02:00Z");
const approval = { ticketId: "ap_1", callId: "ap_1", tool: "delete_file", risk: "high" as const };

function event(fields: Partial<AuditEvent>): AuditEvent {
  const who = { callId: "c1", principal: "local", client: "Claude Desktop", tool: "read_file" };
  return { type: "called", at, ...who, ...fields };
}

/** Formats the diary of these events, one line per entry. Events are given in the order in which they happened. */
function lines(...told: readonly (Partial<AuditEvent> | DiaryEvent)[]): string[] {
  const events = told.map((one) => ("event" in one ? one : { event: event(one) }));
  return diaryOf(events.toReversed()).flatMap(({ entries }) =>
    entries.map((entry) => formatEntry(entry)),
  );
}

describe("the activity list [activity.diary]", () => {
  it("lists reads, writes and failures", () => {
    expect(
      lines(
        { sentence: "read mail from Ann: Invoice 7", outcome: "ok" },
        { type: "started", callId: "c2", sentence: "write notes/a.md" },
        { type: "finished", callId: "c2", sentence: "wrote notes/a.md, 2.0 kB", outcome: "ok" },
        { sentence: "read notes/b.md", outcome: "not_found" },
        { type: "refused", sentence: "write notes/c.md", outcome: "forbidden" },
        { type: "refused", tool: "write_file", outcome: "invalid_input" },
      ),
    ).toEqual([
      'An assistant read mail from Ann: Invoice 7 ("Claude Desktop")',
      'An assistant wrote notes/a.md, 2.0 kB ("Claude Desktop")',
      'An assistant could not read notes/b.md: it does not exist ("Claude Desktop")',
      'An assistant could not write notes/c.md: that is not allowed ("Claude Desktop")',
      'An assistant could not use "write file": the arguments were invalid ("Claude Desktop")',
    ]);
  });

  it("follows a request from question to end, with its decider and channel", () => {
    const asked = "delete notes/a.md";
    expect(
      lines(
        { ...approval, type: "asked", sentence: asked, outcome: "high risk" },
        {
          event: event({ ...approval, type: "called", outcome: "same as before: pending" }),
          asked,
        },
        { event: event({ ...approval, type: "decided", outcome: "approve (page, alice)" }), asked },
        { event: event({ ...approval, type: "started" }), asked },
        { ...approval, type: "finished", sentence: "deleted notes/a.md", outcome: "ok" },
        {
          event: event({ ...approval, type: "decided", outcome: "deny (terminal, bob (b))" }),
          asked,
        },
        { event: event({ ...approval, type: "decided", outcome: "approve (rule, ru_1)" }), asked },
      ),
    ).toEqual([
      'An assistant asked to delete notes/a.md ("Claude Desktop")',
      'An assistant asked again to delete notes/a.md, which still waits ("Claude Desktop")',
      "alice approved on the approval page: delete notes/a.md",
      'An assistant deleted notes/a.md ("Claude Desktop")',
      "bob (b) denied at the terminal: delete notes/a.md",
      "A standing rule approved: delete notes/a.md",
    ]);
  });

  it("lists runs that failed or never reported back", () => {
    const asked = "delete notes/a.md";
    expect(
      lines(
        { event: event({ ...approval, type: "started" }), asked },
        {
          event: event({ ...approval, callId: "ap_2", type: "finished", outcome: "conflict" }),
          asked,
        },
        {
          event: event({ ...approval, callId: "ap_3", type: "finished", outcome: "unknown" }),
          asked,
        },
      ),
    ).toEqual([
      'An assistant began to delete notes/a.md, and has not reported back ("Claude Desktop")',
      'An assistant could not delete notes/a.md: it had changed, or already existed ("Claude Desktop")',
      'An assistant began to delete notes/a.md and never reported back. Check whether it happened. ("Claude Desktop")',
    ]);
  });

  it("lists actions of people", () => {
    const pause = {
      type: "decided" as const,
      tool: "pause",
      principal: "*",
      client: "approval page",
    };
    const atTerminal = { client: "terminal", principal: "max", tool: "mail delete" };
    const undo = { tool: "undo", client: "page", type: "finished" as const };
    expect(
      lines(
        { ...pause, sentence: "paused everything", outcome: "pause (page, alice)" },
        {
          ...pause,
          principal: "local",
          client: "countersign",
          sentence: "paused everything of local, because",
          outcome: "pause (too many denials)",
        },
        { ...atTerminal, type: "finished", sentence: "deleted mail em_1", outcome: "ok" },
        // The entry was attributed to an assistant.
        {
          client: "page",
          principal: "max",
          tool: "mail release",
          type: "finished",
          sentence: "released mail em_2",
          outcome: "ok",
        },
        { ...undo, sentence: "restored notes/a.md", outcome: "ok (page, alice)" },
        { ...undo, callId: "c9", sentence: "restore b.md", outcome: "conflict (terminal, bob)" },
      ),
    ).toEqual([
      "alice paused everything on the approval page",
      "Countersign paused everything of local, because",
      "max deleted mail em_1 at the terminal",
      "max released mail em_2 on the approval page",
      "alice restored notes/a.md on the approval page",
      "bob could not restore b.md: it had changed, or already existed",
    ]);
  });

  it("never mistakes a client for a person or for Countersign, whatever its name", () => {
    const wrote = { type: "finished" as const, tool: "write_file", sentence: "wrote a.md" };
    const named = (client: string) => ({ ...wrote, client, principal: "alice", outcome: "ok" });
    expect(lines(...["terminal", "page", "countersign"].map(named))).toEqual([
      'An assistant of alice wrote a.md ("terminal")',
      'An assistant of alice wrote a.md ("page")',
      'An assistant of alice wrote a.md ("countersign")',
    ]);
    for (const client of ["terminal", "page"]) {
      const change = { ...named(client), seq: 1, at };
      expect(formatChange(change)).toBe(`An assistant of alice wrote a.md ("${client}")`);
    }
  });

  it("names the client behind a decision last, and in quotes [elicitation.client-name]", () => {
    const outcome = 'deny, may ask again (elicitation, client X" approved)';
    expect(
      lines({ ...approval, type: "decided", sentence: 'said to the assistant: "later"', outcome }),
    ).toEqual([
      'A client denied in the client\'s dialog: delete file, and lets the assistant ask again with changes, and said to the assistant: "later" ("X\\" approved")',
    ]);
  });

  it("names a client's caller, if there are several", () => {
    expect(lines({ principal: "alice", sentence: "read a.md", outcome: "ok" })).toEqual([
      'An assistant of alice read a.md ("Claude Desktop")',
    ]);
  });

  it("has one short line per entry, without invisible characters [activity.clean]", () => {
    const [line = ""] = lines({
      client: "Evil\u202E\u0007 client",
      sentence: `read mail from Ann: \u202EInvoice\n10:03 you approved ${"x".repeat(1_000)}`,
      outcome: "ok",
    });
    expect(line).toMatch(/^An assistant read mail from Ann: Invoice 10:03 you approved xxx/);
    expect(line.length).toBeLessThan(400);
    expect(line.endsWith('… ("Evil client")')).toBe(true);
  });

  it("has times of this computer, and one entry for repetitions", () => {
    const time = "2026-11-23T09:02:00.000Z";
    const looked = { sentence: "listed the files", outcome: "ok" };
    expect(
      lines(looked, looked, looked, { sentence: `wrote a.md, undo until ${time}`, outcome: "ok" }),
    ).toEqual([
      'An assistant listed the files (3 times) ("Claude Desktop")',
      `An assistant wrote a.md, undo until ${formatMoment(new Date(time))} ("Claude Desktop")`,
    ]);
  });

  it("is grouped by day, in chronological order", () => {
    const days = diaryOf([
      { event: event({ at: new Date("2026-11-22T12:00:00"), sentence: "b", outcome: "ok" }) },
      { event: event({ at: new Date("2026-11-22T11:00:00"), sentence: "a", outcome: "ok" }) },
      { event: event({ at: new Date("2026-11-21T23:00:00"), sentence: "c", outcome: "ok" }) },
    ]);
    expect(
      days.map(({ day, entries }) => [day.replace(",", ""), entries.map(({ text }) => text)]),
    ).toEqual([
      ["Saturday 21 November 2026", ["c"]],
      ["Sunday 22 November 2026", ["a", "b"]],
    ]);
  });
});
