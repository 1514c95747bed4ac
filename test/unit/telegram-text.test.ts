import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shownValue } from "../../src/core/shared/text/visible.ts";
import { shortAnswer } from "../../src/adapters/telegram/short-answer.ts";
import { requestMessage } from "../../src/channels/telegram/request-message.ts";
import { plainText, withoutLinks } from "../../src/channels/telegram/plain-text.ts";
import { effectOf } from "../../src/core/approvals/effect.ts";
import type { Ticket } from "../../src/core/approvals/ticket.ts";
import { upstreamEffect } from "../../src/upstream/effect.ts";
import { request } from "../contract/ticket-fixtures.ts";
import { linksIn } from "../servers/telegram.ts";

const linkedIn = (lines: Parameters<typeof plainText>[0]) => {
  const { text, quoted } = plainText(lines);
  return linksIn(text, quoted);
};

describe("a text in Telegram", () => {
  it("quotes every value at its position, in UTF-16 units [telegram.plain]", () => {
    const { text, quoted } = plainText([
      "Delete a file",
      { label: "key", value: '"📎 plan.md"' },
      "",
      { label: "", value: "It waits." },
    ]);
    expect(text).toBe('Delete a file\nkey: "📎 plan.md"\n\nIt waits.');
    expect(quoted.map(({ offset, length }) => text.slice(offset, offset + length))).toEqual([
      '"📎 plan.md"',
      "It waits.",
    ]);
  });

  it("shows addresses in a form that is not clickable [telegram.plain]", () => {
    for (const [given, shown] of [
      ["see https://evil.example/a.b?c=d now", "see hxxps[:]//evil[.]example/a.b?c=d now"],
      ["HTTP://User@Evil.Example:80", "hxxP[:]//User@Evil[.]Example:80"],
      ["tg://resolve?domain=x", "tg[:]//resolve?domain=x"],
      ["www.evil.example/x", "www[.]evil[.]example/x"],
      ["plan.md, 3.5 kB", "plan.md, 3.5 kB"],
    ])
      expect(withoutLinks(given!)).toBe(shown);
  });

  it("contains no link, for any value [telegram.plain]", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "https://evil.example",
        "t.me/x",
        "a@b.example",
        "@user",
        "/start",
        "`",
        "</code>",
      ),
    );
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 8 }), (values) => {
        const lines = values.map((value) => ({ label: "value", value: shownValue(value) }));
        expect(linkedIn(lines)).toEqual([]);
        expect(plainText(lines).text).not.toMatch(/https?:\/\//i);
      }),
    );
  });

  it("is at most 4096 units, with whole characters, and says if it is shortened [telegram.plain]", () => {
    const value = fc.string({ unit: "grapheme", maxLength: 700 }).map((text) => text.repeat(3));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 60 }), (values) => {
        const lines = values.map((text) => ({ label: "value", value: shownValue(text) }));
        const { text, quoted } = plainText(["Title", ...lines]);
        expect(text.length).toBeLessThanOrEqual(4096);
        expect(quoted.length).toBeLessThanOrEqual(100);
        expect(text.isWellFormed()).toBe(true);
        for (const { offset, length } of quoted)
          expect(offset + length).toBeLessThanOrEqual(text.length);
        const isWhole = lines.every(({ value: one }) => text.includes(withoutLinks(one)));
        expect(text.includes("shortened")).toBe(!isWhole);
      }),
    );
  });

  it("is shortened at its longest values, so that short ones stay visible", () => {
    const { text } = plainText([
      "Title",
      { label: "content", value: "x".repeat(9_000) },
      { label: "key", value: '"a.md"' },
    ]);
    expect(text).toContain('key: "a.md"');
    expect(text).toMatch(/x…\n/);
    expect(text.length).toBeGreaterThan(3_500);
  });
});

// An upstream tool that allows unknown arguments lets the assistant choose their names. A name was outside of the quoted
// values: as a link, a command, or a sentence like those of the bot.
describe("the name of an argument that the assistant chose", () => {
  const messageFor = (name: string) => {
    const tool = { name: "notify", inputSchema: { type: "object" } } as const;
    const args = { [name]: "x" };
    const found = upstreamEffect("work", tool, args);
    const operation = "changes";
    const described = {
      title: "notify",
      operation,
      describe: () => "notify",
      mentions: [],
    } as const;
    const effect = effectOf(described, args, found);
    const at = new Date("2026-03-01T12:00:00Z");
    const ticket = { ...request(), effect, status: "pending", createdAt: at, expiresAt: at };
    return requestMessage(ticket as unknown as Ticket);
  };

  it("is plain text in Telegram, also if it has the form of a link or command [telegram.plain]", () => {
    for (const name of ["https://evil.example/approve", "evil.example", "@user", "/start"]) {
      const { text, quoted } = messageFor(name);
      expect(linksIn(text, quoted)).toEqual([]);
      expect(text).not.toContain("https://");
    }
  });

  it("is in quotes if it could be read as a fact", () => {
    expect(messageFor("undo: possible; note").text).toContain('\n"undo: possible; note": "x"');
    expect(messageFor("dueDate").text).toContain('\ndueDate: "x"');
  });
});

describe("the answer to a press in Telegram", () => {
  // The name of a file filled it, and its end, which says what was not done, was cut off.
  it("keeps its end", () => {
    const end =
      "was changed again since then. Nothing was undone. You can still restore that version in a terminal.";
    const answer = shortAnswer(`notes/${"long/".repeat(90)}plan.md ${end}`);
    expect(answer).toContain(end);
    expect(answer).toMatch(/^notes\/long\//);
    expect(answer.length).toBeLessThanOrEqual(200);
    expect(shortAnswer("📎".repeat(300)).isWellFormed()).toBe(true);
    expect(shortAnswer("Approved.")).toBe("Approved.");
  });
});
