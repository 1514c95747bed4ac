/** A run of letters and digits in a normalised text. */
export interface Token {
  text: string;
  start: number;
  end: number;
  hasDigit: boolean;
}

const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー`;
/** Runs of scripts without spaces are separate tokens, because digits directly follow their letters. */
const tokenForm = new RegExp(`[${unspaced}]+|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+`, "gu");

/** Only letters, digits, signs and spaces of ASCII. */
export const isPrintable = /^[ -~]*$/;
// oxlint-disable-next-line no-control-regex -- the characters of ASCII
const ascii = /^[\u0000-\u007F]*$/;
const surrogate = /[\uD800-\uDFFF]/;

export function tokensOf(text: string): Token[] {
  if (ascii.test(text)) return asciiTokens(text);
  if (!surrogate.test(text)) return tokensOfUnits(text);
  return Array.from(text.matchAll(tokenForm), ({ 0: token, index }) => ({
    text: token,
    start: index,
    end: index + token.length,
    hasDigit: /\p{N}/u.test(token),
  }));
}

/** The kinds of units. `inScript`: in a script without spaces. A digit also has `digitBit`. */
const kinds = { separator: 1, inWord: 2, inScript: 4 };
const digitBit = 8;
const inScript = new RegExp(`[${unspaced}]`, "u");
/** The kind of each unit, which a regular expression would find more slowly. Zero until it is needed. */
const kindOfUnit = new Uint8Array(0x1_00_00);

function kindOf(unit: number): number {
  const known = kindOfUnit[unit] ?? 0;
  if (known !== 0) return known;
  const letter = String.fromCharCode(unit);
  const kind = inScript.test(letter)
    ? kinds.inScript
    : /[\p{L}\p{N}\p{M}]/u.test(letter)
      ? kinds.inWord
      : kinds.separator;
  const found = kind | (/\p{N}/u.test(letter) ? digitBit : 0);
  kindOfUnit[unit] = found;
  return found;
}

/** Returns the tokens of a text whose characters are single units. */
function tokensOfUnits(text: string): Token[] {
  const tokens: Token[] = [];
  let start = 0;
  let kind = kinds.separator;
  let hasDigit = false;
  for (let at = 0; at <= text.length; at += 1) {
    const own = at < text.length ? kindOf(text.charCodeAt(at)) : kinds.separator;
    const ownKind = own & ~digitBit;
    if (ownKind !== kind) {
      if (kind !== kinds.separator)
        tokens.push({ text: text.slice(start, at), start, end: at, hasDigit });
      start = at;
      kind = ownKind;
      hasDigit = false;
    }
    hasDigit ||= (own & digitBit) !== 0;
  }
  return tokens;
}

/** Copies the units of all tokens of a text, one after the other. Returns their number. */
export function squeezedUnits(text: string, to: Uint16Array): number {
  let length = 0;
  if (surrogate.test(text)) {
    for (const token of tokensOf(text))
      for (let at = 0; at < token.text.length; at += 1) to[length++] = token.text.charCodeAt(at);
    return length;
  }
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if ((kindOf(unit) & kinds.separator) === 0) to[length++] = unit;
  }
  return length;
}

/** Returns whether a UTF-16 unit is a digit of ASCII. */
export function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** Returns whether a UTF-16 unit is, or is a part of, a digit of any script. */
export function mayBeDigit(unit: number): boolean {
  if (unit < 0x80) return isDigit(unit);
  return (kindOf(unit) & digitBit) !== 0 || (unit >= 0xd8_00 && unit < 0xe0_00);
}

export function digitsIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (isDigit(text.charCodeAt(at))) count += 1;
  return count;
}

/** Returns the tokens of an ASCII text, without a regular expression for each token. */
function asciiTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let start = -1;
  let hasDigit = false;
  for (let at = 0; at <= text.length; at += 1) {
    // NaN at the end of the text.
    const unit = text.charCodeAt(at);
    const isNumber = isDigit(unit);
    const letter = unit | 0x20;
    if (isNumber || (letter >= 0x61 && letter <= 0x7a)) {
      if (start < 0) start = at;
      hasDigit ||= isNumber;
    } else if (start >= 0) {
      tokens.push({ text: text.slice(start, at), start, end: at, hasDigit });
      start = -1;
      hasDigit = false;
    }
  }
  return tokens;
}

/** A mail address or a URL in a normalised text. The scheme is left out, because people and models leave it out. */
export const placeForm =
  /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5}|(?<=https?:\/\/)[^\s<>"'()]{4,400}/gu;

const [day, month] = ["(?:0?[1-9]|[12]\\d|3[01])", "(?:0?[1-9]|1[0-2])"];
/** Three numbers with dots, such as dates and versions, or possible dates. `70-31-58` opens a safe. */
const dates = [
  String.raw`\d{4}[-./]\d{1,2}[-./]\d{1,2}`,
  String.raw`\d{1,2}\.\s?\d{1,2}\.\s?\d{2,4}`,
  String.raw`(?:${day}[-./]\s?${month}|${month}[-./]\s?${day})[-./]\s?\d{2,4}`,
  String.raw`\d{2}[-/]${month}[-/]${day}`,
].join("|");
/** Dates, times, amounts below a thousand and versions, which are frequent in mail and are no secrets. */
const everydayForm = new RegExp(
  String.raw`^(?:${dates}|\d{1,2}[:.]\d{2}|\d{1,3}[.,]\d{1,2}|\d{1,2}(?:\.\d{1,2}){1,2})$`,
);

/** Years, round numbers, powers of two, usual ports and repeated digits, which prove little alone. Plans are for the round years after 2039. */
const commonNumber =
  /^(?:1024|2048|4096|8192|16384|32768|65536|8080|8443|19\d\d|20(?:[0-3]\d|\d0)|[1-9]0{3,}|0+|(\d)\1*)$/;

/** Status codes of mail servers (RFC 3463). */
const statusCode = /^\d{3}[- ]\d\.\d\.\d{1,3}$/;

/** Measures such as `13-inch`. */
const measure =
  /^(?:\d{1,3}(?:[kmg]?b|[kmgt]?hz|k?m|k?g|[kmg]?w|l|px|pt|cm|mm|ml|ft|lbs?|hrs?)|\d{1,4}[-. ]?(?:[kmgt]?bits?|bytes?|[kmg]bps|dpi|kwh|min|sec|inch(?:es)?|zoll|feet|miles?|pounds?|years?|days?|weeks?|months?|hours?|minutes?|seconds?|pages?|users?|persons?|people|euros?|eur|usd|gbp|dollars?|stunden|tage|wochen|jahre|monate|minuten|seiten|jours|semaines|ans|mois|heures|dias|semanas|anos|horas|meses|personnes|personas|pessoas))$/;

/** Standards, formats and versions of programs, which have the same names everywhere. */
const standard =
  /^(?:message[/ ]?)?(?:(?:rfc|iso|iec|din|ieee|cp|koi|gb)[- .]?\d{1,5}(?:[-.:]\w{1,3}){0,2}|(?:sha|md|crc|utf|ucs|ipv|mp|mpeg|usb|hdmi|wpa|tls|ssl|aes|des|rsa|http|html|css|php|python|java|node|win|windows|office|outlook|android|ios|macos|ubuntu|debian|oauth|saml|smtp|imap|pop|base|iphone|ipad|covid)[- .]?\d{1,3}(?:\.\d{1,2})?|x\.?509|h\.?26[45]|192\.168\.\d{1,3}(?:\.\d{1,3})?|127\.0\.0\.1|10\.0\.0\.\d{1,3}|255\.255\.255\.\d{1,3})$/;

export function isEveryday(text: string): boolean {
  return (
    everydayForm.test(text) ||
    commonNumber.test(text) ||
    statusCode.test(text) ||
    measure.test(text) ||
    standard.test(text)
  );
}

/** Fewest characters of codes and words. Shorter ones occur in too many texts to prove anything. */
export const shortestSolid = 4;
/** The same for addresses, and for runs of characters in scripts without spaces. */
export const shortestLong = 8;
export const longestSolid = 40;
export const shortestWord = 4;

/** Removes spaces and punctuation from a text in a script that needs neither. Empty for other scripts. */
export function withoutSpaces(text: string): string {
  return /[\u3040-\u30FF\u3400-\u9FFF]/.test(text) ? text.replace(/[^\p{L}\p{N}]+/gu, "") : "";
}

/** Kana and Han characters begin here. Each of their runs is a token of its own. */
const firstUnspaced = 0x30_40;
const unspacedScript = /^[\u3040-\u30FF\u3400-\u9FFF]/;
const carriesMeaning = /[\p{Script=Han}\p{Script=Katakana}]/u;
/** A longer run is not a sentence. Characters. */
const longestRun = 2_000;
let segmenter: Intl.Segmenter | undefined;

export function isUnspaced({ text }: Pick<Token, "text">): boolean {
  return text.charCodeAt(0) >= firstUnspaced && unspacedScript.test(text);
}

/** Returns the words of at least two characters in runs of scripts without spaces, except those in hiragana. */
export function unspacedWords(tokens: readonly Token[]): Token[] {
  return tokens.filter(isUnspaced).flatMap(({ text, start }) =>
    segmentsOf(text.slice(0, longestRun)).map((word) => ({
      ...word,
      start: start + word.start,
      end: start + word.end,
    })),
  );
}

/** The words of each run, kept because the readings of one text have the same runs. */
const segmented = new Map<string, readonly Token[]>();
const mostSegmented = 500;

const noWords: readonly Token[] = [];

function segmentsOf(run: string): readonly Token[] {
  const known = segmented.get(run);
  if (known !== undefined) return known;
  // Hiragana alone carries no meaning, and the segmenter takes longer than the rest of the comparison.
  if (!carriesMeaning.test(run)) return noWords;
  segmenter ??= new Intl.Segmenter("ja", { granularity: "word" });
  const words: Token[] = [];
  for (const { segment, index } of segmenter.segment(run))
    if (segment.length > 1 && carriesMeaning.test(segment))
      words.push({ text: segment, start: index, end: index + segment.length, hasDigit: false });
  if (segmented.size >= mostSegmented) segmented.clear();
  segmented.set(run, words);
  return words;
}
