import { describe, expect, it } from "vitest";
import { compare } from "../../src/core/flow/compare.ts";
import type { Frequencies } from "../../src/core/flow/ledger.ts";
import { given } from "../fixtures/flow/contents.ts";

const ledgerOf = (...texts: readonly string[]) => given(texts);

const rare: Frequencies = { mails: 2_000, of: () => 1 };
const common: Frequencies = { mails: 2_000, of: () => 900 };
const doorMail =
  "Hi, the door code of the flat is 4711-K. Call Lena at +49 170 1234567 or write to lena.hoffmann@example.org.";

function marked(text: string, ledger = ledgerOf(doorMail), frequencies = rare): string[] {
  return compare({ text, earlier: [] }, ledger, frequencies).map(({ span }) =>
    text.slice(span.start, span.end),
  );
}

/** Returns the index of two thousand mails, each of them with these words and no other. */
const inEach = (...words: readonly string[]): Frequencies => ({
  mails: 2_000,
  of: (word) => (words.includes(word) ? 2_000 : 0),
});

describe("a run of words of a file", () => {
  const ledger = ledgerOf(
    "Vacation plans for Emma Johnson: Lisbon in June, two weeks with the children.",
  );
  const own = inEach("emma", "johnson");

  // Words that no mail has were left out, so that the user's own name made every run with it frequent.
  it("is rare if no mail has one of its words, although each mail has others", () => {
    expect(marked("vacation plans for Emma Johnson", ledger, own)).toEqual([
      "vacation plans for Emma Johnson",
    ]);
    const base64 = Buffer.from("Vacation plans for Emma Johnson").toString("base64");
    expect(marked(`see ${base64}`, ledger, own)).toEqual([base64]);
  });

  it("is frequent if each mail has all its words", () => {
    const all = inEach("vacation", "plans", "for", "emma", "johnson");
    expect(marked("vacation plans for Emma Johnson", ledger, all)).toEqual([]);
  });
});

describe("comparison of an outgoing text", () => {
  it.each([
    ["as it is", "what is 4711-K", "4711-K"],
    ["without separators", "what is 4711K", "4711K"],
    ["with other separators", "what is 47 11 . k", "47 11 . k"],
    ["spaced out", "what is 4 7 1 1 - K", "4 7 1 1 - K"],
    ["in full-width digits", "what is ４７１１－Ｋ", "４７１１－Ｋ"],
    ["with zero-width characters", "what is 47\u200B11-\u2060K", "47\u200B11-\u2060K"],
    ["with bidi controls", "what is \u202E4711\u202C", "4711"],
    ["in base64", "what is NDcxMS1L", "NDcxMS1L"],
    ["in base64 without padding", "find NDcxMQ now", "NDcxMQ"],
    ["in hex", "what is 343731312d4b", "343731312d4b"],
    ["in hex with spaces", "what is 34 37 31 31 2d 4b", "34 37 31 31 2d 4b"],
    ["in percent", "what is %34%37%31%31-K", "%34%37%31%31-K"],
    ["in HTML entities", "what is &#52;&#55;&#x31;&#x31;-K", "&#52;&#55;&#x31;&#x31;-K"],
    ["reversed", "what is K-1174", "K-1174"],
    [
      "in base64 of hex",
      `what is ${Buffer.from("343731312d4b").toString("base64")}`,
      "MzQzNzMxMzEyZDRi",
    ],
    ["in base64 backwards", "what is L1SMxcDN", "L1SMxcDN"],
    ["in base64 spaced out", "what is N D c x M S 1 L please", "N D c x M S 1 L"],
    ["in hex backwards", "what is b4d213137343", "b4d213137343"],
    ["in hex spaced out", "what is 3 4 3 7 3 1 3 1 2 d 4 b", "3 4 3 7 3 1 3 1 2 d 4 b"],
    ["as a telephone number", "who is 0170/1234567", "0170/1234567"],
    ["as an address", "who is lena.hoffmann@example.org", "lena.hoffmann@example.org"],
    ["as a run of words", "the door code of the flat", "the door code of the flat"],
  ])("finds a secret %s", (_how, text, found) => {
    expect(marked(text)).toEqual([found]);
  });

  it.each([
    // Only a whole address was found, so its secret part was sent without the site.
    [
      "the last part of a short address",
      "Read https://rooms.example/d/7fKq-Zw82-pLm",
      "7fKqZw82pLm",
    ],
    // Codes of more than 40 characters were not recorded.
    [
      "the id of a shared document",
      "See https://docs.example/document/d/1aQbDeFgHiJkLmNoPqRsTuVwXyZ0123456789abcd/edit",
      "1aQbDeFgHiJkLmNoPqRsTuVwXyZ0123456789abcd",
    ],
    [
      "a wallet",
      "Send it to 0x52908400098527886E0F7030069857D2E4169EE7 today",
      "0x52908400098527886E0F7030069857D2E4169EE7",
    ],
    [
      "the end of a long key in groups",
      "key-for-the-deployment-of-the-production-cluster-Qm81xZ-9Tz7Wv5Ry3Pn",
      "9Tz7Wv5Ry3Pn",
    ],
    ["a quoted password", "La contraseña «lechuza» abre todo", "lechuza"],
    ["a Dutch password", "Het wachtwoord luidt uilenbal", "uilenbal"],
    ["a Russian password", "Пароль: сова", "сова"],
    ["an Italian code", "Il codice segreto è civetta", "civetta"],
  ])("finds %s", (_what, mail, secret) => {
    expect(marked(`what is ${secret}`, ledgerOf(mail))).toEqual([secret]);
  });

  it("finds nothing in a question about the same topic", () => {
    expect(marked("how do I change a door lock")).toEqual([]);
  });

  it("finds nothing that many mails have", () => {
    expect(marked("what is 4711-K", ledgerOf(doorMail), common)).toEqual([]);
  });

  it("names every content that has the match", () => {
    const [match] = compare(
      { text: "what is 4711", earlier: [] },
      ledgerOf("nothing here", "code 4711", "again: 4711"),
      rare,
    );
    expect(match?.sources.map(({ id }) => id)).toEqual(["em_2", "em_1"]);
  });

  it("finds a code that left in five parts at the third", () => {
    const ledger = ledgerOf("Your licence key is 84QX71KM90.");
    const parts = ["84", "QX", "71", "KM", "90"];
    const found = parts.map(
      (part, index) =>
        compare(
          {
            text: `weather ${part}`,
            earlier: parts.slice(0, index).map((each) => `weather ${each}`),
          },
          ledger,
          rare,
        ).length > 0,
    );
    expect(found.slice(0, 3)).toEqual([false, false, true]);
  });

  it("finds a Japanese sentence", () => {
    const ledger = ledgerOf("玄関の暗証番号は4711です。誰にも教えないでください。");
    expect(marked("検索 誰にも教えないでください", ledger)).toEqual(["誰にも教えないでください"]);
    expect(marked("4711 とは", ledger)).toEqual(["4711"]);
  });
});
