import { Beginnings } from "../beginnings.ts";
import { type DigitLines, lineSigns } from "../digit-lines.ts";
import { hasSign, textSigns } from "../text-pass.ts";
import { placesOf, type TextRange } from "../text-ranges.ts";
import { withRanges } from "../letters.ts";

/** The beginning of a value's own place: of a line or a cell, or after a colon, a quotation mark or a bracket. */
const opened = String.raw`(?<=(?:^|[:：|\t"“„«「『‘\[(*>` + "`" + String.raw`]) ?)`;
const closed =
  String.raw`(?=[ \t]?(?:$|[|\t"”“»」』’\])*<` + "`" + String.raw`]|[.,!]?(?:[ \t]|$)))`;

/** Letters and digits with signs that no other form has, such as `K/77/Q2` or `47_11_92`, in a place of their own. */
const signed = withRanges(
  String.raw`(?=[A-Za-z\d]{1,8}[._~+·•–=:/-])${opened}(?=[^\s]{0,20}\d)(?!\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?!\d)|\d{1,2}:\d\d|\d{1,3}(?:[.,]\d{3})*[.,]\d\d(?!\d)|\d+\/\d+(?![\/\d])|[A-Za-z]+:)[A-Za-z\d]{1,8}(?:[._~+·•–=:/-]{1,2}[A-Za-z\d]{1,8}){1,6}${closed}`,
  "gm",
);

/** Four capitals at the end of a place of their own. A look behind would make the search several times slower. */
const fourCapitals = /[A-Z]{4}(?=[ \t]?[.!]?(?:$|["”“»」』’\])*]))/gm;
const beforeCapitals = withRanges(String.raw`${opened}$`);

/** Finds four capitals in a place of their own. */
const capitalsIn = (text: string): TextRange[] =>
  placesOf(fourCapitals, text).filter(({ start }) =>
    beforeCapitals.test(text.slice(Math.max(0, start - 2), start)),
  );

const digitWords = [
  "zero|one|two|three|four|five|six|seven|eight|nine",
  "null|eins|zwei|zwo|drei|vier|fünf|sechs|sieben|acht|neun",
  "zéro|un|deux|trois|quatre|cinq|sept|huit|neuf",
  "cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve",
  "um|dois|três|quatro|sete|oito|nove|meia",
  "due|tre|quattro|cinque|sei|sette|otto",
  "nul|een|één|twee|drie|vijf|zes|zeven|negen",
  "jeden|dwa|trzy|cztery|pięć|sześć|siedem|osiem|dziewięć",
  "noll|ett|två|fyra|fem|sex|sju|åtta|nio",
  "ноль|один|два|три|четыре|пять|шесть|семь|восемь|девять",
  "sıfır|bir|iki|üç|dört|beş|altı|yedi|sekiz|dokuz",
].join("|");
const leastWords = 4;
/** Digits that are written as words. */
const spelled = withRanges(
  String.raw`(?<!\p{L})(?:${digitWords})(?:(?: ?[,·–-] ?| )(?:${digitWords})){${leastWords - 1},9}(?!\p{L})`,
  "y",
);
const spelledBeginnings = new Beginnings(spelled, digitWords.split("|"), {
  isWhole: true,
  least: leastWords,
});
/** Digits in Chinese and Japanese characters. A longer number is an amount. */
const spelledInHan =
  /(?<![〇零一二三四五六七八九十百千万年月第])[〇零一二三四五六七八九](?:[ -]?[〇零一二三四五六七八九]){3,7}(?![〇零一二三四五六七八九十百千万年月])/g;

/** Words with hyphens in Chinese or Japanese quotation marks. */
const quotedInHan = withRanges(
  String.raw`(?<=[「『])[\p{Cjk}A-Za-z\d]{1,8}(?:[-・－ ][\p{Cjk}A-Za-z\d]{1,8}){1,3}(?=[」』])`,
  "g",
);

/** Forms that few codes have. */
export type OtherKind = "mixed" | "number" | "word";

interface OtherForm extends TextRange {
  kind: OtherKind;
}

/** The part of a text that is searched, from its beginning. A message with such a code is short. Characters. */
const searched = 3_000;

/** Finds codes that are written in Chinese or Japanese characters. */
export const inHan = (text: string): TextRange[] => [
  ...placesOf(spelledInHan, text),
  ...(text.includes("「") || text.includes("『") ? placesOf(quotedInHan, text) : []),
];

/** Finds values in forms that few codes have. */
export function otherFormsIn(whole: string, lines: DigitLines): OtherForm[] {
  const text = whole.slice(0, searched);
  const found: OtherForm[] = [];
  for (const { start, end } of lines.placesOf(signed, lineSigns.signBetween))
    if (end <= searched)
      found.push({
        start,
        end,
        kind: /[A-Za-z]/.test(text.slice(start, end)) ? "mixed" : "number",
      });
  const addWords = (places: readonly TextRange[]): void => {
    for (const { start, end } of places) found.push({ start, end, kind: "word" });
  };
  if (hasSign(whole, textSigns.capitals)) addWords(capitalsIn(text));
  addWords(spelledBeginnings.placesOf(whole, searched));
  if (hasSign(whole, textSigns.han)) addWords(inHan(text));
  return found;
}
