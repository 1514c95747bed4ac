import { describe, expect, it } from "vitest";
import { effectOf } from "../../src/core/approvals/effect.ts";
import { shownName, shownValue, visible } from "../../src/core/shared/text/visible.ts";
import type { EffectFound, Tool } from "../../src/core/tool/tool.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { catalog } from "../../src/tools/catalog.ts";
import { documentation } from "../../src/tools/documentation.ts";

const tool = {
  title: "Delete a thing",
  operation: "removes" as const,
  mentions: ["key"],
  describe: ({ key }: Readonly<Record<string, unknown>>) => `delete ${String(key)}`,
};

/** Characters that could make a text look like another one, and their visible form. */
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

  it("leaves visible characters unchanged", () => {
    const plain = "Grüße, 日本語, العربية, e\u0301, 🎉 and 'quotes'";
    expect(visible(plain)).toBe(plain);
  });
});

describe("a value in a request [effect.values]", () => {
  it("is in quotes that it cannot close", () => {
    expect(shownValue('a" and nothing else')).toBe('"a\\" and nothing else"');
  });

  it("is shown as JSON if it is not a string", () => {
    expect(shownValue(5)).toBe("5");
    expect(shownValue(true)).toBe("true");
    expect(shownValue(["a", { b: 1 }])).toBe('["a",{"b":1}]');
    expect(shownValue({ text: "a\u202Eb" })).toBe('{"text":"a\\u{202E}b"}');
  });

  it("is shown in full up to 600 characters", () => {
    expect(shownValue("x".repeat(600))).toBe(`"${"x".repeat(600)}"`);
  });

  it("is cut after 600 characters, with the number of omitted ones", () => {
    expect(shownValue("x".repeat(601))).toBe(`"${"x".repeat(600)}" and 1 more`);
    expect(shownValue("🎉".repeat(1_000))).toBe(`"${"🎉".repeat(600)}" and 400 more`);
  });

  it("takes one line even if each of its characters is escaped", () => {
    expect(shownValue("\n".repeat(700))).toBe(`"${"\\n".repeat(600)}" and 100 more`);
  });
});

describe("a name in a headline [effect.values]", () => {
  it("is in quotes that it cannot close", () => {
    expect(shownName('plan.md", 3 bytes')).toBe('"plan.md\\", 3 bytes"');
  });

  it("is shown in full up to 80 characters, and beyond without its middle", () => {
    expect(shownName("x".repeat(80))).toBe(`"${"x".repeat(80)}"`);
    expect(shownName(`${"a".repeat(60)}${"b".repeat(440)}.md`)).toBe(
      `"${"a".repeat(50)}…${"b".repeat(22)}.md"`,
    );
  });

  it.each(["\n", '"', "\\", "\u202E", "🎉", "é\u0301\u0301"])(
    "never takes more than 80 characters, nor a partial escape, for %j",
    (character) => {
      const shown = shownName(character.repeat(200));
      expect(shown.length).toBeLessThanOrEqual(82);
      expect(shown.slice(1, -1).replaceAll(/\\u\{[0-9A-F]+\}|\\["\\n]/g, "")).not.toMatch(/[\\"]/);
    },
  );
});

describe("a visible text", () => {
  it("shows stacked marks as escapes, and keeps those of real words", () => {
    expect(visible(`a${"\u0301".repeat(5)}`)).toBe(`a${"\u0301".repeat(3)}\\u{0301}\\u{0301}`);
    for (const word of ["Tiếng Việt".normalize("NFD"), "ที่นี่", "בְּרֵאשִׁית"])
      expect(visible(word)).toBe(word);
  });
});

describe("letters that look like Latin ones", () => {
  it.each([
    ["in a Latin word", "p\u0430ypal.com", String.raw`p\u{0430}ypal.com`],
    [
      "as a whole word of an address",
      "ann@\u0441\u043E\u0440.example",
      String.raw`ann@\u{0441}\u{043E}\u{0440}.example`,
    ],
    [
      "as a whole word of a URL",
      "open https://my-\u0441\u043E\u0440.com/a",
      String.raw`open https://my-\u{0441}\u{043E}\u{0440}.com/a`,
    ],
    ["of Greek", "inv\u03BFice", String.raw`inv\u{03BF}ice`],
    ["after a backslash", "C:\\\u0430pple", String.raw`C:\\\u{0430}pple`],
  ])("are shown as escapes %s", (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it.each([
    "Привет, мир. Оса и сор.",
    "Отчёт за март.pdf",
    "ТЕСТ.txt и СМЕТА_2026.xlsx",
    "почта@пример.example",
    "USB-кабель, 5 kΩ, α-Tocopherol",
    "Οι τιμές αυξάνονται",
    "1С и С#",
  ])("are unchanged in %s", (text) => {
    expect(visible(text)).toBe(text);
  });

  it("are unchanged after the escape of a line", () => {
    expect(visible("Оса\nОса")).toBe(String.raw`Оса\nОса`);
    expect(shownValue({ text: "Оса\n\u001FОса" })).toBe(String.raw`{"text":"Оса\\n\\u001fОса"}`);
  });
});

describe("the effect of a call", () => {
  const found: EffectFound = {
    headline: 'Delete the thing "a.txt", 12 kB',
    mentions: ["key"] as never[],
    facts: [{ label: "made by", value: "you" }],
    forClient: {
      headline: "Delete a thing of yours",
      mentions: ["key"] as never[],
      withheld: "its name",
    },
  };
  const deleted = { key: "a.txt", why: "it is old" };

  it("lists for the model the caller's arguments, and no fact of the target [effect.model-sees-no-facts]", () => {
    expect(effectOf(tool, deleted, found).forModel).toEqual({
      headline: "Delete a.txt",
      facts: [{ label: "why", value: '"it is old"' }],
    });
  });

  it("shows an argument's name with every character visible", () => {
    // A name could be turned around by a bidi override, or look like another one.
    const args = { "\u202Eyek": "a", "to\u200B": "b" };
    const lines = [
      { label: "\\u{202E}yek", value: '"a"' },
      { label: "to\\u{200B}", value: '"b"' },
    ];
    expect(effectOf({ ...tool, mentions: [] }, args)).toMatchObject({
      forModel: { facts: lines },
      forPerson: { facts: lines },
      forDialog: { facts: lines },
    });
  });

  it("states for the person the effect, then the facts, then the other arguments [effect.headline]", () => {
    expect(effectOf(tool, deleted, found).forPerson).toEqual({
      headline: 'Delete the thing "a.txt", 12 kB',
      facts: [
        { label: "made by", value: "you" },
        { label: "why", value: '"it is old"' },
      ],
    });
  });

  it("shows in a dialog only facts that the client may read, and names the others", () => {
    expect(effectOf(tool, deleted, found).forDialog).toEqual({
      headline: "Delete a thing of yours",
      facts: [{ label: "why", value: '"it is old"' }],
      withheld: "its name",
    });
    const all: EffectFound = { ...found, forClient: "all" };
    const effect = effectOf(tool, deleted, all);
    expect(effect.forDialog).toEqual(effect.forPerson);
  });

  it("states the tool's action without any facts", () => {
    const { forPerson } = effectOf(tool, { key: "a.txt" });
    expect(forPerson).toEqual({ headline: "Delete a.txt", facts: [] });
  });

  it("starts with a note about an earlier request", () => {
    const effect = effectOf(tool, deleted, found, { lead: "done once at 14:02 UTC" });
    const note = { label: "note", value: "done once at 14:02 UTC" };
    for (const rendering of [effect.forModel, effect.forPerson, effect.forDialog])
      expect(rendering.facts[0]).toEqual(note);
  });

  it("leaves out absent arguments", () => {
    expect(effectOf(tool, { why: "x", other: undefined }).forModel.facts).toHaveLength(1);
  });

  it("lists an argument that is too long for a headline in any case", () => {
    const key = "k".repeat(81);
    const { forModel, forPerson } = effectOf(tool, { key }, found);
    expect(forModel.facts).toEqual([{ label: "key", value: `"${key}"` }]);
    expect(forPerson.facts.at(-1)).toEqual({ label: "key", value: `"${key}"` });
  });

  it("has no headline that a text of the caller could break or fill", () => {
    const { headline } = effectOf(tool, { key: `x\n\u202E${"y".repeat(9_000)}` }).forModel;
    expect(headline).toMatch(/^Delete x\\n\\u\{202E\}y+…$/);
    expect(headline.length).toBeLessThanOrEqual(300);
  });

  it("escapes and cuts facts too, because they may be untrusted text", () => {
    const facts = [{ label: "title", value: `\u202E${"x".repeat(700)}` }];
    const { forPerson } = effectOf(tool, {}, { ...found, facts });
    expect(forPerson.facts[0]?.value).toBe(`\\u{202E}${"x".repeat(599)} and 101 more`);
  });
});

const tools: readonly Tool<Ports>[] = catalog;

// The request of seven tools with a floor contained their main argument twice: in the first line and in the second.
describe("the effect of each tool [elicitation.three-lines]", () => {
  const calls = tools.flatMap((each) =>
    documentation[each.name]!.examples.map((example) => [each.name, each, example] as const),
  );

  it.each(calls)("%s repeats no argument of its headline", (_name, each, example) => {
    const { headline, facts } = effectOf(each, each.input.parse(example.arguments)).forDialog;
    const bare = (value: string) => value.replace(/^"|"$/g, "");
    const words = facts.filter(({ value }) => /^".{3,}"$/.test(value));
    expect(words.filter(({ value }) => headline.includes(bare(value)))).toEqual([]);
  });

  it.each(calls)("%s shows each text among its arguments", (_name, each, example) => {
    const args = each.input.parse(example.arguments);
    const { headline, facts } = effectOf(each, args).forDialog;
    const shown = [headline, ...facts.map(({ value }) => value)].join("\n");
    // An id of a request means nothing to a person, and one occurrence is the default.
    const implied = ["approvalId", "scope"];
    const given = Object.entries(args).filter(([name]) => !implied.includes(name));
    const texts = given.map(([, value]) => value).filter((value) => typeof value === "string");
    const missing = texts.filter(
      (text) => !shown.includes(shownValue(text.slice(0, 60)).slice(1, -1)),
    );
    expect(missing).toEqual([]);
  });
});
