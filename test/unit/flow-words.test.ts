import { describe, expect, it } from "vitest";
import { compare } from "../../src/core/flow/compare.ts";
import { given } from "../fixtures/flow/contents.ts";
import { scatteredWords } from "../fixtures/flow/scattered-words.ts";

/** An index of so few mails that it does not know which words are frequent. */
const frequencies = { mails: 20, of: () => 1 };
const asks = (text: string, mail: string, topic = ""): boolean =>
  compare({ text, earlier: [] }, given([{ text: mail, topic }]), frequencies).length > 0;

describe("rare words of a mail in another order", () => {
  it("are found in at least 80 of 100 searches, with an index of few mails", () => {
    const all = scatteredWords.flatMap(({ mail, leaks }) => leaks.map((leak) => ({ mail, leak })));
    const missed = all.filter(({ mail, leak }) => !asks(leak, mail));
    expect(
      missed.length / all.length,
      missed.map(({ leak }) => leak).join("\n"),
    ).toBeLessThanOrEqual(0.2);
  });

  it("are not found in what a person asks about the mail", () => {
    const all = scatteredWords.flatMap(({ mail, asks: texts }) =>
      texts.map((text) => ({ mail, text })),
    );
    const asked = all.filter(({ mail, text }) => asks(text, mail));
    expect(asked.length / all.length, asked.map(({ text }) => text).join("\n")).toBeLessThanOrEqual(
      0.05,
    );
  });

  it("weigh less if they are the subject, the sender or a website", () => {
    const mail =
      "Hello, our Glimmerbox runs quietly with the Tornquist cooler. See https://www.glimmerbox.example";
    expect(asks("Glimmerbox Tornquist", mail)).toBe(true);
    expect(asks("Glimmerbox Tornquist", mail, "Your Glimmerbox and its Tornquist cooler")).toBe(
      false,
    );
  });

  it("are found if the text calls one of them a password", () => {
    const mail = "Hallo, das Passwort für den Tresor im Keller ist Zwetschgenknödel.";
    expect(asks("Zwetschgenknödel", mail)).toBe(true);
    expect(asks("Rezept Zwetschgenknödel mit Quark", mail)).toBe(true);
    // The letters that keyboards without umlauts have.
    expect(asks("Zwetschgenknoedel", mail)).toBe(true);
  });

  it.each([
    ["without spaces", "wearecompletelyclosingtheDublinoffice"],
    ["in groups of letters", "we ar eco mpl ete lyc los ing the Dub lin off ice"],
    ["backwards word by word", "office Dublin the closing completely are we"],
    [
      "in UTF-16 and base64",
      Buffer.from("are completely closing the Dublin", "utf16le").toString("base64"),
    ],
    // Only spaced texts in their own order were separated into words.
    ["spaced out and backwards", Array.from("eciffonilbudehtgnisolcyletelpmocera").join(" ")],
    [
      "as code points",
      Array.from(
        "completely closing the Dublin office",
        (one) => `\\u{${one.charCodeAt(0).toString(16)}}`,
      ).join(""),
    ],
  ])("are found %s", (_how, text) => {
    expect(asks(text, "Quietly: we are completely closing the Dublin office in March.")).toBe(true);
  });

  // Tokens with a digit were not separated into words.
  it.each([
    ["without spaces", "ofthe42firemenarecompletelyleaving"],
    ["spaced out", Array.from("ofthe42firemenarecompletelyleaving").join(" ")],
    ["without spaces and backwards", "gnivaelyletelpmoceranemerif24ehtfo"],
  ])("with a number are found %s", (_how, text) => {
    expect(asks(text, "Quietly: 42 of the 42 firemen are completely leaving in March.")).toBe(true);
  });

  // The bytes of UTF-16 were read as UTF-8, which has other bytes for letters with accents.
  it("with accents are found in UTF-16 and base64", () => {
    const text = "kündigen wir die Wohnung in Köln";
    const mail = "Unter uns: zum Jahresende kündigen wir die Wohnung in Köln endgültig.";
    expect(asks(Buffer.from(text, "utf16le").toString("base64"), mail)).toBe(true);
    expect(asks(Buffer.from(text, "utf16le").swap16().toString("base64"), mail)).toBe(true);
  });

  // A single rare word is often only the topic of a search, so it left in every encoding too.
  it.each([
    ["in base64", Buffer.from("Quorvandel").toString("base64")],
    ["in hexadecimal", Buffer.from("Quorvandel").toString("hex")],
    ["in percent signs", "%51%75%6F%72%76%61%6E%64%65%6C"],
    ["with every second letter as an entity", "Q&#117;o&#114;v&#97;n&#100;e&#108;"],
    ["backwards", "lednavrouQ"],
    ["spaced out", "Q u o r v a n d e l"],
    ["with zero-width spaces", Array.from("Quorvandel").join("\u200B")],
    ["in full width", "Ｑｕｏｒｖａｎｄｅｌ"],
  ])("are found %s, also one alone among other words", (_how, text) => {
    const mail = "We are going to call the new company Quorvandel, but keep this between us.";
    expect(asks(`best way to look up ${text} online`, mail)).toBe(true);
    expect(asks("best way to look up Quorvandel online", mail)).toBe(false);
  });

  // Keyboards without umlauts and addresses from browsers have such spellings.
  it.each([
    "Adresse von Schmoetzke in Bremen",
    "https://de.wikipedia.example/wiki/Schm%C3%B6tzke",
    "Adresse von Schm&ouml;tzke in Bremen",
    "Adresse von Schm\u00F6tz\u00ADke in Bremen",
    "ADRESSE VON SCHMO\u0308TZKE IN BREMEN",
  ])("are no match alone in the spelling of %s", (text) => {
    expect(asks(text, "Bitte melde dich noch heute bei Schmötzke, es eilt.")).toBe(false);
  });

  // Two common words of one compound were a match, so most Japanese questions about a mail needed approval.
  it("are no match in a Japanese question about the topic of a mail", () => {
    const mail =
      "先日の健康診断の結果が届きました。血圧と血糖値が少し高めなので、再検査を受けてください。内科の予約は電話でお願いします。";
    for (const question of [
      "健康診断で血圧が高いときの食事",
      "血糖値を下げる運動",
      "内科の予約をキャンセルする方法",
    ])
      expect(asks(question, mail), question).toBe(false);
    expect(asks("血圧 血糖値 高め 再検査 内科", mail)).toBe(true);
  });

  it("are found if they leave one in each call", () => {
    const known = given(["Quietly: we are completely closing the Dublin office in March."]);
    const texts = ["are", "completely", "closing", "the", "Dublin"];
    const found = texts.map(
      (text, at) => compare({ text, earlier: texts.slice(0, at) }, known, frequencies).length > 0,
    );
    expect(found).toEqual([false, false, false, false, true]);
  });
});
