import { describe, expect, it } from "vitest";
import { z } from "zod";
import { effectOf, shownValue, visible } from "../../src/core/effect.ts";
import type { ToolContract } from "../../src/core/tool.ts";

const tool: ToolContract = {
  name: "delete_thing",
  title: "Delete a thing",
  description: "Deletes a thing.",
  risk: "high",
  does: "removes",
  openWorld: false,
  idempotent: true,
  needs: [],
  input: z.strictObject({}),
  output: z.object({}),
};

/** What could make a text look like another one, and how it is shown instead. */
const deceptive: readonly [string, string, string][] = [
  ["a line feed", "a\nb", "a\\nb"],
  ["a carriage return", "a\rb", "a\\rb"],
  ["a tab", "a\tb", "a\\tb"],
  ["NUL", "a\0b", "a\\u{0000}b"],
  ["an escape sequence of terminals", "\u001B[2J", "\\u{001B}[2J"],
  ["a C1 control", "\u009B2J", "\\u{009B}2J"],
  ["the right-to-left override", "gpj.\u202Eexe", "gpj.\\u{202E}exe"],
  ["bidi isolates", "\u2066a\u2069", "\\u{2066}a\\u{2069}"],
  ["a zero-width space", "pay\u200Bpal", "pay\\u{200B}pal"],
  ["a zero-width joiner", "a\u200Db", "a\\u{200D}b"],
  ["a byte order mark", "\uFEFFa", "\\u{FEFF}a"],
  ["a soft hyphen", "a\u00ADb", "a\\u{00AD}b"],
  ["a no-break space", "a\u00A0b", "a\\u{00A0}b"],
  ["a Hangul filler", "a\u3164b", "a\\u{3164}b"],
  ["a braille blank", "a\u2800b", "a\\u{2800}b"],
  ["a line separator", "a\u2028b", "a\\u{2028}b"],
  ["a tag character", "a\u{E0041}b", "a\\u{E0041}b"],
  ["a variation selector", "a\uFE0Fb", "a\\u{FE0F}b"],
  ["a private character", "a\uE000b", "a\\u{E000}b"],
  ["half of a character", "a\uD800b", "a\\u{D800}b"],
  ["a backslash, so that no escape can be faked", "\\u{202E}", "\\\\u{202E}"],
];

describe("a text that a person decides on [effect.visible]", () => {
  it.each(deceptive)("makes %s visible", (_what, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it("leaves what everybody sees as it is", () => {
    const plain = "Grüße, 日本語, العربية, e\u0301, 🎉 and 'quotes'";
    expect(visible(plain)).toBe(plain);
  });

  it("is different for different texts, for every character there is", () => {
    const shown = new Set<string>();
    for (let code = 0; code <= 0xffff; code += 1) shown.add(visible(String.fromCharCode(code)));
    expect(shown.size).toBe(0x1_0000);
  });

  it("never breaks a line, for every character there is", () => {
    const all = Array.from({ length: 0x30000 }, (_, code) => String.fromCodePoint(code));
    expect(visible(all.join(""))).not.toMatch(/[\n\r\v\f\u0085\u2028\u2029]/);
  });
});

describe("a value in a request [effect.values]", () => {
  it("stands in quotes that it cannot close", () => {
    expect(shownValue('a" and nothing else')).toBe('"a\\" and nothing else"');
  });

  it("is shown as JSON where it is no text", () => {
    expect(shownValue(5)).toBe("5");
    expect(shownValue(true)).toBe("true");
    expect(shownValue(["a", { b: 1 }])).toBe('["a",{"b":1}]');
    expect(shownValue({ text: "a\u202Eb" })).toBe('{"text":"a\\u{202E}b"}');
  });

  it("is shown in full up to 600 characters", () => {
    expect(shownValue("x".repeat(600))).toBe(`"${"x".repeat(600)}"`);
  });

  it("is cut after 600 characters, and says how many are left out", () => {
    expect(shownValue("x".repeat(601))).toBe(`"${"x".repeat(600)}" and 1 more`);
    expect(shownValue("🎉".repeat(1_000))).toBe(`"${"🎉".repeat(600)}" and 400 more`);
  });

  it("takes one line also when each of its characters is escaped", () => {
    expect(shownValue("\n".repeat(700))).toBe(`"${"\\n".repeat(600)}" and 100 more`);
  });
});

describe("the effect of a call", () => {
  const found = { facts: [{ label: "size", value: "12 kB" }], clientMayRead: false };

  it("has the caller's arguments and no fact of the target in the model's rendering [effect.model-sees-no-facts]", () => {
    const effect = effectOf(tool, { key: "a.txt" }, found);
    expect(effect.forModel).toEqual([{ label: "key", value: '"a.txt"' }]);
    expect(JSON.stringify({ title: effect.title, forModel: effect.forModel })).not.toContain("12");
  });

  it("has both in the person's rendering", () => {
    const effect = effectOf(tool, { key: "a.txt" }, found);
    expect(effect.forPerson).toEqual([
      { label: "key", value: '"a.txt"' },
      { label: "size", value: "12 kB" },
    ]);
    expect(effect.title).toBe("Delete a thing");
    expect(effect.clientMayRead).toBe(false);
  });

  it("says first what became of an earlier request", () => {
    const effect = effectOf(tool, { key: "a.txt" }, found, "done once at 14:02 UTC");
    expect(effect.forModel[0]).toEqual({ label: "note", value: "done once at 14:02 UTC" });
    expect(effect.forPerson[0]).toEqual({ label: "note", value: "done once at 14:02 UTC" });
  });

  it("leaves out what was not given", () => {
    expect(effectOf(tool, { key: "a", other: undefined }).forModel).toHaveLength(1);
  });

  it("makes a fact visible and cuts it too, because strangers may have written it", () => {
    const fact = { label: "title", value: `\u202E${"x".repeat(700)}` };
    const { forPerson } = effectOf(tool, {}, { facts: [fact], clientMayRead: false });
    expect(forPerson[0]?.value).toBe(`\\u{202E}${"x".repeat(599)} and 101 more`);
  });
});
