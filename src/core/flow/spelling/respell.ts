import { numeralDigits, numeralForm, spokenPhrases } from "./number-words.ts";
import { type Reading, replaced, replacedAt } from "../reading/reading.ts";
import { confusables } from "../../shared/text/confusables.ts";

// Spellings in which a person would still recognise a text: other letters, spoken digits, Morse, spaced letters.

/** Letters of other scripts that look like Latin ones, or only resemble them. */
const lookalikes: ReadonlyMap<string, string> = new Map([
  ...confusables,
  ...Object.entries({
    в: "b",
    ё: "e",
    ї: "i",
    к: "k",
    м: "m",
    н: "h",
    т: "t",
    з: "3",
    б: "6",
    β: "b",
    ε: "e",
    η: "n",
    ω: "w",
    ζ: "z",
    μ: "m",
    σ: "o",
    ѡ: "w",
    ı: "i",
    ɑ: "a",
    ɡ: "g",
    ʀ: "r",
    ɩ: "i",
    ꓗ: "k",
    ᴋ: "k",
    ꭓ: "x",
    "০": "0",
    ƨ: "2",
    ʒ: "3",
    ȝ: "3",
    ӡ: "3",
    ч: "4",
    ƽ: "5",
    ȣ: "8",
    գ: "9",
    "᛫": ".",
  }),
]);
const otherDigits = /\p{Nd}/u;

export function lookingAlike(source: Reading): Reading | undefined {
  return replaced(
    source,
    /[^ -\u01A7\u01A9-\u01BC\u01BE-\u021C\u021E-\u0222\u0224-\u024F\u3000-\u9FFF\uFF00-\uFFEF]/gu,
    (letter) => {
      const alike = lookalikes.get(letter) ?? circledDigit(letter) ?? framedLetter(letter);
      if (alike !== undefined || !otherDigits.test(letter)) return alike;
      // Unicode lists the ten digits of each script in a row.
      let zero = letter.codePointAt(0) ?? 0;
      let value = 0;
      while (value < 9 && otherDigits.test(String.fromCodePoint(zero - 1)))
        [zero, value] = [zero - 1, value + 1];
      return String(value);
    },
  );
}

/**
 * Replaces `ae`, `oe` and `ue` by the German letters that they stand for, without the umlaut, as readings have none.
 */
export function withoutUmlautPairs(source: Reading): Reading | undefined {
  return replaced(source, /[aou]e/g, ([letter]) => letter);
}

/** Returns the digit of characters such as `❶`, `➀` and `➊`, which have no compatibility form. */
function circledDigit(letter: string): string | undefined {
  const place = (letter.codePointAt(0) ?? 0) - 0x27_76;
  return place >= 0 && place < 30 && place % 10 < 9 ? String((place % 10) + 1) : undefined;
}

/** Blocks of letters in circles, in squares and of flags, which have no compatibility form. */
const framed = [0x1_f1_50, 0x1_f1_70, 0x1_f1_e6];
const smallCapitals = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡ-ʏᴢ";

function framedLetter(letter: string): string | undefined {
  const code = letter.codePointAt(0) ?? 0;
  const first = framed.find((block) => code >= block && code < block + 26);
  const place = first === undefined ? smallCapitals.indexOf(letter) : code - first;
  return place < 0 ? undefined : String.fromCharCode("a".charCodeAt(0) + place);
}

const toDigits: Readonly<Record<string, string>> = {
  o: "0",
  i: "1",
  l: "1",
  "!": "1",
  "|": "1",
  z: "2",
  e: "3",
  a: "4",
  "@": "4",
  s: "5",
  $: "5",
  t: "7",
  "+": "7",
  b: "8",
  g: "9",
};
const toLetters: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "!": "i",
  "|": "l",
  "2": "z",
  "3": "e",
  "4": "a",
  "@": "a",
  "5": "s",
  $: "s",
  "7": "t",
  "+": "t",
  "8": "b",
  "9": "g",
};
/** Words with a digit. */
const mixedWord = /(?<![a-z0-9!|@$+])[a-z!|@$+]*\d[a-z0-9!|@$+]*/g;
const isMixed = (word: string): boolean => word.length >= 3 && /[a-z!|@$+]/.test(word);

/** Reads letters that stand for digits, in words with digits: `a7ll` is 4711. */
export function lettersAsDigits(source: Reading): Reading | undefined {
  return replaced(source, mixedWord, (word) =>
    isMixed(word) ? word.replace(/[a-z!|@$+]/g, (sign) => toDigits[sign] ?? sign) : undefined,
  );
}

const digitLikeWord = /(?<![\p{L}\p{N}])[a-z]*[oilzeastbg]{4,}[a-z]*(?![\p{L}\p{N}])/gu;

/** Reads words of letters that stand for digits: `bobo` is 8080. Many ordinary words are of this form. */
export function wordsAsDigits(source: Reading): Reading | undefined {
  return replaced(source, digitLikeWord, (word) =>
    word.replace(/[a-z]/g, (letter) => toDigits[letter] ?? letter),
  );
}

/** Reads digits that stand for letters: `7h3 k3y`. @param one the letter in place of 1 */
export function digitsAsLetters(source: Reading, one: "i" | "l"): Reading | undefined {
  return replaced(source, mixedWord, (word) =>
    isMixed(word)
      ? word.replace(/[\d!|@$+]/g, (sign) => (sign === "1" ? one : (toLetters[sign] ?? sign)))
      : undefined,
  );
}

/** Limit on written digits among spoken ones. A longer number is a token of its own. */
const longestDigits = 12;
/** Fewest spoken digits and letters in a row. Fewer are part of a sentence. */
const spokenInARow = 3;

/** The most words of the phrases that begin with a word. */
export const phraseStarts = new Map<string, number>();
for (const phrase of spokenPhrases.keys()) {
  const words = phrase.split(" ");
  const first = words[0] ?? "";
  phraseStarts.set(first, Math.max(phraseStarts.get(first) ?? 0, words.length));
}

const repeats: ReadonlyMap<string, number> = new Map([
  ["double", 2],
  ["doppel", 2],
  ["doble", 2],
  ["duplo", 2],
  ["triple", 3],
  ["triplo", 3],
]);

/** Reads numbers as words and letters as names: `four seven eleven kilo` is 4711k. */
export function spoken(written: Reading): Reading | undefined {
  const numerals = /[〇零一-龯]/.test(written.text)
    ? replaced(written, numeralForm, numeralDigits)
    : undefined;
  const source = numerals ?? written;
  const tokens = source.tokens();
  const parts: Part[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const first = tokens[at];
    if (first === undefined) break;
    const longest = phraseStarts.get(first.text) ?? 0;
    if (!first.hasDigit && longest === 0) continue;
    let phrase = first.text;
    let found: { meaning: string; end: number; words: number } | undefined;
    for (let words = 1; words <= longest; words += 1) {
      if (words > 1) {
        const next = tokens[at + words - 1];
        if (next === undefined) break;
        phrase += ` ${next.text}`;
      }
      const meaning = spokenPhrases.get(phrase);
      if (meaning !== undefined)
        found = { meaning, end: tokens[at + words - 1]?.end ?? first.end, words };
    }
    const said = found ?? saidItself(first);
    if (said === undefined) continue;
    const before = tokens[at - 1];
    const times = repeats.get(before?.text ?? "");
    parts.push({
      start: times === undefined || before === undefined ? first.start : before.start,
      end: said.end,
      meaning: said.meaning.repeat(times ?? 1),
      isSpoken: found !== undefined,
    });
    at += said.words - 1;
  }
  const isSpoken = parts.some((part) => part.isSpoken);
  return (isSpoken ? joinedRuns(source, parts) : undefined) ?? numerals;
}

/** Fewest words that are written as one or as several, because two are an ordinary compound. */
const fewestTogether = 3;
/** Shortest and longest text of such words, in characters. */
const shortestPair = 6;
const longestTogether = 200;
const wordsByLetter = new Map<string, string[]>();
for (const [phrase, meaning] of spokenPhrases)
  if (meaning !== "" && /^[a-z]{2,}$/.test(phrase))
    wordsByLetter.set(phrase.charAt(0), [...(wordsByLetter.get(phrase.charAt(0)) ?? []), phrase]);

/** Reads words of digits and letters that are written without spaces: `foursevenoneone` is 4711. */
export function spokenTogether(source: Reading): Reading | undefined {
  let count = 0;
  const changes = source.tokens().flatMap(({ text, start, end, hasDigit }) => {
    const canBe = !hasDigit && text.length >= shortestPair && text.length <= longestTogether;
    const words = canBe ? saidTogether(text) : [];
    if (words.length < 2) return [];
    count += words.length;
    return [{ start, end, text: words.map((word) => spokenPhrases.get(word) ?? "").join("") }];
  });
  return count < fewestTogether ? undefined : replacedAt(source, changes);
}

export function saidTogether(text: string): readonly string[] {
  const ways: (readonly string[] | undefined)[] = [[]];
  for (let at = 0; at < text.length; at += 1) {
    const before = ways[at];
    if (before === undefined) continue;
    for (const word of wordsByLetter.get(text.charAt(at)) ?? [])
      if (text.startsWith(word, at)) ways[at + word.length] ??= [...before, word];
  }
  return ways[text.length] ?? [];
}

function saidItself({ text, end, hasDigit }: { text: string; end: number; hasDigit: boolean }) {
  return hasDigit && text.length <= longestDigits ? { meaning: text, end, words: 1 } : undefined;
}

/** Limit on characters between neighbouring parts. */
const mostBetween = 3;

/** Spoken or written digits, or a letter. */
interface Part {
  start: number;
  end: number;
  meaning: string;
  isSpoken: boolean;
}

/**
 * Replaces runs of neighbouring parts by their meaning, without the separators between them. Runs of written digits
 * stay.
 */
function joinedRuns(source: Reading, parts: readonly Part[]): Reading | undefined {
  const runs: (Part & { count: number })[] = [];
  for (const part of parts) {
    const last = runs.at(-1);
    const isNext =
      last !== undefined &&
      part.start - last.end <= mostBetween &&
      /^[\s,.;:/|_-]*$/.test(source.text.slice(last.end, part.start));
    if (isNext)
      Object.assign(last, {
        end: part.end,
        meaning: last.meaning + part.meaning,
        isSpoken: last.isSpoken || part.isSpoken,
        count: last.count + 1,
      });
    else runs.push({ ...part, count: 1 });
  }
  const long = runs.filter(
    ({ count, meaning, isSpoken }) => isSpoken && count >= 2 && meaning.length >= spokenInARow,
  );
  return replacedAt(
    source,
    long.map(({ start, end, meaning }) => ({ start, end, text: meaning })),
  );
}

const morse: ReadonlyMap<string, string> = new Map(
  ".- a|-... b|-.-. c|-.. d|. e|..-. f|--. g|.... h|.. i|.--- j|-.- k|.-.. l|-- m|-. n|--- o|.--. p|--.- q|.-. r|... s|- t|..- u|...- v|.-- w|-..- x|-.-- y|--.. z|----- 0|.---- 1|..--- 2|...-- 3|....- 4|..... 5|-.... 6|--... 7|---.. 8|----. 9|.-.-.- .|-....- -|.--.-. @"
    .split("|")
    .map((pair): [string, string] => {
      const [signs = "", letter = ""] = pair.split(" ");
      return [signs, letter];
    }),
);
const morseForm = /[.\-·•–—−_]{1,6}(?:[\s/|]+[.\-·•–—−_]{1,6}){2,}/gu;
export function fromMorse(source: Reading): Reading | undefined {
  return replaced(source, morseForm, (run) =>
    run
      .replace(/[·•]/gu, ".")
      .replace(/[–—−_]/gu, "-")
      .split(/\s*[/|]\s*|\s{2,}/)
      .map((word) =>
        word
          .split(/\s+/)
          .map((signs) => morse.get(signs) ?? "")
          .join(""),
      )
      .join(" "),
  );
}

/** Joins spaced letters and digits: `k e e p   t h e` is "keep the". Wider gaps separate words. */
export function joinedLetters(source: Reading): Reading | undefined {
  const form = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[\s._*|,;:/+~-][\p{L}\p{N}](?![\p{L}\p{N}])){2,}/gu;
  const joined = replaced(source, form, joinedRun);
  // A spaced text contains two-letter words too.
  return joined && (replaced(joined, pairForm, joinedRun) ?? joined);
}

const pairForm = /(?<![\p{L}\p{N}])[\p{L}\p{N}] [\p{L}\p{N}](?![\p{L}\p{N}])/gu;
const joinedRun = (run: string): string => run.replace(/[^\p{L}\p{N}]/gu, "");
