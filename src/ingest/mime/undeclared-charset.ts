import { isUtf8 } from "node:buffer";

/** Bytes of a text that are examined. More bytes make no difference. */
const sampleBytes = 8_192;
/** The bytes before which the lines of the sample must begin. A text may begin with a long quotation in ASCII. */
const searchedBytes = 262_144;

/** A Chinese or Korean set, the scripts that it is used for, and characters that are common in its texts. */
interface WideSet {
  charset: string;
  script: RegExp;
  common: RegExp;
  /** The least share of common characters among those beyond ASCII. */
  least: number;
}

const wideSets: readonly WideSet[] = [
  {
    charset: "gb18030",
    script: /[\p{sc=Han}、-】！-｝·‘-…]/gu,
    common:
      /[，。、！？：；（）“”的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运您请附查收谢款邮箱码证登录账号订单]/g,
    least: 0.4,
  },
  {
    charset: "big5",
    script: /[\p{sc=Han}、-】！-｝·‘-…]/gu,
    common:
      /[，。、！？：；（）「」的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實日者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應向頭文體相見被利什二等產或新己制身果加西月話合回特代內信表化老給世位次度門任常先海通教原東提立及比員解水名真論處走義各入幾口認條平系題活更別打女變四總何電數安少報才結反受目太量再感建務做接必場件計管期市直資命金指許統區保至社便空決展科司書非聽光放強即難且思完設式色路記南品住告類求據程北邊該交規萬取望覺領共確傳師觀清今讓識帶導運您請附查收謝款郵箱碼證登錄帳號訂單]/g,
    least: 0.4,
  },
  // The last, because the most common Chinese characters have the bytes of Korean ones.
  {
    charset: "euc-kr",
    script: /[\p{sc=Hang}\p{sc=Han}、-】！-｝]/gu,
    common: /[가-힣]/g,
    least: 0.9,
  },
];
/** Fewer different characters could be western words by chance. */
const leastCharacters = 4;
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
  return wideSets.find(({ charset, script, common, least }) => {
    const text = new TextDecoder(charset).decode(sample);
    // The last character of a cut line is half a character.
    const other = text.match(/\P{ASCII}/gu)?.length ?? 0;
    const own = text.match(script) ?? [];
    const known = text.match(common)?.length ?? 0;
    const isLong = new Set(own).size >= leastCharacters;
    return isLong && own.length >= other * 0.9 && known >= other * least;
  })?.charset;
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
