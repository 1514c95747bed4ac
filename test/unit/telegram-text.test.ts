import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shownValue } from "../../src/core/shared/text/visible.ts";
import { plainText, withoutLinks } from "../../src/review/telegram/plain-text.ts";
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
