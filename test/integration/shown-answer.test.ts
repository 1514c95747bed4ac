import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { shownAnswer } from "../../src/tools/web/shown-answer.ts";

const result = { title: "Title", url: "https://a.example/", content: "Content" };
const contentOf = (content: string) =>
  shownAnswer({ answer: "", results: [{ ...result, content }] }, 5).results[0]?.content;

describe("The shown answer of a web search", () => {
  it.each([
    ["a bidi override", "pay \u202Eevil\u202C now", "pay evil now"],
    ["bidi isolates and marks", "\u2066a\u2069\u200Eb\u200Fc\u061Cd", "abcd"],
    ["zero-width characters", "ig\u200Bno\u200Cr\u200De\uFEFF \u2060me\u00AD", "ignore me"],
    ["tag characters", "hi\u{E0049}\u{E0067}\u{E006E}", "hi"],
    ["variation selectors that carry bytes", "x\u{E0100}\u{E0101}\uFE00", "x"],
    ["controls and escapes", "a\u0000b\u001B[31mc\u0007\u009Bd", "ab[31mcd"],
    ["half a character", "a\uD83Db", "a\uFFFDb"],
    ["line separators, to lines", "a\u2028b\u2029c\r\nd\re", "a\nb\nc\nd\ne"],
  ])("has no %s", (_name, text, clean) => {
    expect(contentOf(text)).toBe(clean);
  });

  it.each([
    "Plain text, with\ttabs\nand lines.",
    "Grüße aus Zürich, naïve café, Ελληνικά, Русский, עברית, العربية",
    "日本語の文章、한국어 문장, ภาษาไทย",
    "می\u200Cخواهم",
    "क्\u200Dष",
    "👩\u200D👩\u200D👧 👍🏽 ❤\uFE0F 🏳\uFE0F\u200D🌈",
    "x² ≤ 5 € – “quoted” …",
  ])("keeps ordinary text unchanged: %s", (text) => {
    expect(contentOf(text)).toBe(text);
  });

  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "ftp://a.example/",
    "//a.example",
    "not a url",
    "https://bank.example@evil.example/",
    "https://user:password@a.example/",
    `https://a.example/${"x".repeat(9_000)}`,
  ])("has no result with a misleading address: %s", (url) => {
    expect(shownAnswer({ answer: "", results: [{ ...result, url }] }, 5).results).toEqual([]);
  });

  it("keeps http and https addresses, with invisible characters escaped", () => {
    const urls = ["http://a.example/", "https://b.example/?q=1#x", "https://c.example/\u202Egnp"];
    const { results } = shownAnswer(
      { answer: "", results: urls.map((url) => ({ ...result, url })) },
      5,
    );
    expect(results.map(({ url }) => url)).toEqual([
      "http://a.example/",
      "https://b.example/?q=1#x",
      "https://c.example/%E2%80%AEgnp",
    ]);
  });

  it("never has more results than requested", () => {
    const results = Array.from({ length: 20 }, () => result);
    expect(shownAnswer({ answer: "", results }, 3).results).toHaveLength(3);
  });

  it.each([
    ["words", "The quick brown fox jumps over the lazy dog. "],
    ["Chinese", "灯塔是一座发光的塔楼。"],
    ["Thai", "ประภาคารคือหอคอยที่ส่องแสง"],
    ["emoji", "👩\u200D👩\u200D👧🏴🎉"],
    ["base64", "aGVsbG8gd29ybGQhIQ9xYz"],
    ["quotes that JSON escapes", '"\\\n"'],
    ["cuneiform", "𒀀𒀁𒀂𒀃"],
  ])(
    "costs less than 25 000 tokens, as data and as text together, for megabytes of %s",
    (_n, word) => {
      const text = word.repeat(Math.ceil(2_000_000 / word.length));
      const url = `https://a.example/${"path-".repeat(40)}`;
      const results = Array.from({ length: 5 }, () => ({ title: text, url, content: text }));
      const shown = shownAnswer({ answer: text, results }, 5);
      expect(shown.answer.endsWith("[cut]")).toBe(true);
      // Once the address was too long to be shown, and nothing was counted.
      expect(shown.results.map((one) => one.content.endsWith("[cut]"))).toEqual(
        Array.from({ length: 5 }, () => true),
      );
      const data = countTokens(JSON.stringify(shown));
      const lines = shown.results.flatMap((one) => [one.title, one.url, one.content]);
      const asText = [shown.answer, ...lines].join("\n");
      expect(data + countTokens(asText)).toBeLessThan(24_500);
    },
  );
});
