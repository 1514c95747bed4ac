import { describe, expect, it } from "vitest";
import { compare } from "../../src/core/flow/compare.ts";
import { given } from "../fixtures/flow/contents.ts";

const frequencies = { mails: 200, of: () => 1 };

function kindsIn(content: string, query: string): string[] {
  return compare({ text: query, earlier: [] }, given([content]), frequencies).map(
    ({ kind }) => kind,
  );
}

describe("a code of three groups of two digits", () => {
  // Every such code counted as a date, also 70-31-58, and left without a question.
  it.each([
    ["Код от сейфа 70-31-58, ключи у соседки", "70-31-58"],
    ["The combination of the padlock is 24-17-36.", "24-17-36"],
    ["The combination of the padlock is 24-17-36.", "what opens with 241736"],
    ["Our sort code is 40-47-84", "40 47 84"],
    ["Tresor: 88/40/71", "88/40/71"],
  ])("is found: %s, %s", (content, query) => {
    expect(kindsIn(content, query)).toEqual(["code"]);
  });

  it.each([
    ["We meet on 24-11-26.", "events 24-11-26"],
    ["We meet on 11/24/26.", "events 11/24/26"],
    ["We meet on 26-11-24.", "events 26-11-24"],
    ["We meet on 4. 11. 2026.", "Veranstaltungen 4. 11. 2026"],
    ["Version 10.15.7 is out.", "macOS 10.15.7 release notes"],
    ["Update to 1.20.30", "1.20.30 changelog"],
  ])("is no date or version: %s, %s", (content, query) => {
    expect(kindsIn(content, query)).toEqual([]);
  });
});

describe("a code that looks like a year or a round number", () => {
  it.each([
    ["The alarm code is 1975, ring before you come", "1975"],
    ["Pour le gîte : boîte à clés 1987, compteur", "1987"],
    ["The garage takes 2071 after nine", "2071"],
    ["Door code 2024, second floor", "what does 2024 open"],
    ["PIN: 1111", "1111"],
    ["The combination of the bike lock is 2020.", "2020"],
    ["Türcode: 2012", "2012"],
    ["Die Geheimzahl lautet 1988", "1988"],
    ["Le code du portail est 1998", "1998"],
    ["El código de la puerta es 2000", "2000"],
    ["Codice del cancello: 1961", "1961"],
    ["O código do portão é: 1990", "1990"],
    ["De alarmcode is 1954", "1954"],
    ["Kod do bramy 1939", "1939"],
    ["Код домофона 1961", "1961"],
    ["Portkoden är 2013", "2013"],
    ["暗証番号は2001です", "2001"],
  ])("is found if the content calls it a code: %s", (content, query) => {
    expect(kindsIn(content, query)).toEqual(["code"]);
  });

  it.each([
    ["The code review of 2024 is done.", "conferences 2024"],
    ["The new code of conduct of 2020 applies.", "code of conduct 2020"],
    ["The pin layout of 2024 was wrong.", "2024 board revisions"],
    ["She was born in 1975.", "music of 1975"],
    ["The gate opened in 1961.", "Berlin 1961"],
    ["The access road cost 2000 in 1998", "roads of 1998"],
    ["The door code changes in 2026.", "calendar 2026"],
  ])("is not looked for elsewhere: %s", (content, query) => {
    expect(kindsIn(content, query)).toEqual([]);
  });

  it("is not found within another number or a longer word", () => {
    expect(kindsIn("The alarm code is 1975", "order 19751 and a1975")).toEqual([]);
  });
});

describe("a large amount", () => {
  it.each([
    ["We offer 41.7 million for it", "41.7 million"],
    ["We offer 41.7 million for it", "41,700,000"],
    ["Wir bieten 41,7 Mio. Euro", "41.7 million euros"],
    ["The salary is 84,500 a year", "is 84.5k a good salary"],
    ["The salary is 84.5k a year", "84 500"],
    ["Le budget est de 12,35 millions", "12,35 millions"],
    ["Оборот 318 млн рублей", "318000000"],
    ["The price is 1.285 billion", "1,285,000,000"],
  ])("is found in both spellings: %s, %s", (content, query) => {
    expect(kindsIn(content, query)).toContain("code");
  });

  it.each([
    ["3.5 million people live there", "city with 3.5 million people"],
    ["The fund has 20 million", "20 million"],
    ["The run is 42k, the hill 250 m", "a hill of 250 m"],
  ])("proves nothing with two digits: %s, %s", (content, query) => {
    expect(kindsIn(content, query)).toEqual([]);
  });
});

describe("a code that unlocks something", () => {
  const others = Array.from({ length: 200 }, (_, at) => `Order ${100_003 + at * 7_919} is ready.`);

  // Only words before the code were read, and no word for an entrance. Its halves were sent without a question.
  it.each([
    "The keypad of the gate takes 5093.",
    "At the entrance please type 5093 and wait.",
    "After six type 5093 at the back door.",
    "Am Eingang geben Sie bitte 5093 ein.",
    "Der Kasten hängt hinter der Tonne, die Zahlenfolge ist 5093.",
    "Tippen Sie 5093 an der Haustür ein.",
    "Après six heures tapez 5093 à la porte de service.",
    "Marque 5093 en la puerta lateral.",
    "Digiti 5093 al cancello.",
    "Marque 5093 no portão das traseiras.",
    "Toets 5093 in bij de ingang.",
    "Gebruik 5093 bij de achterdeur.",
  ])("is found in two calls among many numbers: %s", (content) => {
    const known = given([content, ...others]);
    const find = (text: string, earlier: readonly string[]): number =>
      compare({ text, earlier }, known, frequencies).length;
    expect(find("hotels in Bruges 50", [])).toBe(0);
    expect(find("pizza 93 reviews", ["hotels in Bruges 50"])).toBeGreaterThan(0);
  });

  it.each(["Your order 5093 is ready.", "The parcel 5093 weighs two kilos. The door was open."])(
    "is no other number: %s",
    (content) => {
      const known = given([content, ...others]);
      const earlier = ["hotels in Bruges 50"];
      expect(compare({ text: "pizza 93 reviews", earlier }, known, frequencies)).toEqual([]);
    },
  );
});
