import { describe, expect, it } from "vitest";
import { compare } from "../../src/core/flow/compare.ts";
import { given } from "../fixtures/flow/contents.ts";

const known = given([
  "Hello Lee, the code for the gate is 4711-K and the alarm is 830462. The safe 70358. Regards, Ann",
]);
const frequencies = { mails: 20, of: () => 1 };
const asks = (text: string): boolean =>
  compare({ text, earlier: [] }, known, frequencies).length > 0;

describe("a number from a mail", () => {
  it.each([
    "four thousand seven hundred eleven",
    "four thousand, seven hundred and eleven K",
    "viertausendsiebenhundertelf",
    "vier tausend sieben hundert elf",
    "siebenundvierzig elf",
    "quatre mille sept cent onze",
    "cuatro mil setecientos once",
    "quatro mil setecentos e onze",
    "quattromilasettecentoundici",
    "vierduizend zevenhonderdelf",
    "vierduizendzevenhonderdelf",
    "siebzigtausenddreihundertachtundfünfzig",
    "setenta mil trescientos cincuenta y ocho",
    "soixante-dix mille trois cent cinquante-huit",
    "eight hundred thirty thousand four hundred sixty two",
    "eight hundred and thirty thousand four hundred and sixty-two",
    "achthundertdreißigtausendvierhundertzweiundsechzig",
    "huit cent trente mille quatre cent soixante-deux",
    "ochocientos treinta mil cuatrocientos sesenta y dos",
    "oitocentos e trinta mil quatrocentos e sessenta e dois",
    "ottocentotrentamilaquattrocentosessantadue",
    "MMMMDCCXI",
    "the gate IV VII I I",
    "VIII III N IV VI II",
    "四千七百十一",
    "四千七百一十一",
    "八十三万四百六十二",
    "83万0462",
    "よん なな いち いち",
    "よんなないちいち",
    "ヨン・ナナ・イチ・イチ",
    "はちさんぜろよんろくに",
    "٤٧١١",
    "४७११",
    "④⑦①①",
    "❹❼❶❶",
    "４７１１",
    "肆柒壹壹",
    "ⅣⅦⅠⅠ",
    "four-seven-one-one",
    "quatre sept un un",
    "quatre-vingt-trois zéro quatre soixante-deux",
    "eighty-three oh four six two",
    "dreiundachtzig null vier zweiundsechzig",
    "seven zero three five eight",
    "zeven nul drie vijf acht",
    "sette zero tre cinque otto",
    "siedem zero trzy pięć osiem",
    "yon nana ichi ichi",
    "seventy thousand three hundred fifty eight",
    "seven oh three fifty-eight",
    "七万三百五十八",
    "sju noll tre fem åtta",
    // Fewer than three words without spaces, Russian words and these letters were not read.
    "fourseven oneone",
    "семь ноль три пять восемь",
    "ȢЗОЧбƧ",
  ])("is found as %s", (phrase) => {
    expect(asks(`find ${phrase}`)).toBe(true);
  });

  it.each([
    "two thousand restaurants in four hundred towns",
    "World War II and Henry VIII",
    "hundred years of solitude",
    "百年の孤独",
    "三千世界 意味",
    "MCMLXXXIV film",
    "eine Million Euro gewinnen",
  ])("is not found in %s", (text) => {
    expect(asks(text)).toBe(false);
  });
});
