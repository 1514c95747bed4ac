import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Beginnings } from "../../src/ingest/codes/beginnings.ts";
import { findKeys } from "../../src/ingest/codes/find-keys.ts";
import { mayHaveCode } from "../../src/ingest/codes/learned/find-learned.ts";
import { wideCandidatesIn } from "../../src/ingest/codes/learned/wide-candidates.ts";
import { halfWidth } from "../../src/ingest/codes/text-forms.ts";
import {
  beginningOf,
  forgetPass,
  groupsIn,
  hasSign,
  keepPass,
  startsIn,
  textSigns,
} from "../../src/ingest/codes/text-pass.ts";
import { numbers } from "../fixtures/codes.ts";

const folder = new URL("../fixtures/codes/", import.meta.url);
const lines = readdirSync(folder)
  .filter((file) => file.endsWith(".txt"))
  .flatMap((file) => readFileSync(new URL(file, folder), "utf8").split("\n"))
  .map((line) => line.replace(/[«»]/g, "").replaceAll("\\n", "\n"));

const next = numbers(1);
const signs = Array.from("aBcDéİ4٤－-/. 一\n");
const made = Array.from({ length: 3_000 }, () =>
  Array.from({ length: 40 }, () => signs[next(signs.length)]).join(""),
);
const words = ["abcd", "EFGH", "ij", "é", "-"];
const grouped = Array.from({ length: 3_000 }, () =>
  Array.from({ length: 12 }, () => words[next(words.length)]).join(" -"[next(2)] ?? ""),
);
const texts = [...lines, ...made, ...grouped];

describe("the pass over a text", () => {
  // A sign that the pass misses would leave codes readable.
  it.each([
    ["digit", /\d/],
    ["han", /[\u3000-\uFFFF]/],
    ["slashes", /:\/\//],
    ["hyphen", /[A-Za-zÀ-ÖØ-öø-ʯ]-[A-Za-zÀ-ÖØ-öø-ʯ]/],
    ["capitals", /[A-Z]{4}/],
  ] as const)("finds every text with the sign %s", (name, pattern) => {
    const having = texts.filter((text) => pattern.test(text));
    expect(having.length).toBeGreaterThan(10);
    expect(having.filter((text) => !hasSign(text, textSigns[name]))).toEqual([]);
    if (name !== "han") expect(having.filter((text) => !mayHaveCode(text))).toEqual([]);
  });

  it("finds every character that has another width", () => {
    for (let unit = 0; unit < 65_536; unit += 1) {
      const text = String.fromCharCode(unit);
      // The sign that makes an emoji of another character changes only beside those with a width.
      if (halfWidth(text) !== text) expect(hasSign(text, textSigns.wide), text).toBe(true);
    }
  });

  it("finds four groups of four letters in a row", () => {
    const group = /(?<![A-Za-z])[a-z]{4}([ -])(?:[a-z]{4}\1){2}[a-z]{4}(?![A-Za-z])/gi;
    let count = 0;
    for (const text of texts)
      for (const { index } of text.matchAll(group)) {
        count += 1;
        expect(groupsIn(text), text).toContain(index);
      }
    expect(count).toBeGreaterThan(10);
  });

  it("tells that an ordinary sentence has no code", () => {
    expect(mayHaveCode("Lunch on Friday\n\nShall we go to that place? Yours, Tom")).toBe(false);
    expect(mayHaveCode("")).toBe(false);
  });

  // Every second message without a number was searched in full for beginnings of words that it had by chance.
  it("tells that beginnings of other words and groups of ordinary words are no sign of a code", () => {
    expect(mayHaveCode("pinapo motela taba")).toBe(false);
    expect(mayHaveCode("come here with your best song each time")).toBe(false);
    expect(mayHaveCode("会议东京都庁明天下午项目")).toBe(false);
  });

  // Two digits in a row, and `be` before any character, counted as beginnings of `12 words` and of `beş`.
  it("sees no word in numbers and in words of which only the first letters are the same", () => {
    const text = "2024-12-15 10:12:20 [1521] be quick, be 24 or 18";
    for (let list = 0; list < 16; list += 1) expect(startsIn(text, list), `${list}`).toEqual([]);
    expect(
      wideCandidatesIn("Her 12 words:\n\nriver candle tiger bottle garden pillow rocket spoon"),
    ).not.toEqual([]);
    expect(mayHaveCode("bir iki üç dört beş altı")).toBe(true);
  });

  it("finds the same in the beginning of a text as in the beginning alone", () => {
    const whole = texts.join("\n");
    for (const characters of [100, 3_333, 20_000, 59_999]) {
      const alone = wideCandidatesIn(whole.slice(0, characters));
      forgetPass();
      hasSign(whole, textSigns.digit);
      expect(wideCandidatesIn(beginningOf(whole, characters))).toEqual(alone);
      forgetPass();
    }
    expect(beginningOf("short", 60_000)).toBe("short");
  });

  it("finds the same in a text with other blanks and without asterisks, without reading it again", () => {
    const spaced = texts.filter((one) => one.includes(" "));
    for (const text of spaced.filter((_, index) => index % 8 === 0)) {
      const alone = wideCandidatesIn(text);
      forgetPass();
      const given = text.replaceAll(" ", "\u00A0");
      hasSign(given, textSigns.digit);
      keepPass(text, given);
      expect(wideCandidatesIn(text), text).toEqual(alone);
      forgetPass();
    }
  });

  it("finds no code in a text that it lets pass", () => {
    const passed = texts.filter((text) => !mayHaveCode(text));
    expect(passed.length).toBeGreaterThan(100);
    const found = passed.filter(
      (text) => wideCandidatesIn(text).length > 0 || findKeys(text, 0, 0).length > 0,
    );
    expect(found).toEqual([]);
  });

  it("counts the words of a list that needs several", () => {
    new Beginnings(/purple|yellow/y, ["purple", "yellow"], { isWhole: true, least: 3 });
    expect(mayHaveCode("a purple cat and a yellow one")).toBe(false);
    expect(mayHaveCode("purple yellow PURPLE")).toBe(true);
  });
});
