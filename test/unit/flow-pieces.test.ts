import { describe, expect, it } from "vitest";
import { compare } from "../../src/core/flow/compare.ts";
import type { Frequencies } from "../../src/core/flow/ledger.ts";
import { given } from "../fixtures/flow/contents.ts";

const rare: Frequencies = { mails: 200, of: () => 1 };
const address = "maren.tolkmitt@fjordwerk.example";
const url = "https://cloud.tolkmitt.example/share/qwe482";
const ledger = given([
  "Hello, the train leaves at nine.",
  `Write to ${address}, or open ${url} today. The account is NL41 5520 7731 9046 28. The locker takes RT-68352.`,
  "Please tell nobody, but our aunt wants to adopt the twins before the trial begins.",
  "誰にも言わないでください。叔母は双子を養子に迎えたいと言っています。",
]);

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const hex = (text: string): string => Buffer.from(text).toString("hex");
const backwards = (text: string): string => Array.from(text).toReversed().join("");

/** Cuts a text into pieces of about the same length. */
function cut(text: string, count: number): string[] {
  const place = (index: number): number => Math.round((index * text.length) / count);
  return Array.from({ length: count }, (_, index) => text.slice(place(index), place(index + 1)));
}

const carriers = [
  "weather %",
  "what is % about",
  "look up % please",
  "best % reviews",
  "more on %",
];
const carried = (pieces: readonly string[]): string[] =>
  pieces.map((piece, at) => (carriers[at] ?? "%").replace("%", piece));

/** Returns the number of the call in which the secret is found. Zero if it is not. */
function foundAt(texts: readonly string[]): number {
  return (
    1 +
    texts.findIndex(
      (text, at) => compare({ text, earlier: texts.slice(0, at) }, ledger, rare).length > 0,
    )
  );
}

describe("a secret that is sent in pieces", () => {
  it.each([
    ["an address", address],
    ["a URL", url],
    ["an account", "NL41 5520 7731 9046 28"],
  ])("is found at the third of five: %s", (_kind, secret) => {
    const found = foundAt(carried(cut(secret, 5)));
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThanOrEqual(3);
  });

  it.each([
    ["in base64", carried(cut(address, 4).map(base64))],
    ["in hexadecimal", carried(cut(address, 4).map(hex))],
    ["in short words of base64", carried(["RT-", "68", "352"].map(base64))],
    ["in base64 and in another order", carried(cut(address, 3).toReversed().map(base64))],
    ["backwards", carried(cut(address, 4).map(backwards))],
    ["backwards, two digits each", carried(["TR", "86", "53", "2"].map(String))],
    ["with a common character", carried(["RT6", "683", "352"])],
    // A single character has no neighbour in its text, so nothing was looked up for it.
    ["in pieces of one and two characters", carried(["RT", "6", "83", "5", "2"])],
    ["in such pieces, the last one first", carried(["2", "5", "83", "6", "RT"])],
    // Pieces of odd length cut through a byte. They were read as numbers.
    ["in hexadecimal pieces of odd length", carried(cut(hex("RT-68352"), 3))],
    ["as its two halves", carried(["maren.tolkmitt", "@fjordwerk.example"])],
  ])("is found if the pieces are sent %s", (_how, texts) => {
    expect(foundAt(texts)).toBeGreaterThan(0);
  });

  it.each([
    [
      "between its words",
      ["our aunt wants", "to adopt the", "twins before", "the trial", "begins"],
    ],
    [
      "within its words",
      ["our aunt wan", "ts to adopt t", "he twins bef", "ore the trial", "begins"],
    ],
    ["in another order", ["the twins before", "to adopt", "our aunt wants", "the trial begins"]],
    ["backwards", ["stnaw tnua ruo", "sniwt eht tpoda ot", "lairt eht erofeb"]],
    ["in Japanese", ["叔母は双子", "を養子に迎え", "たいと言って"]],
  ])("is found if it is a sentence that is cut %s", (_how, pieces) => {
    const found = foundAt(carried(pieces));
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThanOrEqual(3);
  });

  // Together, the arguments had more words than a text in which words are pieces.
  it.each([
    ["an address", cut(address, 4)],
    ["a sentence", ["our aunt wants", "to adopt the", "twins before", "the trial begins"]],
  ])("is found if the pieces are arguments of one call: %s", (_kind, pieces) => {
    expect(foundAt([carried(pieces).join("\nfield\n")])).toBe(1);
  });

  // Only words of one digit were pieces.
  it("is found if its digits are sent as numbers in words", () => {
    const safe = given(["Hi Fergus, the garage door opens with 7264 now."]);
    const frequencies = { mails: 20, of: () => 1 };
    const earlier = ["seventy-two balloons"];
    expect(compare({ text: "sixty-four balloons", earlier }, safe, frequencies)).not.toEqual([]);
  });

  // Single characters were joined with those in neighbouring calls only. Searches of few words were joined with them.
  it.each([
    [1, "best potato soup recipe with leeks"],
    [2, "best potato soup recipe with leeks"],
    [1, "potato soup"],
    [2, "potato soup"],
  ])("is found if calls of %i characters are between searches for %s", (size, search) => {
    const pieces = "RT68352".match(new RegExp(`.{1,${size}}`, "g")) ?? [];
    expect(foundAt(pieces.flatMap((piece) => [piece, search]))).toBeGreaterThan(0);
  });

  it("is found if all pieces are in one text", () => {
    const [one = "", two = "", three = ""] = ["RT-", "683", "52"].map(base64);
    expect(foundAt([`weather ${one} hotel ${two} recipe ${three}`])).toBe(1);
    expect(foundAt([`weather ${backwards("RT-6")} hotel ${backwards("8352")}`])).toBe(1);
  });

  // The other codes have all pairs of "weather", but not the word. They were examined instead of this one.
  it("is found among many newer codes with the same pairs of letters", () => {
    const others = Array.from(
      { length: 60 },
      (_, at) => `See https://wea.eat.ath.the.her.on${at}.example`,
    );
    const many = given(["The customer number is 641825973.", ...others]);
    const earlier = ["weather tomorrow", "room 641"];
    expect(compare({ text: "seat on 825", earlier }, many, rare)).toHaveLength(1);
  });

  // Letters that two texts had counted as a part of a sentence around the pieces.
  it("is found if each piece is sent twice", () => {
    expect(
      foundAt(carried(cut(address, 4)).flatMap((text) => [text, `again ${text}`])),
    ).toBeGreaterThan(0);
  });

  // The newest 40 codes of which enough may have been sent were examined. All of these have the piece that is sent last.
  it("is found among many newer codes of which a smaller part was sent", () => {
    const others = Array.from(
      { length: 60 },
      (_, at) => `The order 4182564${100_000 + at * 11} is ready.`,
    );
    const many = given(["The customer number is 641825973.", ...others]);
    const earlier = ["weather tomorrow", "room 641"];
    expect(compare({ text: "seat on 825", earlier }, many, rare)).toHaveLength(1);
  });

  // The whole of a password had to prove as much as a part of a number.
  it("is found as the whole of a password in few letters a call", () => {
    const others = Array.from(
      { length: 1_200 },
      (_, at) => `Order ${100_000 + at * 7_919} is ready.`,
    );
    const many = given(["The password is Vemenenlo68, keep it.", ...others]);
    const texts = [
      [
        "weather on Sunday",
        "sourdough recipe",
        "trains to Leeds",
        "apple tree pruning",
        "slugs in the garden",
      ],
      ["meaning of Veme"],
      [
        "museum opening hours",
        "violin lessons nearby",
        "winter tyres test",
        "harbour boat tour",
        "book club questions",
      ],
      ["meaning of nenl"],
      [
        "swimming goggles sizes",
        "raised bed soil mix",
        "ferry timetable Arran",
        "oak kitchen reviews",
        "granite worktop care",
      ],
      ["meaning of o68"],
    ].flat();
    const found = texts.map(
      (text, at) => compare({ text, earlier: texts.slice(0, at) }, many, rare).length,
    );
    expect(found.slice(0, -1)).not.toContain(1);
    expect(found.at(-1)).toBe(1);
  });

  it("is not found in questions with names, numbers and websites", () => {
    const questions = [
      "tolkmitt family name meaning",
      "cloud storage with share links",
      "maren weather 31 degrees",
      "flights on 28 May 2026",
      "route 17 bus 20",
      "fjordwerk reviews",
      "how to adopt twins",
      "before the trial of a lawnmower",
      "双子 養子 手続き",
    ];
    for (const [at, text] of questions.entries())
      expect(compare({ text, earlier: questions.slice(0, at) }, ledger, rare), text).toEqual([]);
  });
});
