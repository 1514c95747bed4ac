import { isUtf8 } from "node:buffer";
import { analyse } from "chardet";

/** Bytes of a text that are examined. More bytes make no difference. */
const sampleBytes = 8_192;
/** The bytes before which the lines of the sample must begin. A text may begin with a long quotation in ASCII. */
const searchedBytes = 262_144;

/** The sets whose characters have two bytes, by the library's names, and the scripts that they are used for. */
const wideSets: ReadonlyMap<string, { charset: string; script: RegExp }> = new Map([
  ["Shift_JIS", { charset: "shift_jis", script: /[\p{scx=Hira}\p{scx=Kana}\p{sc=Han}！-￮]/gu }],
  ["EUC-JP", { charset: "euc-jp", script: /[\p{scx=Hira}\p{scx=Kana}\p{sc=Han}！-￮]/gu }],
  ["GB18030", { charset: "gb18030", script: /[\p{scx=Han}！-￮‘-…]/gu }],
  ["Big5", { charset: "big5", script: /[\p{scx=Han}！-￮‘-…]/gu }],
  ["EUC-KR", { charset: "euc-kr", script: /[\p{sc=Hang}\p{scx=Han}！-￮‘-…]/gu }],
]);
/** The library's confidence, of which a text of ten characters that are not common ones has 10. */
const leastConfidence = 50;
/** The share of the bytes beyond ASCII that must be in words of mostly such bytes. Western words have few. */
const leastDense = 0.75;

/**
 * Returns the likely character set of a text that names no set. Undefined for UTF-8, for western texts, and for texts
 * too short to be sure.
 */
export function undeclaredCharset(text: Uint8Array): string | undefined {
  const sample = sampleOf(text);
  if (sample.length === 0 || !isDense(sample)) return undefined;
  return japaneseSet(sample) ?? narrowSet(sample) ?? wideSet(sample);
}

/** Returns the lines that are not UTF-8. A list's footer in UTF-8 says nothing about the text above it. */
function sampleOf(text: Uint8Array): Buffer {
  const bytes = Buffer.from(text.buffer, text.byteOffset, Math.min(text.length, searchedBytes));
  if (isUtf8(bytes)) return Buffer.alloc(0);
  const lines: Uint8Array[] = [];
  let left = sampleBytes;
  for (let start = 0; start < bytes.length && left > 0;) {
    const lf = bytes.indexOf(0x0a, start);
    const line = bytes.subarray(start, lf === -1 ? bytes.length : lf + 1);
    start += line.length;
    if (isUtf8(line)) continue;
    // A cut line may end in half a character, which the library forgives.
    lines.push(line.subarray(0, left));
    left -= line.length;
  }
  return Buffer.concat(lines);
}

/** Words, of letters and of bytes beyond ASCII. */
const word = /[\x80-\xFFA-Za-z@[\\\]^_`{|}~]+/g;

/** Returns whether most bytes beyond ASCII are in words that consist mostly of them, as western ones never do. */
function isDense(sample: Buffer): boolean {
  let all = 0;
  let dense = 0;
  for (const [found] of sample.toString("latin1").matchAll(word)) {
    const high = found.replace(/\p{ASCII}+/gu, "").length;
    all += high;
    if (high >= 3 && high >= found.length / 2) dense += high;
  }
  return dense >= 6 && dense >= all * leastDense;
}

/** The share of kana in Japanese text. Chinese sets have kana too, but Chinese texts do not. */
const leastKana = 0.4;

/** Recognises Japanese by its kana, which tell more about a short text than common characters. */
function japaneseSet(sample: Buffer): string | undefined {
  return ["shift_jis", "euc-jp"].find((charset) => {
    const text = new TextDecoder(charset).decode(sample);
    const other = text.match(/\P{ASCII}/gu)?.length ?? 0;
    const kana = text.match(/[ぁ-ゖァ-ヺー]/g)?.length ?? 0;
    return !text.includes("\uFFFD") && kana >= 3 && kana >= other * leastKana;
  });
}

function wideSet(sample: Buffer): string | undefined {
  const [best] = analyse(sample).filter(({ name }) => wideSets.has(name));
  const found = best === undefined ? undefined : wideSets.get(best.name);
  if (best === undefined || found === undefined || best.confidence < leastConfidence)
    return undefined;
  const text = new TextDecoder(found.charset).decode(sample);
  const other = text.match(/\P{ASCII}/gu)?.length ?? 0;
  const own = text.match(found.script)?.length ?? 0;
  return own >= other * 0.9 ? found.charset : undefined;
}

/** A set of one byte per letter, and what its texts look like. */
interface NarrowSet {
  charset: string;
  word: RegExp;
  /** The letters that make up most of every text. */
  common: RegExp;
}

/**
 * The other spelling of a word's letters would be impossible in these sets: capitals after small letters, or the final
 * forms of Greek and Hebrew letters within a word.
 */
const narrowSets: readonly NarrowSet[] = [
  ...["windows-1251", "koi8-u"].map((charset) => ({
    charset,
    word: /^(?:[А-ЯЁЄІЇҐ]?[а-яёєіїґ]+|[А-ЯЁЄІЇҐ]+)$/,
    common: /[оеаинтсрвлкмді]/gi,
  })),
  {
    charset: "windows-1253",
    word: /^(?:[Α-ΫΆ-Ώ]?[ά-ρσ-ώ]*[ά-ώ]|[Α-ΫΆ-Ώ]+)$/,
    common: /[αάοόιίεέτσςνηήυύρπκ]/gi,
  },
  // Other scripts use the bytes of final letters anywhere, so that no letters need to be common.
  { charset: "windows-1255", word: /^[אבגדהוזחטיכלמנסעפצקרשת]*[א-ת]$/, common: /[א-ת]/g },
];

/** Below this share of common letters, the text is in another script. Real texts have about 0.65. */
const leastLikeness = 0.5;
/** Fewer different letters are a drawn line or a list of examples. */
const leastLetters = 4;

function narrowSet(sample: Buffer): string | undefined {
  const found = narrowSets
    .map((set) => ({ charset: set.charset, likeness: likeness(sample, set) }))
    .toSorted((one, other) => other.likeness - one.likeness)[0];
  return found !== undefined && found.likeness >= leastLikeness ? found.charset : undefined;
}

/** Characters. Longer words are not of these scripts, and their marks would be removed slowly. */
const longestWord = 200;
/** Words with letters beyond ASCII, without the marks around them. */
const foreignWord = /(?<![A-Za-z])[A-Za-z]*\P{ASCII}+[A-Za-z]*/gu;
const marks = /^[\s«»„“”‘’…–—№§]+|[\s«»„“”‘’…–—№§]+$/g;

function likeness(sample: Buffer, { charset, word: properWord, common }: NarrowSet): number {
  const found = new TextDecoder(charset).decode(sample).match(foreignWord) ?? [];
  if (found.some(({ length }) => length > longestWord)) return 0;
  const words = found.map((one) => one.replace(marks, "")).filter((one) => one.length > 1);
  const proper = words.filter((one) => properWord.test(one));
  if (proper.length < words.length * 0.8) return 0;
  const letters = proper.join("");
  if (new Set(letters.toLowerCase()).size < leastLetters) return 0;
  return (letters.match(common)?.length ?? 0) / letters.length;
}
