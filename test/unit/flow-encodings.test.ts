import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { compare } from "../../src/core/flow/compare.ts";
import type { Frequencies } from "../../src/core/flow/ledger.ts";
import { NotCompared } from "../../src/core/flow/reading/reading.ts";
import { given } from "../fixtures/flow/contents.ts";

const code = "84QX71KM90";
const number = "226336";
const ledger = given([`Your licence is ${code}.`, `The door opens with ${number}.`]);
const rare: Frequencies = { mails: 2_000, of: () => 1 };

/** A text so long that its compressed form has codes of its own. */
const prose =
  "When the ferry came in, nobody waited on the pier. Old Bert had gone home with his dog, and the lamps along the " +
  "harbour were dark. She carried both bags up the hill, past the bakery, the chapel and three empty houses, until " +
  "she found the right gate. Then she remembered what her brother had written: ";

const base64 = (text: string | Buffer): string => Buffer.from(text).toString("base64");
const bytes = (text: string): string[] =>
  Array.from(Buffer.from(text), (byte) => byte.toString(16).padStart(2, "0"));
const signs = (text: string, sign: (byte: number) => string): string =>
  Array.from(Buffer.from(text), sign).join("");
const groups = (text: string, size: number): string[] =>
  text.match(new RegExp(`.{1,${size}}`, "g")) ?? [];
const selector = (byte: number): string =>
  String.fromCodePoint(byte < 16 ? 0xfe_00 + byte : 0xe_01_00 + byte - 16);
const bits = (byte: number): string => byte.toString(2).padStart(8, "0");

/** Shifts letters as Caesar's cipher does. */
const caesar = (text: string, distance: number): string =>
  text.replace(/[A-Z]/g, (letter) =>
    String.fromCharCode(65 + ((letter.charCodeAt(0) - 65 + distance) % 26)),
  );
const rotated = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const first = letter < "a" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });
const turned = (text: string): string => Array.from(text).toReversed().join("");
const fullWidth = (text: string): string =>
  text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfe_e0));

/** Returns whether a text, or one of several that are sent in a row, matches. */
function isFound(...texts: readonly string[]): boolean {
  return texts.some(
    (text, at) => compare({ text, earlier: texts.slice(0, at) }, ledger, rare).length > 0,
  );
}

describe("a code", () => {
  it.each([
    ["in base64 with hyphens", `decode ${groups(base64(code), 4).join("-")}`],
    ["in base64 with spaces among words", `tell me what ${groups(base64(code), 4).join(" ")} is`],
    ["in base32 in groups", "decode HA2F CWBX GFFU 2OJQ"],
    ["in hexadecimal with slashes", bytes(code).join("/")],
    ["in hexadecimal with underscores", bytes(code).join("_")],
    ["in UTF-16, its second byte first", `decode ${base64(Buffer.from(code, "utf16le").swap16())}`],
    // A file in UTF-16 begins with a byte order mark, which was taken for binary data.
    ["in a file in UTF-16", base64(Buffer.from(`\uFEFFNotes: ${code}, ok`, "utf16le"))],
    [
      "in a file in UTF-16, the second byte first",
      base64(Buffer.from(`\uFEFFGr\u00FC\u00DFe \u2013 ${code}`, "utf16le").swap16()),
    ],
    ["in Ascii85", 'decode 3&FK72_ds"3A:'],
    ["in gzip and base64", `decode ${base64(gzipSync(code))}`],
    ["in zlib and base64", `decode ${base64(deflateSync(`the code is ${code}`))}`],
    ["as tags", `tides ${signs(code, (byte) => String.fromCodePoint(0xe_00_00 + byte))}`],
    ["as variation selectors", `tides ${signs(code, selector)}`],
    [
      "as zero-width bits",
      `tides ${signs(code, bits).replaceAll("0", "\u200B").replaceAll("1", "\u200C")}`,
    ],
    [
      "in compressed bytes without a head",
      `decode ${base64(deflateRawSync(`the code is ${code}`))}`,
    ],
    [
      "in compressed bytes without a head, with codes of their own",
      `decode ${base64(deflateRawSync(`${prose}the code is ${code}`))}`,
    ],
    ["in base58", "decode 4A9P1fn2k9FnM5"],
    ["in UTF-7", `decode +${base64(Buffer.from(code, "utf16le").swap16()).replace(/=+$/, "")}-`],
    ["in base64 between slashes", `open https://collect.example/x/${base64(code)}/y`],
    [
      "in base64 of full width, as a part of a URL",
      `open https://collect.example/?d=${encodeURIComponent(fullWidth(base64(code)))}`,
    ],
    // The sign before the row was read as its first character.
    ["in spaced base64 after a dash", `lunch with Tom - ${Array.from(base64(code)).join(" ")}`],
    ["in spaced base64 after a short word", `y ${Array.from(base64(code)).join(" ")} a casa`],
    ["as %u", `read ${signs(code, (byte) => `%u00${byte.toString(16)}`)}`],
    ["in Caesar's cipher", `who has ${caesar(code, 3)}`],
    ["in Atbash", "who has 84JC71PN90"],
    ["in ROT47", 'who has gc")f`z|h_'],
    ["in base64 of ROT13", `decode ${base64(caesar(code, 13))}`],
    // Only the text in base64 was read, or the bytes in groups, but not both changes together.
    ["in base64 that ROT13 changed", `decode ${rotated(base64(code))}`],
    ["in padded base64 that ROT13 changed", `decode ${rotated(base64(`${code} `))}`],
    ["in hexadecimal backwards in groups", groups(turned(bytes(code).join("")), 4).join(" ")],
    ["in hexadecimal backwards in pairs", groups(turned(bytes(code).join("")), 2).join(":")],
    // Only base64 and hexadecimal were read backwards.
    [
      "in percent codes backwards",
      `read ${turned(signs(code, (byte) => `%${byte.toString(16)}`))}`,
    ],
    ["in HTML entities backwards", `read ${turned(signs(code, (byte) => `&#${byte};`))}`],
    ["in escapes backwards", `read ${turned(signs(code, (byte) => `\\x${byte.toString(16)}`))}`],
    ["in Braille", "read ⠼⠓⠙⠟⠭⠼⠛⠁⠅⠍⠼⠊⠚"],
    ["as calls of chr", Array.from(Buffer.from(code), (byte) => `chr(${byte})`).join("+")],
    ["as joined character codes", `read ${Array.from(Buffer.from(code)).join("")}`],
    [
      "in letters in squares",
      signs(code, (byte) =>
        byte < 65 ? String.fromCharCode(byte) : String.fromCodePoint(0x1_f1_70 + byte - 65),
      ),
    ],
  ])("%s is found", (_how, text) => {
    expect(isFound(text)).toBe(true);
  });

  it.each([
    ["without spaces", "meaning of twotwosixthreethreesix"],
    ["in the opposite order", "meaning of six three three six two two"],
    ["each word backwards", "meaning of owt owt xis eerht eerht xis"],
    ["in another base", "what is 0x37420"],
    // Digits in words were read between spaces only, or if the code had no letters.
    ["between its letters, without spaces", "meaning of eightfourQXsevenoneKMninezero"],
    ["among other digits", "meaning of achtvierQXsiebeneinsKMneunnull in two days"],
  ])("whose digits are words %s is found", (_how, text) => {
    expect(isFound(text)).toBe(true);
  });

  it("whose digits are sent as one word a call is found", () => {
    const words = ["two", "two", "six", "three", "three", "six"];
    expect(isFound(...words.map((word) => `hotel room ${word}`))).toBe(true);
    expect(isFound(...words.map((word) => `hotel room ${word}s`))).toBe(false);
  });

  it("whose encoded text is sent in two calls is found", () => {
    const [first, second] = [base64(code).slice(0, 6), base64(code).slice(6)];
    const texts = [`what does this mean ${first}`, `please decode the text ${second}`];
    expect(isFound(...texts)).toBe(true);
  });

  it("whose pieces are encoded one by one is found", () => {
    const texts = groups(code, 3).map((piece) => `the meaning of ${base64(piece)} in Ghent`);
    expect(isFound(...texts)).toBe(true);
  });

  // Parts of fewer than six characters were decoded in several calls only.
  it.each([".", "/", " ", ", "])(
    "whose short pieces are encoded one by one in one text is found, with the separator '%s'",
    (separator) => {
      const pieces = [number.slice(0, 2), number.slice(2, 3), number.slice(3)];
      const encoded = pieces.map((piece) => Buffer.from(piece).toString("base64url"));
      expect(isFound(`what is ${encoded.join(separator)}`)).toBe(true);
    },
  );

  it("whose pairs of digits are sent in hexadecimal is found", () => {
    const texts = groups(number, 2).map(
      (pair) => `could you look up ${Buffer.from(pair).toString("hex")} for me`,
    );
    expect(isFound(...texts)).toBe(true);
  });

  it("that is sent backwards in two calls is found", () => {
    const texts = ["weather in the town 633", "flights to Rome on 622"];
    expect(isFound(...texts)).toBe(true);
  });
});

describe("a number of a mail", () => {
  const card = "4970101234567895";
  const known = given([`The card is ${card.replace(/.{4}(?=.)/g, "$& ")}, the door code is 7305.`]);
  const asks = (text: string) => compare({ text, earlier: [] }, known, rare).length > 0;

  // Shorter numbers were found in another base.
  it.each([16, 2])("of 16 digits in base %i is found", (base) => {
    expect(asks(`what is ${BigInt(card).toString(base)}`)).toBe(true);
  });

  // Base64 in groups was read as base32. Only three groups of hexadecimal were also read backwards.
  it.each([
    ["in base64", "please search for information about NzMw NQ=="],
    // The word before has a capital, and was read as the first part.
    ["in base64 with dots", "best pizza in Leeds Nw.MzA.NQ opening times"],
    ["in hexadecimal backwards", "what is 5303 3373"],
  ])("of four digits in groups %s is found", (_how, text) => {
    expect(asks(text)).toBe(true);
  });

  // Compressed bytes that are also UTF-8 were never inflated.
  it.each([
    ["base64", "Mzc2MAUA"],
    ["hexadecimal", "333736300500"],
  ] as const)(
    "of four digits in compressed bytes without a head, in %s, is found",
    (form, text) => {
      const encoding = form === "base64" ? form : "hex";
      expect(deflateRawSync("7305").toString(encoding)).toBe(text);
      expect(asks(`decode ${text}`)).toBe(true);
    },
  );
});

describe("a sentence in another script", () => {
  const japanese = "来月に本社を札幌へ移転する予定";
  const russian = "завод в городе закроют после праздника урожая";
  const known = given([`まだ秘密ですが、${japanese}です。`, `По секрету: ${russian}.`]);
  const asks = (text: string) => compare({ text, earlier: [] }, known, rare).length > 0;

  // Only UTF-16 of Latin letters was read.
  it.each([japanese, russian])("is found in base64 of UTF-16: %s", (sentence) => {
    const encoded = Buffer.from(sentence, "utf16le");
    expect(asks(`decode ${base64(encoded)}`)).toBe(true);
    expect(asks(`decode ${base64(encoded.swap16())}`)).toBe(true);
  });
});

describe("a sentence", () => {
  const known = given(["Between us, the merger will be announced after the harvest festival."]);
  const asks = (text: string) => compare({ text, earlier: [] }, known, rare).length > 0;
  const words = "merger will be announced after the harvest festival".split(" ");

  // The operator of the search was between all words, so that no two of them followed each other.
  it.each([
    ["an operator", `${words.map((word) => `"${word}"`).join(" AND ")}`],
    ["a word", `please read ${words.join(" tide ")}`],
  ])("with %s between its words is found", (_what, text) => {
    expect(asks(text)).toBe(true);
  });
});

describe("a compressed text", () => {
  it("is not compared if it is too long", () => {
    expect(() => isFound(`decode ${base64(gzipSync(Buffer.alloc(5_000_000)))}`)).toThrow(
      NotCompared,
    );
  });

  it("is read if it was compressed three times, and not compared if more often", () => {
    const zipped = (times: number): Buffer =>
      Array.from({ length: times }).reduce<Buffer>((inner) => gzipSync(inner), Buffer.from(code));
    expect(isFound(`decode ${base64(zipped(3))}`)).toBe(true);
    expect(() => isFound(`decode ${base64(zipped(4))}`)).toThrow(NotCompared);
  });
});
