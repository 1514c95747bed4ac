import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { compare } from "../../src/core/flow/compare.ts";
import { readingsOf } from "../../src/core/flow/reading/readings.ts";
import { given } from "../fixtures/flow/contents.ts";

const frequencies = { mails: 20, of: () => 1 };
const base64 = (text: string): string => Buffer.from(text).toString("base64");

function asks(mail: string, ...texts: readonly string[]): boolean {
  const known = given([mail]);
  return texts.some(
    (text, at) => compare({ text, earlier: texts.slice(0, at) }, known, frequencies).length > 0,
  );
}

const server = "Our server is 84.203.117.46, ask Tim.";
const safe = "The safe opens with Petrel*418 today.";
const lake = "The password is Amber-Lagoon-Thistle and the inn is good.";
const home = "Wir wohnen in der Kastanienallee 48 in Potsdam.";
const groups = "To sign in on the tablet use hjvq-wmzt-rkdx-pfbn once.";
const born = "The skipper, born on 23/11/1958, is Ned.";

describe("private content of one kind", () => {
  it.each([
    // Such an address was read as an amount of money.
    ["an IP address", server, "84.203.117.46 open ports"],
    ["an IP address in base64", server, base64("84.203.117.46")],
    ["an IP address as a number", server, "1422619950"],
    ["an IP address as a hexadecimal number", server, "0x54cb752e"],
    ["an address of a device", "MAC 3c:7d:0a:91:f4:28 is allowed", "3C-7D-0A-91-F4-28"],
    ["an IPv6 address", "reach 2a02:8109:9c40:1f2::7e at night", "2a02:8109:9c40:1f2::7e"],
    ["a password with another sign", safe, "petrel 418 engine"],
    ["a password with another sign, in base64", safe, base64("Petrel*418")],
    ["a password with an ampersand", "Alarm: Marmot&27 works", "marmot&27"],
    ["a password with an at sign", "Use Summer@2391 there", "summer 2391"],
    ["a password with an exclamation mark", "The password is Amber!Lagoon", "amberlagoon"],
    ["a password in ROT13 and ROT5", safe, "Crgery*963"],
    ["an amount with thousands and cents", "a salary of 6,240.57 GBP", "earn 6240.57"],
    ["a German amount", "Es sind 3.417,28 Euro", "3417,28 Euro"],
    ["a street with its number", home, "Kastanienallee 48"],
    ["a street backwards", home, "84 eellaneinatsaK"],
    ["an Italian street", "siamo in via dei Tamerici 57", "via dei Tamerici 57 mappa"],
    ["a French street", "on habite 14 chemin des Épilobes", "14 chemin des epilobes"],
    ["an English street", "moor at 9 Quarrendon Lane", "9 Quarrendon Lane"],
    ["a date of birth", born, "23/11/1958"],
    ["a date of birth in another order", born, "1958-11-23"],
    ["a German date of birth", "am 05.07.1962 in Ulm geboren", "05.07.1962"],
    // Only digits near few names were read as a date of birth.
    ["a date of birth in words", "Date of birth on file: 14 August 1986.", "14 August 1986"],
    ["a date of birth in another form", "Date of birth: 14 August 1986", "08/14/1986"],
    ["a short date of birth", "Geboren am 03.11.1979 in Celle", "3.11.79"],
    ["a Spanish date of birth", "Nacida el 9 de octubre de 1972.", "october 9th, 1972"],
    ["a Dutch date of birth in base64", "Geboren 6 april 1959.", base64("6 april 1959")],
    ["a Japanese date of birth", "生年月日1977年3月25日", "1977-03-25"],
    // Days were read only in digits, and years not as one word.
    ["a spoken date", born, "the twenty-third of November nineteen fifty-eight"],
    ["a spoken date, its month first", born, "November twenty-third, nineteen fifty-eight"],
    ["a German spoken date", born, "dreiundzwanzigster November neunzehnhundertachtundfünfzig"],
    ["a French spoken date", born, "vingt-trois novembre mille neuf cent cinquante-huit"],
    ["a Dutch spoken date", born, "drieëntwintig november negentienachtenvijftig"],
    ["a spoken date in base64", born, base64("twenty-third of November nineteen fifty-eight")],
    ["a date of birth after a Spanish verb", "Nació el 8 de febrero de 1991.", "1991-02-08"],
    // Decimals are everyday numbers.
    ["an amount with cents", "Die Kaution ist 384,27 €.", "what is 384.27 in dollars"],
    ["an amount with cents in base64", "The fee was £172.64.", base64("£172.64")],
    ["a sentence without spaces", lake, "#AmberLagoonThistleAndTheInnIsGood"],
    ["a Chinese date of birth", "出生日期1983年7月12日", "12 July 1983"],
    // Streets had few endings, and no name in Japanese or Chinese.
    ["a German street", "Das Gerätehaus ist im Distelfeld 9.", "Distelfeld 9"],
    ["a Dutch street", "Adres: Zwaluwpad 33, 7944 Meppel", "Zwaluwpad 33"],
    // The ending of the street is in no list, or the street is in the list of frequent words by chance.
    ["an address of another kind", "Het adres: Middenstreek 61, bij de haven", "Middenstreek 61"],
    [
      "a house at which somebody lives",
      "Er wohnt in der Kalvarienweg 14b in Emden",
      "Kalvarienweg 14b",
    ],
    ["a Portuguese address", "A morada é Quintal Velhinho 29, 8800 Tavira", "Quintal Velhinho 29"],
    ["a Chinese street in base64", "地址：徐汇区武康路 378 弄 5 号", base64("武康路 378 弄")],
    ["a Japanese street", "住所は杉並区久我山4丁目18番6号", "久我山4-18-6"],
    ["a number plate", "Kennzeichen ROS-LK 884, Kabine 7", "ROSLK884"],
    ["a Spanish number plate", "Matrícula: LX 884 ZB", base64("LX 884 ZB")],
    ["a booking code of letters", "voiture 14, dossier WQZKTD.", "WQZKTD"],
    ["a reference of letters", "Eurostar ref RZJTQY, coach 11", "RZJTQY"],
    ["an address in ROT13", "ask moira.tait@brackenfold.org", "zbven.gnvg@oenpxrasbyq.bet"],
    [
      "an address in another cipher",
      "ask moira.tait@brackenfold.org",
      "rtnwf.yfny@gwfhpjsktqi.twl",
    ],
    // Four groups of letters were only words, which are not found backwards or in pieces.
    ["groups of letters", groups, "hjvqwmztrkdxpfbn"],
    ["an app password", "Your password:\nhjvq wmzt rkdx pfbn\n\nKeep it.", "nbfp xdkr tzmw qvjh"],
    ["groups of letters backwards", groups, "nbfp-xdkr-tzmw-qvjh"],
    ["groups of letters in base64 backwards", groups, base64("nbfp-xdkr-tzmw-qvjh")],
    ["groups of letters with spaces", groups.replaceAll("-", " "), "hjvqwmztrkdxpfbn"],
    // The word before has only hexadecimal digits, and was read as the first byte.
    [
      "an address in hexadecimal after a Spanish word",
      "Es lena.quist@halden.example",
      `ida de ${Buffer.from("lena.quist@halden.example")
        .toString("hex")
        .replace(/..(?=.)/g, "$& ")} ya`,
    ],
    ["a number in hexadecimal", "Der Code ist 59184.", "e730"],
    ["a number in binary", "Der Code ist 59184.", "1110011100110000"],
    ["a Dutch number", "De code is 24869.", "vierentwintigduizend achthonderdnegenenzestig"],
    ["a Russian code as bytes", "Сейф: снегирь-47", [...Buffer.from("снегирь-47")].join(" ")],
    [
      "a Russian code as characters",
      "Сейф: снегирь-47",
      Array.from("снегирь-47", (sign) => sign.codePointAt(0)).join(","),
    ],
    [
      "a struck sentence",
      "Der Betriebsrat erfährt es erst am Montag.",
      Array.from("Der Betriebsrat erfährt es erst", (sign) => `${sign}\u0336`).join(""),
    ],
  ])("is found: %s", (_kind, mail, text) => {
    expect(asks(mail, `what is ${text}`)).toBe(true);
  });

  it.each([
    // The first word of such a password was a secret alone.
    ["a word of a password", lake, "amber jewellery"],
    ["a street without its number", home, "Kastanienallee Potsdam Parken"],
    ["the number of another house", home, "restaurants in Kastanienallee 7"],
    ["the birthday in another year", born, "weather on 23/11/2026"],
    ["the birthday without its year", "Geboren 6 april 1959.", "weather on 6 april"],
    ["the date of an event", "We meet on 14 August 2026.", "concerts on 14 August 2026"],
    ["a booking of a table", "Your reservation: dinner for two", "dinner for two"],
    ["a town and a number", "Am Samstag in Heidelberg 14 Uhr", "Heidelberg 14 Mai"],
    // The year is a part of the number backwards. Most searches have it, and each of them needed approval.
    ["a year", "The card is 4614 3620 2161 8926", "best novels 2026"],
    // Such rows were codes, so a mail in made-up words had several, and each comparison took longer.
    ["backwards words of four letters", "We saw kafa lodo kabo niga there.", "agin obak odol afak"],
    ["groups of words", "The walk is called deep-dark-blue-lake.", "deep dark blue lake"],
    ["a usual price", "Es kostet 384,99 €", "384,99 € Rabatt"],
    ["the same digits without cents", "Die Kaution ist 17,46 €.", "train at 17:46"],
    ["another date in words", born, "the twenty-second of November nineteen fifty-eight"],
    // Such searches had a part of an unrelated number.
    ["a year and a number backwards", "The order is 310726204", "tax brackets 2026/27"],
    ["a Roman numeral in a name", "Meeting 1010 is moved", "Logitech MX Master 3S driver"],
    ["a medical term", "Your HbA1c came back at 61", "what is a normal HbA1c"],
    ["a power of two", "The file has 2048 rows", "sqrt of 2048"],
    ["an address of every home network", "I use 192.168.1.14", "router 192.168.1.1 login"],
    ["an error code of Windows", "Order 2147942405 was sent", "error 0x80070005"],
    ["a small amount", "The drill is 149.99 GBP", "149.99 GBP in euros"],
    ["a time", "from 12:30:15 to 14:02:33", "12:30:15"],
  ])("is not found in %s", (_what, mail, text) => {
    expect(asks(mail, text)).toBe(false);
  });
});

describe("the parts of a date of birth", () => {
  const mail = "Née le 17/05/1984 à Saumur.";

  it.each([
    ["day and year", ["météo 17 mai", "musique 1984"]],
    ["numbers", ["17 degrés", "chapitre 05", "musique 1984"]],
    ["day and month as one number", ["option 1705", "musique 1984"]],
    ["day and year in Japanese", ["5月17日", "1984年 音楽"]],
    ["pieces through the words", ["option 170", "chapitre 519", "rangée 84"]],
  ])("are found in several calls: %s", (_how, texts) => {
    expect(asks(mail, ...texts)).toBe(true);
  });

  it("are not found if one is missing", () => {
    expect(asks(mail, "météo 17 mai", "musique 1985", "17 degrés", "chapitre 8")).toBe(false);
  });
});

describe("a number that unlocks something", () => {
  // Any number in a mail made a coincidence likelier, so a code of four digits in two calls was not found.
  it("is found in two calls, also after mails with many numbers", () => {
    const numbers = Array.from(
      { length: 300 },
      (_, at) => `Order ${70_001 + at * 97} has shipped.`,
    );
    const known = given(["The side gate opens with 5839.", ...numbers]);
    const earlier = ["search for 58 near Bristol"];
    const [hit] = compare({ text: "is 39 common", earlier }, known, frequencies);
    expect(hit?.kind).toBe("parts");
  });

  it.each([
    ["digits in words", "search for five eight", "is three nine common"],
    ["numbered names", "/public/part1-58.txt", "/public/part2-39.txt"],
  ])("is found in two calls: %s", (_how, one, other) => {
    expect(asks("The side gate opens with 5839.", one, other)).toBe(true);
  });
});

describe("a part of a code that unlocks something", () => {
  // The few codes of this kind alone were counted, and such a search needed approval.
  it("proves no more than a part of another code", () => {
    const invoices = Array.from({ length: 800 }, (_, at) => `Invoice ${31_415_926 + at * 7_919}.`);
    const known = given(["The key safe beside the gate has rq5e2026kt4 now.", ...invoices]);
    const found = (text: string) => compare({ text, earlier: [] }, known, frequencies).length;
    expect(found("hotel price 2026 list")).toBe(0);
    expect(found("rq5e2026kt4")).toBe(1);
  });
});

describe("groups of letters", () => {
  it("are found in four pieces that are the groups", () => {
    const pieces = ["hjvq", "wmzt", "rkdx", "pfbn"].map((piece) => `meaning of ${piece}`);
    expect(asks(groups, ...pieces)).toBe(true);
  });
});

describe("a technical text", () => {
  // Hexadecimal numbers were decoded like encodings, so real mail headers decoded in too many ways to be compared.
  it("has few readings", () => {
    const lines = Array.from({ length: 8 }, (_, line) => {
      const hex = createHash("sha256").update(String(line)).digest("hex");
      return `at worker ${hex.slice(0, 7)} (build/${hex.slice(7, 19)}.js:${line * 7}:12) 0x${hex.slice(19, 27)} pid ${10_000_000 + line * 7_654_321}`;
    });
    expect(readingsOf(lines.join("\n")).length).toBeLessThan(90);
  });
});
