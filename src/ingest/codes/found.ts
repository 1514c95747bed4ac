import { withRanges } from "./letters.ts";

/** A place in a text, from `start` to before `end`. UTF-16 units. */
export interface TextRange {
  start: number;
  end: number;
}

/**
 * Returns a text in which full-width digits, letters and signs, Arabic digits, and digits in circles, have their
 * ASCII form. Every character keeps its position. The signs that make a digit a key have no width.
 */
export function halfWidth(text: string): string {
  return /[\uFF01-\uFF5E\u3000\u00A0\u202F\u2007\u0660-\u0669\u06F0-\u06F9\u2460-\u2468\u24EA\u2776-\u277E]|\u20E3/.test(
    text,
  )
    ? text
        .replace(/[\uFF01-\uFF5E]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
        .replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (char) => String(char.charCodeAt(0) & 15))
        .replace(/[\u3000\u00A0\u202F\u2007]/g, " ")
        .replace(/\uFE0F|\u20E3/g, "\u200B")
        .replace(/[\u2460-\u2468\u2776-\u277E\u24EA]/g, digitInCircle)
    : text;
}

function digitInCircle(char: string): string {
  const code = char.charCodeAt(0);
  if (code === 0x24ea) return "0";
  return String(code < 0x2500 ? code - 0x245f : code - 0x2775);
}

/** Replaces dots that lead from a name to its value by a colon. Every character keeps its position. */
export function withoutLeaders(text: string): string {
  if (!text.includes("...")) return text;
  return text.replace(leaders, (dots: string, at: number) => {
    const end = at + dots.length;
    const isBeside =
      afterName.test(text.slice(Math.max(0, at - 2), at)) &&
      beforeValue.test(text.slice(end, end + 2));
    // Three dots directly behind a word and before a blank are an ellipsis.
    const isEllipsis = dots.length === 3 && text[end] === " " && text[at - 1] !== " ";
    return isBeside && !isEllipsis ? ":".padEnd(dots.length) : dots;
  });
}

const leaders = /\.{3,}/g;
const afterName = withRanges(String.raw`[\p{L}\d)] ?$`);
const beforeValue = withRanges(String.raw`^ ?[\p{L}\d]`);

/** The words before the last digits of a number that the reader knows. */
const lastDigits =
  /(?:end(?:ing|s)(?:\s+(?:in|with))?|last\s+(?:\S+\s+)?digits|end(?:et|end|ung)(?:\s+(?:auf|mit))?|endziffern?|(?:se\s+)?(?:termin|finit|finis|finali[sz])\S*(?:\s+(?:par|en|em|con|com|per|in|con))?|final|eindig\S*(?:\s+op)?|kończ\S*(?:\s+się)?(?:\s+na)?|оканчива\S*(?:\s+на)?|slutar(?:\s+på)?|末尾|下\s?\d\s?桁(?:が|は)?|尾号(?:为|是)?|尾號(?:為|是)?|末四位)[\s:：*•·x.…#-]{0,12}$/;

/** A number that is masked up to its last digits, such as `*2207`. */
const masked = withRanges(String.raw`(?<![\p{L}\d])[*•xX·]{1,12}[ -]?$`);
/** The beginning of a telephone number. */
const prefixOfPhone = /(?<![\d:.,])(?:0\d{1,4}|\+\d{1,4}(?: ?\d{1,4})?)[ /-]$/;

/** Returns whether digits end a telephone number, or are the last ones of a number that the reader knows. */
export function isEndOfNumber(text: string, { start, end }: TextRange): boolean {
  const value = text.slice(start, end);
  if (!/^\d[\d -]*$/.test(value)) return false;
  const before = text.slice(Math.max(0, start - 40), start);
  if (value.length <= 5 && lastDigits.test(inSmallLetters(before))) return true;
  if (value.length <= 4 && masked.test(before) && text[end] !== "*") return true;
  return value.includes(" ") && prefixOfPhone.test(before);
}

export function placesOf(pattern: RegExp, text: string): TextRange[] {
  const places: TextRange[] = [];
  // `matchAll` would copy the pattern for each text.
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const end = pattern.lastIndex;
    places.push({ start: match.index, end });
    if (end === match.index) pattern.lastIndex += 1;
  }
  return places;
}

/** More characters than the first word of any such match has. */
const beforeHyphen = 14;

/**
 * Finds the matches of a sticky pattern that begin with a whole word and a hyphen. Hyphens are found much faster than
 * words, of which most have none.
 */
export function placesAtHyphens(pattern: RegExp, text: string): TextRange[] {
  const places: TextRange[] = [];
  let end = 0;
  for (let at = text.indexOf("-"); at !== -1; at = text.indexOf("-", Math.max(at + 1, end))) {
    // Most hyphens are beside blanks or in lines of them.
    if (!isLatin(text.charCodeAt(at - 1)) || !isLatin(text.charCodeAt(at + 1))) continue;
    let start = at - 1;
    while (start > end && at - start < beforeHyphen && isLatin(text.charCodeAt(start - 1)))
      start -= 1;
    pattern.lastIndex = start;
    if (!pattern.test(text)) continue;
    end = pattern.lastIndex;
    places.push({ start, end });
  }
  return places;
}

/** Returns whether a UTF-16 unit is a Latin letter. A division sign is in the ranges of some patterns. */
function isLatin(unit: number): boolean {
  const small = unit | 0x20;
  return (
    (small >= 0x61 && small <= 0x7a) ||
    (unit >= 0xaa &&
      (unit === 0xaa ||
        unit === 0xba ||
        (unit >= 0xc0 && unit <= 0x2af && unit !== 0xd7) ||
        (unit >= 0x1e00 && unit <= 0x1eff)))
  );
}

// A full-width bracket behind a URL is read as an ASCII one.
const addresses =
  /(?:\b[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/|\b[Ww]{3}\.)(?:\[\w{1,40}\]=|\|(?=[\da-f]{6})|(?![<>"'|()\]}])[!-~])+/g;
/** A part of every URL. */
const addressStem = /:\/\/|[Ww]{3}\./g;

/** Characters from the beginning of a URL to its stem. */
const beforeStem = 22;

/** Finds the URLs of a text, with punctuation that follows them. Only the text around each stem is searched. */
export function addressesIn(text: string): TextRange[] {
  const places: TextRange[] = [];
  let end = 0;
  for (;;) {
    addressStem.lastIndex = end;
    const stem = addressStem.exec(text);
    if (stem === null) break;
    addresses.lastIndex = Math.max(end, stem.index - beforeStem);
    const found = addresses.exec(text);
    if (found === null) break;
    end = addresses.lastIndex;
    places.push({ start: found.index, end });
  }
  return places;
}

/** Characters around a place in which a pattern may match. */
const reach = 100;

/**
 * Finds the matches of a pattern near places, in their order. Most mails have none, and finding the places is much faster
 * than searching the pattern.
 * @param text in lower case, like the patterns
 */
export function placesNear(pattern: RegExp, near: readonly TextRange[], text: string): TextRange[] {
  const places: TextRange[] = [];
  let from = -1;
  let to = -1;
  const search = (): void => {
    if (from === -1) return;
    for (const { start, end } of placesOf(pattern, text.slice(from, to)))
      places.push({ start: start + from, end: end + from });
  };
  for (const { start } of near) {
    if (from !== -1 && start - reach <= to) {
      to = start + reach;
      continue;
    }
    search();
    from = Math.max(0, start - reach);
    to = start + reach;
  }
  search();
  return places;
}

/**
 * Returns a text in lower case. Every character keeps its position. The flags `iu` together make a pattern several
 * times slower to compile and to search, and each thread compiles it anew.
 */
export function inSmallLetters(text: string): string {
  if (text === lastSmall.text) return lastSmall.small;
  const lower = text.toLowerCase();
  // The lower case of `İ` has two units.
  const small = lower.length === text.length ? lower : text.replaceAll("İ", "I").toLowerCase();
  if (text.length > worthKeeping) lastSmall = { text, small };
  return small;
}

/** Frees the last long text. Otherwise the mail would stay in memory until the next one arrives. */
export function forgetText(): void {
  lastSmall = none;
}

const none = { text: "", small: "" };
/** The last long text, which several rules read one after the other. */
let lastSmall = none;
const worthKeeping = 300;
