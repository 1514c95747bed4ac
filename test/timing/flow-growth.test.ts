import { expect, it } from "vitest";
import { compare } from "../../src/core/flow/compare.ts";
import { examineAfter } from "../fakes/flow-with.ts";
import { given } from "../fixtures/flow/contents.ts";
import { growthBy2 } from "../fixtures/growth.ts";

it.each([
  ["hexadecimal", (at: number) => ((at * 7919) % 256).toString(16).padStart(2, "0")],
  ["digits", (at: number) => String((at * 7919) % 1_000)],
  ["groups of digits", (at: number) => `${(at * 7919) % 100_000} `],
  [
    "number words without spaces",
    (at: number) => ["vier", "tausend", "sieben", "hundert"][at % 4] ?? "",
  ],
  ["letters that stand for digits", (at: number) => "oilzeastbg"[(at * 7) % 10] ?? ""],
  ["addresses", (at: number) => `a.b${(at * 7919) % 1_000}@example.org, `],
  ["a table", (at: number) => `${(at * 7919) % 10_000};2026-11-0${at % 9};${at % 100}.50\n`],
])("a comparison needs time in proportion to the length of the text: %s", async (_shape, next) => {
  const numbers = Array.from({ length: 300 }, (_, at) => `order ${100_000 + at * 7919}`);
  // Nothing is rare, so that each text is compared as a whole.
  const examine = await examineAfter(["The door code is 4711-KX.", ...numbers], 150);
  const textOf = (length: number): string => {
    let text = "";
    for (let at = 0; text.length < length; at += 1) text += next(at);
    return text.slice(0, length);
  };
  expect(await examine(textOf(10_000))).toBeUndefined();
  expect(await growthBy2(textOf, examine, 30_000, 3)).toBeLessThan(3);
});

// A row of number words filled the memory.
it.each(["onetwo", "aB3x ", "12 34 ", "\u200B\u200C", "!#$%ab "])(
  "a long text of %j is compared",
  (part) => {
    const text = `${part.repeat(20_000)} 84QX71KM90`;
    const ledger = given(["Your licence is 84QX71KM90.", "The door opens with 226336."]);
    const matches = compare({ text, earlier: [] }, ledger, { mails: 2_000, of: () => 1 });
    expect(matches.length).toBeGreaterThan(0);
  },
);
