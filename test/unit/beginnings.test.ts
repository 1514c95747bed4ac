import { describe, expect, test } from "vitest";
import { Beginnings } from "../../src/ingest/codes/beginnings.ts";

const words = "pin|schlüssel|парол|码|en";
const pattern = new RegExp(words, "y");
const anyWord = new Beginnings(pattern, words.split("|"));
const wholeWord = new Beginnings(pattern, words.split("|"), { isWhole: true });

const found = (beginnings: Beginnings, text: string): string[] =>
  beginnings.placesOf(text).map(({ start, end }) => text.slice(start, end));

describe("beginnings of words", () => {
  test("finds words at the beginning, inside and at the end of a text", () => {
    expect(found(anyWord, "pin, spindel, der pin")).toEqual(["pin", "pin", "pin"]);
    expect(found(anyWord, "en")).toEqual(["en"]);
    expect(found(anyWord, "")).toEqual([]);
  });

  test("finds words with other letters than those of ASCII", () => {
    expect(found(anyWord, "ihr schlüssel, ваш пароль, 验证码")).toEqual([
      "schlüssel",
      "парол",
      "码",
    ]);
  });

  test("leaves out words behind a letter if words are whole", () => {
    expect(found(wholeWord, "spin pin \npin openen")).toEqual(["pin", "pin"]);
  });

  test("finds a word in a text that is longer than most", () => {
    const text = `${"ab ".repeat(9_000)}pin`;
    expect(anyWord.placesOf(text)).toEqual([{ start: 27_000, end: 27_003 }]);
    expect(found(anyWord, "no")).toEqual([]);
  });

  test("finds the same places as the pattern in words of random letters", () => {
    let state = 1;
    const text = Array.from({ length: 4_000 }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return "pines hlüпарол码"[state % 16];
    }).join("");
    expect(found(anyWord, text)).toEqual(text.match(new RegExp(words, "g")));
  });
});
