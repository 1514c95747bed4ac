import { withRanges } from "./letters.ts";

/** A place in a text, from `start` to before `end`. UTF-16 units. */
export interface TextRange {
  start: number;
  end: number;
}

/**
 * Returns a text in which full-width digits, letters and signs, and Arabic digits, have their ASCII form. Every
 * character keeps its position.
 */
export function halfWidth(text: string): string {
  return /[\uFF01-\uFF5E\u3000\u00A0\u202F\u2007\u0660-\u0669\u06F0-\u06F9]/.test(text)
    ? text
        .replace(/[\uFF01-\uFF5E]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
        .replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (char) => String(char.charCodeAt(0) & 15))
        .replace(/[\u3000\u00A0\u202F\u2007]/g, " ")
    : text;
}

/** Returns a text in which dots that lead from a name to its value are a colon. Every character keeps its position. */
export function withoutLeaders(text: string): string {
  return text.includes("...") ? text.replace(leaders, (dots) => ":".padEnd(dots.length)) : text;
}

/** Three dots directly behind a word and before a blank are an ellipsis. */
const leaders = /(?<=[\p{L}\d)] ?)(?!(?<=\S)\.{3} )\.{3,}(?= ?[\p{L}\d])/gu;

/** The words before the last digits of a number that the reader knows. */
const lastDigits =
  /(?:end(?:ing|s)(?:\s+(?:in|with))?|last\s+(?:\S+\s+)?digits|end(?:et|end|ung)(?:\s+(?:auf|mit))?|endziffern?|(?:se\s+)?(?:termin|finit|finis|finali[sz])\S*(?:\s+(?:par|en|em|con|com|per|in|con))?|final|eindig\S*(?:\s+op)?|kończ\S*(?:\s+się)?(?:\s+na)?|末尾|下\s?\d\s?桁(?:が|は)?|尾号(?:为|是)?|尾號(?:為|是)?|末四位)[\s:：*•·x.…#-]{0,12}$/;

/** A number that is masked up to its last digits, such as `*2207`. */
const masked = withRanges(String.raw`(?<![\p{L}\d])[*•xX·]{1,12}[ -]?$`);
/** The begin of a telephone number. */
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
  for (const match of text.matchAll(pattern))
    places.push({ start: match.index, end: match.index + match[0].length });
  return places;
}

/**
 * Returns whether a text has a digit. Most forms of codes need one, and searching a digit is much faster than searching
 * a form.
 */
export function hasDigit(text: string): boolean {
  return /\d/.test(text);
}

const addresses = /(?:\b[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/|\b[Ww]{3}\.)(?:(?![<>"'|)\]}])[!-~])+/g;
/** A part of every URL. */
const addressStem = /:\/\/|[Ww]{3}\./g;

/** Characters from the begin of a URL to its stem. */
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

/** Returns a text with a blank in place of each URL. */
export function withoutAddresses(text: string): string {
  let rest = "";
  let from = 0;
  for (const { start, end } of addressesIn(text)) {
    rest += `${text.slice(from, start)} `;
    from = end;
  }
  return rest + text.slice(from);
}

/** Characters around a stem in which a pattern may match. */
const reach = 100;

/**
 * Finds the matches of a pattern near the stems. Each match contains a stem. Most mails contain none, and searching a
 * stem is much faster than searching the pattern.
 * @param text in small letters, like the patterns
 */
export function placesNear(pattern: RegExp, stems: RegExp, text: string): TextRange[] {
  const places: TextRange[] = [];
  let from = -1;
  let to = -1;
  const search = (): void => {
    if (from === -1) return;
    for (const { start, end } of placesOf(pattern, text.slice(from, to)))
      places.push({ start: start + from, end: end + from });
  };
  for (const { index } of text.matchAll(stems)) {
    if (from !== -1 && index - reach <= to) {
      to = index + reach;
      continue;
    }
    search();
    from = Math.max(0, index - reach);
    to = index + reach;
  }
  search();
  return places;
}

/**
 * Returns a text in small letters. Every character keeps its position. The flags `iu` together make a pattern several
 * times slower to compile and to search, and each thread compiles it anew.
 */
export function inSmallLetters(text: string): string {
  const small = text.toLowerCase();
  // The small letter of `İ` has two units.
  return small.length === text.length ? small : text.replaceAll("İ", "I").toLowerCase();
}
