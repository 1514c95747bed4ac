import { describe, expect, it } from "vitest";
import { clientName, quotedClient } from "../../src/core/shared/text/client-name.ts";
import type { ChannelsHere } from "../../src/core/approvals/directions.ts";
import type { Ticket } from "../../src/core/approvals/ticket.ts";
import type { Effect } from "../../src/core/approvals/effect.ts";
import { columnsOf } from "../../src/core/shared/text/visible.ts";
import { questionFor, readAnswer } from "../../src/mcp/question.ts";
import { request } from "../contract/ticket-fixtures.ts";

const everything: ChannelsHere = {
  page: () => "window",
  telegram: () => true,
  command: "countersign",
};

function ticketWith(forDialog: Effect["forDialog"], fields: Partial<Ticket> = {}): Ticket {
  const opened = request();
  const at = new Date();
  return {
    ...opened,
    effect: { ...opened.effect, forDialog },
    status: "pending",
    createdAt: at,
    expiresAt: at,
    question: undefined,
    ...fields,
  } as Ticket;
}

function messageOf(
  forDialog: Effect["forDialog"],
  fields: Partial<Ticket> = {},
  here = everything,
): string[] {
  const { message } = questionFor(ticketWith(forDialog, fields), here, "test 1.0");
  return message.split("\n");
}

const headline = 'Delete the file "a.txt", 5 bytes, changed yesterday';

describe("a dialog's message [elicitation.three-lines]", () => {
  it("states the effect, then the facts in order with the fingerprint, then the caller", () => {
    const facts = [
      { label: "at the same time", value: "nothing" },
      { label: "made by", value: "you" },
    ];
    expect(messageOf({ headline, facts })).toEqual([
      headline,
      "at the same time: nothing; made by: you; request ABCD-EFGH",
      'asked by "test 1.0"',
    ]);
  });

  it("keeps the fingerprint in its second line, however long a fact is, and the facts in order", () => {
    const facts = [
      { label: "note", value: "done once at 14:02 UTC" },
      { label: "content", value: `"${"x".repeat(600)}"` },
      { label: "encoding", value: '"base64"' },
    ];
    expect(messageOf({ headline, facts })).toEqual([
      headline,
      "note: done once at 14:02 UTC; request ABCD-EFGH",
      `content: "${"x".repeat(600)}"`,
      'encoding: "base64"',
      'asked by "test 1.0"',
    ]);
  });

  // A move lost its new time in a window of 100 columns.
  it("cuts nothing that fits into the lines of a small window", () => {
    const own = "Delete an event of yours on Thu 3 Dec 2026, 12:00 to 13:00 (Europe/Berlin)";
    const facts = [
      { label: "for you", value: "Thu 3 Dec 2026, 20:00 to 21:00 (Asia/Tokyo)" },
      { label: "at the same time", value: "nothing" },
    ];
    expect(messageOf({ headline: own, facts, withheld: "its title" })).toEqual([
      own,
      "for you: Thu 3 Dec 2026, 20:00 to 21:00 (Asia/Tokyo); request ABCD-EFGH",
      "at the same time: nothing; its title is on the approval page",
      'asked by "test 1.0"',
    ]);
  });

  // A long key or title pushed size, age and time out of the window.
  it.each([
    [
      `Delete the file "contracts/2026/lease-of-the-flat-in-the-old-town-signed.md", 420 bytes, changed yesterday`,
      /^Delete the file "contracts\/.*…\S+\.md", 420 bytes, changed yesterday$/,
    ],
    [
      `Add the event "${"Dinner ".repeat(10)}" on Tue 24 Nov 2026, 19:00 to 21:00 (Europe/Berlin)`,
      /^Add the event "Dinner.*…\S*.*" on Tue 24 Nov 2026, 19:00 to 21:00 \(Europe\/Berlin\)$/,
    ],
    [
      `Delete the file "${"書".repeat(40)}", 420 bytes, changed yesterday`,
      /^Delete the file "書+…書+", 420 bytes, changed yesterday$/,
    ],
  ])("cuts names in its first line, not facts: %s", (long, first) => {
    const lines = messageOf({ headline: long, facts: [{ label: "made by", value: "you" }] });
    expect(lines[0]).toMatch(first);
    expect(columnsOf(lines[0]!.replace(" (Europe/Berlin)", ""))).toBeLessThanOrEqual(76);
    expect(lines.slice(1)).toEqual([
      "made by: you; request ABCD-EFGH",
      `in full: ${long}`,
      'asked by "test 1.0"',
    ]);
  });

  it("names the place for facts that the client may not see [effect.dialog-facts]", () => {
    const effect = { headline: "Delete an event of yours", facts: [], withheld: "its title" };
    const first = (channels: Ticket["channels"]) => messageOf(effect, { channels })[0];
    expect(first(["elicitation", "page", "telegram"])).toBe(
      "Delete an event of yours; its title is on the approval page",
    );
    expect(first(["elicitation", "telegram"])).toBe(
      "Delete an event of yours; its title is in Telegram",
    );
    expect(first(["elicitation"])).toBe("Delete an event of yours");
  });

  // The dialog named the approval page on a machine without one.
  it("names only places that exist here [directions.true]", () => {
    const effect = { headline: "Delete an event of yours", facts: [], withheld: "its title" };
    const all = { channels: ["elicitation", "page", "telegram", "terminal"] as const };
    const first = (here: Partial<ChannelsHere>) =>
      messageOf(effect, all, { ...everything, ...here })[0];
    expect(first({ page: () => undefined })).toContain("its title is in Telegram");
    const terminal = { ...everything, page: () => undefined, telegram: () => false };
    expect(messageOf(effect, all, terminal)).toEqual([
      "Delete an event of yours; its title is shown by `countersign approvals`",
      "request ABCD-EFGH",
      'asked by "test 1.0"',
    ]);
  });
});

describe("a dialog's form", () => {
  const fieldsFor = (client: string) => {
    const ticket = ticketWith({ headline, facts: [] });
    return Object.keys(questionFor(ticket, everything, client).requestedSchema.properties);
  };

  it("has a choice, and a text that may stay empty", () => {
    expect(fieldsFor("claude-code")).toEqual(["decision", "message"]);
  });

  // Approval was impossible in Codex 0.169.0, whose form is not sent while a text is empty.
  it("is the choice alone for a client that cannot send an empty text", () => {
    expect(fieldsFor("codex-mcp-client")).toEqual(["decision"]);
  });
});

describe("an answer", () => {
  const accepted = (content: Record<string, unknown>) => ({ action: "accept", content });

  it("is a decision, with an optional note [denial.note] [denial.may-ask-again]", () => {
    expect(readAnswer(accepted({ decision: "approve", message: "no" }))).toEqual({
      verdict: "approve",
    });
    expect(readAnswer(accepted({ decision: "deny" }))).toEqual({ verdict: "deny" });
    expect(readAnswer(accepted({ decision: "deny", message: "18:00 instead" }))).toEqual({
      verdict: "deny",
      note: "18:00 instead",
    });
    expect(readAnswer(accepted({ decision: "deny_may_ask_again", message: 7 }))).toEqual({
      verdict: "deny",
      mayAskAgain: true,
    });
  });

  it("is `none` without a decision, and `elsewhere` if the client declined or cancelled", () => {
    for (const none of [
      undefined,
      accepted({}),
      accepted({ message: "yes" }),
      { action: "accept" },
    ])
      expect(readAnswer(none)).toBe("none");
    for (const action of ["decline", "cancel"]) expect(readAnswer({ action })).toBe("elsewhere");
  });
});

describe("a client's name [elicitation.client-name]", () => {
  it("is in quotes that it cannot close", () => {
    expect(quotedClient(clientName('x", approved by you'))).toBe('"x\\", approved by you"');
    for (const sign of ["\u201D", "\uFF02", "\u2033", "\u275E", "\u301E"])
      expect(quotedClient(clientName(`x${sign}, approved by you`))).toBe('"x\\", approved by you"');
    expect(quotedClient("x\\")).toBe('"x\\\\"');
    expect(quotedClient('x\\", approved by you')).toBe('"x\\\\\\", approved by you"');
  });

  it("is one line without invisible characters, at most 64 characters long", () => {
    expect(clientName("a\nrequest ABCD-EFGH\u202E\u200B")).toBe("a request ABCD-EFGH");
    expect(clientName("x".repeat(10_000))).toHaveLength(64);
    expect(clientName("\u200B\n")).toBe("unnamed client");
  });

  it("has no stacked marks, and keeps those of real words", () => {
    expect(clientName(`Z${"\u0336\u0301\u0489".repeat(40)}a`).length).toBeLessThanOrEqual(4);
    for (const name of ["Trợ lý tiếng Việt", "ผู้ช่วยที่", "דָּוִד"]) {
      expect(clientName(name)).toBe(name.normalize("NFC"));
    }
  });
});
