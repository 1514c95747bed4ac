import { type Reading, replacedAt } from "../reading/reading.ts";

// Numbers that are written as one phrase, with hundreds and thousands, or in Roman numerals. The spelling is that of
// `normalised`: lower case without accents.

const units = [
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
  "null ein zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn",
  "zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize - - -",
  "cero un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve",
  "zero um dois tres quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove",
  "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove",
  "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien",
];
const tens = [
  "twenty thirty forty fifty sixty seventy eighty ninety",
  "zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig",
  "vingt trente quarante cinquante soixante septante huitante nonante",
  "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
  "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
  "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
  "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
];
/** Hundreds that have a word of their own. */
const hundreds =
  "cien=100 ciento=100 doscientos=200 trescientos=300 cuatrocientos=400 quinientos=500 seiscientos=600 setecientos=700 novecientos=900 ochocientos=800 cem=100 cento=100 duzentos=200 trezentos=300 quatrocentos=400 quinhentos=500 seiscentos=600 setecentos=700 oitocentos=800 novecentos=900";
const others =
  "eins=1 eine=1 zwo=2 une=1 una=1 uma=1 duas=2 uno=1 veinti=20 vent=20 trent=30 dezasseis=16 dezassete=17 dezanove=19 vingts=20 oh=0";
const scales =
  "hundred=100 hundert=100 cent=100 cents=100 cento=100 honderd=100 thousand=1000 tausend=1000 mille=1000 mil=1000 mila=1000 duizend=1000";
const joints = new Set(["and", "und", "et", "y", "e", "en"]);

const values = new Map<string, number>();
const scaleOf = pairs(scales);
for (const list of units)
  for (const [value, word] of list.split(" ").entries()) if (word !== "-") values.set(word, value);
for (const list of tens)
  for (const [index, word] of list.split(" ").entries()) values.set(word, 20 + index * 10);
for (const [word, value] of [...pairs(hundreds), ...pairs(others)]) values.set(word, value);
for (const word of scaleOf.keys()) if (word !== "cento") values.delete(word);

function pairs(list: string): Map<string, number> {
  return new Map(
    list.split(" ").map((pair): [string, number] => {
      const [word = "", value = ""] = pair.split("=");
      return [word, Number(value)];
    }),
  );
}

/** Parts of compounds such as `viertausendsiebenhundertelf` by their first letter, the longest first. */
const partsByLetter = new Map<string, string[]>();
for (const word of [...values.keys(), ...scaleOf.keys(), "und", "en"]
  .filter(({ length }) => length > 1)
  .toSorted((one, other) => other.length - one.length))
  partsByLetter.set(word.charAt(0), [...(partsByLetter.get(word.charAt(0)) ?? []), word]);
const longestCompound = 60;
/** Every number in one word that is not in the lists contains one of these. */
const compound = /^.*(?:hundert|tausend|cent|mila?|mille|honderd|duizend|und|en|[tr]a).*[a-z]$/;

/** Every number that is read here contains a word for hundred or thousand. */
const scaled = /hund|taus|thous|cent|cien|mil|duiz|honderd|cem|quinient|quinhent|zent/;

/** Returns the parts of a compound number word. Undefined for any other word. */
function partsOf(word: string): string[] | undefined {
  if (values.has(word) || scaleOf.has(word)) return [word];
  if (word.length > longestCompound || !compound.test(word)) return undefined;
  // Few combinations are tried, because each part must continue where the last one ends.
  const ends: (string[] | undefined)[] = [[]];
  for (let at = 0; at < word.length; at += 1) {
    const before = ends[at];
    if (before === undefined) continue;
    for (const part of partsByLetter.get(word.charAt(at)) ?? [])
      if (word.startsWith(part, at)) ends[at + part.length] ??= [...before, part];
  }
  return ends[word.length];
}

/** Returns the value of a phrase. Undefined without hundreds or thousands: `spoken` reads such numbers. */
function valueOf(phrase: readonly string[]): number | undefined {
  let [whole, current] = [0, 0];
  let hasScale = false;
  for (const part of phrase) {
    const scale = scaleOf.get(part);
    if (scale !== undefined && !(part === "cento" && current === 0)) {
      hasScale = true;
      if (scale === 100) current = Math.max(1, current) * 100;
      else [whole, current] = [whole + Math.max(1, current) * scale, 0];
      continue;
    }
    const value = values.get(part) ?? (part === "cento" ? 100 : 0);
    if (value >= 100) hasScale = true;
    // French `quatre-vingt`: four times twenty.
    current = part.startsWith("vingt") && current === 4 ? 80 : current + value;
  }
  return hasScale ? whole + current : undefined;
}

/** Reads numbers such as `four thousand seven hundred eleven` and `viertausendsiebenhundertelf` as digits. */
export function numberPhrases(source: Reading): Reading | undefined {
  if (!scaled.test(source.text)) return undefined;
  const changes: { start: number; end: number; text: string }[] = [];
  let phrase: string[] = [];
  let [start, end] = [0, 0];
  const finish = (): void => {
    while (joints.has(phrase.at(-1) ?? "")) phrase.pop();
    const value = phrase.length > 0 ? valueOf(phrase) : undefined;
    if (value !== undefined && value > 99) changes.push({ start, end, text: String(value) });
    phrase = [];
  };
  for (const token of source.tokens()) {
    const isJoint = joints.has(token.text);
    const found = isJoint || token.hasDigit ? undefined : partsOf(token.text);
    if (found !== undefined) {
      if (phrase.length === 0) ({ start } = token);
      phrase.push(...found.filter((part) => !joints.has(part)));
      ({ end } = token);
    } else if (!isJoint || phrase.length === 0) finish();
  }
  finish();
  return replacedAt(source, changes);
}

const roman = /^(?=[mdclxvi])m{0,9}(?:cm|cd|d?c{0,4})(?:xc|xl|l?x{0,4})(?:ix|iv|v?i{0,4})$/;
const signs: Readonly<Record<string, number>> = {
  i: 1,
  v: 5,
  x: 10,
  l: 50,
  c: 100,
  d: 500,
  m: 1000,
};
/** Fewest numerals in a row that are read one by one. Single ones are words such as "I". */
const fewestNumerals = 3;
/** Fewest signs of a single numeral. Shorter ones are words and names such as "MX" and "mix". */
const fewestSigns = 4;

function isRoman(text: string): boolean {
  // Most words end here.
  return (
    signs[text.charAt(0)] !== undefined &&
    signs[text.at(-1) ?? ""] !== undefined &&
    roman.test(text)
  );
}

function romanValue(text: string): number {
  let value = 0;
  for (let at = 0; at < text.length; at += 1) {
    const [own, next] = [signs[text[at] ?? ""] ?? 0, signs[text[at + 1] ?? ""] ?? 0];
    value += own < next ? -own : own;
  }
  return value;
}

/** Reads Roman numerals as digits: `MMMMDCCXI` as one number, and `IV VII I I` digit by digit. */
export function romanNumerals(source: Reading): Reading | undefined {
  const changes: { start: number; end: number; text: string }[] = [];
  let row: { start: number; end: number; text: string }[] = [];
  const finish = (): void => {
    const [first, last] = [row.at(0), row.at(-1)];
    const { start = 0, end = 0 } = first ?? {};
    const text = row.map((one) => one.text).join("");
    const isNumber = row.length === 1 && text.length >= 4 && end - start >= fewestSigns;
    if (first && last && (row.length >= fewestNumerals || isNumber))
      changes.push({ start: first.start, end: last.end, text });
    row = [];
  };
  for (const { text, start, end } of source.tokens()) {
    const isZero = row.length > 0 && (text === "n" || text === "0");
    if (!isZero && !isRoman(text)) {
      if (row.length > 0) finish();
    } else row.push({ start, end, text: isZero ? "0" : String(romanValue(text)) });
  }
  finish();
  return replacedAt(source, changes);
}

const kana =
  "ぜろ=0 れい=0 まる=0 いち=1 ひと=1 に=2 ふた=2 さん=3 よん=4 よ=4 し=4 ご=5 ろく=6 なな=7 しち=7 はち=8 きゅう=9 く=9";
const kanaValues = new Map([...pairs(kana)].map(([word, value]) => [word, String(value)]));
const kanaDigit = [...kanaValues.keys()]
  .toSorted((one, other) => other.length - one.length)
  .join("|");
const oneKanaDigit = new RegExp(kanaDigit, "g");
const kanaForm = new RegExp(`(?:(?:${kanaDigit})[\\s、・,の-]{0,2}){3,}`, "g");

/** Reads numbers in hiragana and katakana, one word for each digit, as digits. */
export function kanaNumerals(source: Reading): Reading | undefined {
  if (!/[ぁ-ヺ]/.test(source.text)) return undefined;
  // Each hiragana is 96 code points before its katakana.
  const text = source.text.replace(/[ァ-ヶ]/g, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) - 96),
  );
  return replacedAt(
    source,
    Array.from(text.matchAll(kanaForm), ({ 0: run, index }) => ({
      start: index,
      end: index + run.length,
      text: Array.from(run.matchAll(oneKanaDigit), ([word]) => kanaValues.get(word) ?? "").join(""),
    })),
  );
}
