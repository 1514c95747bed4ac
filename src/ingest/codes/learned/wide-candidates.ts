import { Beginnings } from "../beginnings.ts";
import { candidatesIn, isAloneOnLine, twoApart } from "../candidates.ts";
import { units } from "../code-words.ts";
import { DigitLines, lineSigns } from "../digit-lines.ts";
import { isEndOfNumber } from "../end-of-number.ts";
import { alignedLowerCase } from "../text-forms.ts";
import { hasSign, textSigns } from "../text-pass.ts";
import { addressesIn, type TextRange } from "../text-ranges.ts";
import { isOfNewsletter } from "../link-words.ts";
import { isExample } from "../spoken.ts";
import { withRanges } from "../letters.ts";
import { namedIn } from "./named.ts";
import { listsIn } from "./phrase-lists.ts";
import { hasToken } from "./link-token.ts";
import { fewDigits, groupsInCells, longInside, mixedGroups, otherFormsIn } from "./other-forms.ts";
import { letterGroupsIn, wordPairsIn, wordsIn } from "./word-codes.ts";

export type WideKind =
  | "few"
  | "list"
  | "phrase"
  | "named"
  | "link"
  | "number"
  | "mixed"
  | "word"
  | "token"
  | "password";

export interface WideCandidate extends TextRange {
  kind: WideKind;
}

/** Capitals and digits in groups with blanks, such as `QR7 T1B`. */
const groups = withRanges(
  String.raw`(?=[A-Z0-9]{2,4} [A-Z0-9])(?<![\p{L}\p{N}_/@.-])(?=[A-Z0-9 ]{0,40}\d)(?=[A-Z0-9 ]{0,40}[A-Z])[A-Z0-9]{2,4}(?: [A-Z0-9]{2,4}){1,9}(?![\p{L}\p{N}_@-]|[.,:]\d)`,
  "g",
);
/** Single capitals and digits with blanks, such as `K Q 7 2 M X`. */
const apart = withRanges(
  String.raw`(?=[A-Z0-9] [A-Z0-9] )(?<![\p{L}\p{N}_] ?)(?=[A-Z0-9 ]{0,20}\d)(?=[A-Z0-9 ]{0,20}[A-Z])[A-Z0-9](?: [A-Z0-9]){4,9}(?! ?[\p{L}\p{N}_]|[.,:]\d)`,
  "g",
);
/** Lower case and digits, alone on a line. */
const lowercase =
  /(?=[a-z0-9]{8})(?<=^[ \t*"'`-]{0,6})(?=[a-z]{0,20}\d)(?=\d{0,20}[a-z])[a-z0-9]{8,40}(?=[ \t*"'`]{0,6}$)/gm;
/** Digits in groups with hyphens, except dates. */
const dashedDigits =
  /(?=\d{1,6}-)(?<![\w-])(?!(?:19|20)\d\d-\d\d-\d\d(?!\d)|\d{1,2}-\d{1,2}-(?:19|20)\d\d(?!\d))(?:\d{3,6}(?:-\d{1,6}){1,8}|\d{1,2}(?:-\d{1,6}){2,8})(?![\w-])/g;
/** Capitals and digits in cells of a table, one or more rows of it. */
const cells =
  /(?=[A-Z\d][ \t]?\|)(?<![\w|][ \t]?)(?=[^\n]{0,60}\d)[A-Z\d](?:[ \t]?\|(?:[ \t]{1,3}\|)?[ \t]?[A-Z\d]){3,9}(?![ \t]?[\w|])/g;
const cellRows =
  /(?=\d \| \d)(?<=^[ \t]*)\d(?: \| \d){1,3}(?:\n\d(?: \| \d){1,3}){1,4}(?=[ \t]*$)/gm;
/** Digits that are items of a list. */
const digitItems = /(?=\d\n)(?<=^[ \t]*[-*•] )\d(?:\n{1,2}[ \t]*[-*•] \d){3,9}(?=[ \t]*$)/gm;
/** Capitals and then groups of digits, such as `VT 6 18 04` or `ZV.20.448.7`. */
const capitalsFirst = withRanges(
  String.raw`(?=[A-Z]{1,4}[ .]\d)(?<![\p{L}\p{N}_/@.-] ?)[A-Z]{1,4}(?:(?: \d{1,4}){2,4}|(?:\.\d{1,4}){2,4})(?! ?[\p{L}\p{N}_@]|[.,:]\d)`,
  "g",
);
/** A word in capitals and digits, in a line or a cell of its own. */
const wordAndDigits = withRanges(
  String.raw`(?=[\p{Latin}]{3,10} \d)(?<=(?:^|\n|\| |[:：] )[ \t*>]{0,4}(?:\d{1,2}[.)] )?)[\p{Latin}]{3,10} \d{2,6}(?=[ \t*]{0,4}(?:\n|$| \|))`,
  "g",
);
/** Digits in groups of any size. */
const unevenDigits = withRanges(
  String.raw`(?=\d{1,4} \d)(?<![\d+(.,/-] ?)(?<![\p{L}_@#])\d{1,4}(?: \d{1,4}){1,7}(?! ?[\d/-]|[.,:]\d|[\p{L}_@%€$£])`,
  "g",
);
/** Digits in two to four groups with spaced hyphens, alone on a line, such as `619 - 204`. */
const spacedDashes =
  /(?=\d)(?<=^[ \t*"'`]{0,8})(?!(?:19|20)\d\d-\d\d-\d\d)\d{1,4}(?: ?[-–·] ?\d{1,4}){1,3}(?=[ \t*"'`]{0,6}$)/gm;
/** Three capitals and digits after a colon or a verb, as public services send them. */
const threeSigns =
  /(?=[A-Z0-9]{3}(?![\w-]))(?<=(?:[:：]|\b(?:es|is|ist|est|PIN)|[éè]) )(?=[A-Z]{0,2}\d)(?=\d{0,2}[A-Z])[A-Z0-9]{3}(?![\w-]|[.,]\d)/g;
/** Digits in three groups with dots, which are no date. */
const dottedDigits =
  /(?=\d\d)(?<![\w.,:/+-])(?!(?:[0-2]\d|3[01])\.(?:0\d|1[0-2])\.)(?:\d\d\.\d\d\.\d\d|\d{3}\.\d{3}\.\d{3})(?![\w/-]|[.,:]\d| ?[€$£%])/g;
/** Several codes side by side. */
const rowsOfDigits = /(?=\d{6})(?<![\d+-] ?)\d{6,10}(?:[ \t,;|]{1,3}\d{6,10}){1,9}(?! ?\d)/g;
/** Letters and digits in groups with blanks, alone on a line, such as `f3a9 7bc2` or `E - 7 7 2 0`. */
const looseGroups =
  /(?<![A-Za-z0-9])(?=[A-Za-z0-9]{1,6}[ -])(?<=^[ \t*"'`>•-]{0,8})(?=[^\n]{0,70}\d)(?=[^\n]{0,70}[A-Za-z])[A-Za-z0-9]{1,6}(?: ?[ -] ?[A-Za-z0-9]{1,6}){1,15}(?=[ \t*"'`]{0,6}$)/gm;
/** Letters, digits and a sign, as in passwords that a sender chose. */
const passwords = withRanges(
  String.raw`(?<=[:：\s"“「『]|^)(?=\S{0,30}\d)(?=\S{0,30}\p{L})[\p{Latin}\d]{1,20}[!#$%&*+.\-_=?@^~][\p{Latin}\d!#$%&*+.\-_=?@^~]{1,20}(?<![.,?])(?=[\s.,;。"”」』]|です|$)`,
  "g",
);

/** Letters and digits with a sign at the end, as in `Sunday77!`. */
const endsWithSign = withRanges(
  String.raw`(?<![A-Za-z\d])(?=[\p{Latin}])(?<=[:：\s"“„«「『(]|^)(?=\S{0,20}\d)[\p{Latin}][\p{Latin}\d]{4,20}[!#$%&*+]{1,2}(?=[\s.,;)"”»」』]|$)`,
  "g",
);

/**
 * Forms that need a digit, and the sign of the lines that may have one. A check of the next characters, as the first part
 * of a form, saves most of the look behind.
 */
export const byForm: readonly (readonly [RegExp, WideKind, number])[] = [
  [groups, "mixed", lineSigns.capitalsApart],
  [apart, "mixed", lineSigns.capitalsApart],
  [lowercase, "token", lineSigns.longLowercase],
  [longInside, "token", lineSigns.long],
  [dashedDigits, "number", lineSigns.dashed],
  [rowsOfDigits, "number", lineSigns.sixDigits],
  [cells, "mixed", lineSigns.bar],
  [cellRows, "number", lineSigns.bar],
  [groupsInCells, "mixed", lineSigns.bar],
  [mixedGroups, "token", lineSigns.mixed],
  [digitItems, "number", lineSigns.item],
  [capitalsFirst, "mixed", lineSigns.capitalFirst],
  [wordAndDigits, "mixed", lineSigns.wordFirst],
  [spacedDashes, "number", lineSigns.dash],
  [threeSigns, "mixed", lineSigns.threeSigns],
  [dottedDigits, "number", lineSigns.dotted],
  [twoApart, "number", lineSigns.digitsApart],
  [unevenDigits, "number", lineSigns.digitsApart],
  [looseGroups, "mixed", lineSigns.looseGroups],
  [fewDigits, "few", lineSigns.digitsAlone],
  [passwords, "password", lineSigns.signInside],
  [endsWithSign, "password", lineSigns.signBehind],
];

/** Limit on candidates that are examined, to bound the time. */
const mostCandidates = 60;

/** Finds everything that may be a code, a password or a link with a token, in the order of the text. */
export function wideCandidatesIn(text: string): readonly WideCandidate[] {
  const found = linksIn(text);
  const lines = new DigitLines(hasSign(text, textSigns.digit) ? text : "");
  const others: WideCandidate[] = [];
  addAs(others, "list", listsIn(text));
  addForms(others, text, lines);
  addAs(others, "token", letterGroupsIn(text));
  addAs(others, "word", wordPairsIn(text));
  addAs(others, "phrase", wordsIn(text));
  addEach(others, namedIn(text));
  addEach(others, otherFormsIn(text, lines));
  if (others.length > 0) addPossible(found, text, others);
  return found.length === 0 ? found : telling(text, found);
}

/** Adds places of one kind. V8 compiles such calls much faster than spread lists, and reads objects of one shape faster. */
function addAs(found: WideCandidate[], kind: WideKind, places: readonly TextRange[]): void {
  for (const { start, end } of places) found.push({ start, end, kind });
}

function addEach(found: WideCandidate[], others: readonly WideCandidate[]): void {
  for (const { start, end, kind } of others) found.push({ start, end, kind });
}

/** Returns all candidates except links that are only addresses. */
function telling(text: string, found: readonly WideCandidate[]): WideCandidate[] {
  const links = found.filter(({ kind }) => kind === "link");
  const isShown = (part: string): boolean => isOutside(text, part, links);
  return found
    .filter((one) => one.kind !== "link" || isTelling(text, one, isShown))
    .slice(0, mostCandidates);
}

/** The beginning of a URL without a scheme. */
const hosts = new Beginnings(/www/y, ["www"]);

function linksIn(text: string): WideCandidate[] {
  const found: WideCandidate[] = [];
  if (!hasSign(text, textSigns.slashes) && !hosts.begins(text)) return found;
  for (const { start, end } of addressesIn(text)) {
    const value = text.slice(start, end).replace(/[.,;:!?*_]+$/, "");
    found.push({ start, end: start + value.length, kind: "link" });
  }
  return found;
}

/** Returns whether a part of a link is also in the text outside of links. */
function isOutside(text: string, part: string, links: readonly TextRange[]): boolean {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length))
    if (!links.some(({ start, end }) => start <= at && at < end)) return true;
  return false;
}

/** Returns whether a link may have a token. */
const isTelling = (
  text: string,
  { start, end }: TextRange,
  isShown: (part: string) => boolean,
): boolean => hasToken(text.slice(start, end), isShown) && !isOfNewsletter(text, { start, end });

/** Adds everything that has the form of a code. */
function addForms(found: WideCandidate[], text: string, lines: DigitLines): void {
  for (const [pattern, kind, sign] of byForm) addAs(found, kind, lines.placesOf(pattern, sign));
  addEach(found, candidatesIn(text, lines));
}

/** Adds what may be a code and is beside the others, in the order of the text. */
function addPossible(found: WideCandidate[], text: string, others: readonly WideCandidate[]): void {
  let count = 0;
  for (const one of others) {
    if (!isPossible(text, one)) continue;
    count += 1;
    if (count > 4 * mostCandidates) break;
    const at = placeFor(found, one);
    if (at !== undefined) found.splice(at, 0, withSign(text, one));
  }
}

/** Returns the index at which a range belongs into others in the order of the text. Undefined if it overlaps one. */
function placeFor(found: readonly TextRange[], { start, end }: TextRange): number | undefined {
  let [low, high] = [0, found.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((found[middle]?.end ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  const next = found[low];
  return next !== undefined && next.start < end ? undefined : low;
}

function isPossible(text: string, { start, end, kind }: WideCandidate): boolean {
  return (
    canOpen(text.slice(start, end), kind) &&
    !counted.test(text[end] ?? "") &&
    !(kind === "number" && units.test(alignedLowerCase(text.slice(end, end + 14)))) &&
    !(
      kind === "word" &&
      (isShouted(text, { start, end }) || isPictureText(text, { start, end }))
    ) &&
    !isOfFingerprint(text, { start, end }) &&
    !isYearOfDate(text, { start, end }) &&
    !isExample(text, { start, end }) &&
    !isEndOfNumber(text, { start, end })
  );
}

/** The fingerprint of an OpenPGP key (RFC 4880, section 12.2): ten groups, in most texts with two blanks in the middle. */
const fingerprint = /(?<![\dA-F])(?:[\dA-F]{4} ){5} ?(?:[\dA-F]{4} ){4}[\dA-F]{4}(?![\dA-F])/;
const twoGroups = /^[\dA-F]{4} [\dA-F]{4}/;
const fingerprintCharacters = 50;

function isOfFingerprint(text: string, { start, end }: TextRange): boolean {
  if (!twoGroups.test(text.slice(start, end))) return false;
  const from = Math.max(0, start - fingerprintCharacters);
  const found = fingerprint.exec(text.slice(from, end + fingerprintCharacters));
  if (found === null) return false;
  const first = from + found.index;
  return first <= start && first + found[0].length >= end;
}

/** Returns whether a word is a line in square brackets, as the text of a picture is written. Few codes are in a picture. */
const isPictureText = (text: string, { start, end }: TextRange): boolean =>
  text[start - 1] === "[" && text[end] === "]" && isAloneOnLine(text, { start, end });

const wordBefore = withRanges(String.raw`(\p{L}{2,})[^\p{L}\n]{1,3}$`);
const wordBehind = withRanges(String.raw`^[^\p{L}\n]{1,3}(\p{L}{2,})`);
/** Characters beside a word that are read. */
const besideWord = 40;
/** Limit on words on each side of a word that tell whether its sentence is in capitals. */
const mostShouted = 2;

/** Returns whether a word in capitals is one of a sentence in capitals. */
function isShouted(text: string, { start, end }: TextRange): boolean {
  let before = text.slice(Math.max(0, start - besideWord), start);
  let behind = text.slice(end, end + besideWord);
  let count = 0;
  for (let side = 0; side < mostShouted; side += 1) {
    const [last = "", one = ""] = wordBefore.exec(before) ?? [];
    const [first = "", other = ""] = wordBehind.exec(behind) ?? [];
    if (isInCapitals(one)) count += 1;
    if (isInCapitals(other)) count += 1;
    before = isInCapitals(one) ? before.slice(0, before.length - last.length) : "";
    behind = isInCapitals(other) ? behind.slice(first.length) : "";
  }
  return count >= mostShouted;
}

const isInCapitals = (word: string): boolean =>
  word !== "" && word === word.toUpperCase() && word !== word.toLowerCase();

const yearForm = /^(?:19|20)\d\d$/;
const dayBefore = withRanges(
  String.raw`\d{1,2}(?:st|nd|rd|th|er)?[.,]?\s(?:de\s)?\p{L}{3,10}\.?,?\s(?:de\s)?$|\p{L}{3,10}\s\d{1,2}(?:st|nd|rd|th)?,?\s$|(?:^|[^\p{L}])(?:[Ii]n|[Ii]m Jahr|[Ss]eit|[Ss]ince|[Ee]n|[Ee]m|[Dd]epuis|[Dd]esde|[Nn]el|[Dd]al|[Ss]inds|[Bb]is|[Uu]ntil|©|\([Cc]\)|[Cc]opyright)\s$`,
);

function isYearOfDate(text: string, { start, end }: TextRange): boolean {
  return (
    yearForm.test(text.slice(start, end)) &&
    dayBefore.test(text.slice(Math.max(0, start - besideWord), start))
  );
}

/** The name of a code, which has the form of a part of it. */
const nameFirst = /^(?:PIN|PUK|TAN|OTP|NIP|CODE|CODICE|KEY)\d? (?=[A-Z\d]*\d)/;

/** Leaves out the name of a code, and adds the sign with which a password ends. */
function withSign(text: string, found: WideCandidate): WideCandidate {
  const name = nameFirst.exec(text.slice(found.start, found.end))?.[0] ?? "";
  const start = found.start + name.length;
  const isNumber = name !== "" && /^[\d -]+$/.test(text.slice(start, found.end));
  const kind = isNumber ? "number" : found.kind;
  const sign =
    kind === "number" || kind === "list"
      ? undefined
      : /^[!#$%&?+]{1,2}(?=[\s.,;]|$)/.exec(text.slice(found.end, found.end + 3))?.[0];
  return { start, end: found.end + (sign?.length ?? 0), kind };
}

/**
 * `CVE-2025-1`, `24h`, `13-inch`, `34M-Anbindung`, `iPhone15`, `1500DM`, `score=3.30`, `mx1.example.com`,
 * `HTML_LINK_1`, `20101117.284@luna`.
 */
const noCode =
  /^(?:CVE|GHSA|0x|\d{6,}(?:\.\d+)*@\w+$|(?:GMT|UTC)[+-]|[^@\s]+@[\w.-]+\.[a-z]{2,}$|\d\d\.\d{3}Z$|\d{1,4}[A-Z]?-?[A-Z]?[a-z]{1,20}$|[A-Z]?[a-z]{2,}\d{1,3}$|\d+[A-Z]{1,2}$|[\w.-]+=|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,6}$|[A-Z]+(?:_[A-Z]+)*_\d+$)/;

const noText = withRanges(String.raw`[^\p{L}\p{N}]`, "g");

function canOpen(value: string, kind: WideKind): boolean {
  if (kind === "few" || kind === "list") return true;
  // The boundary between parts of a message.
  if (value.startsWith("--")) return false;
  if (kind === "mixed" && value.includes("|")) return true;
  if (kind === "mixed" && /[ ]/.test(value) && !isGrouped(value.split(/[ -]+/))) return false;
  if (kind === "phrase" || kind === "named") return value.length >= 3;
  // Telephone numbers are longer, or begin with 0.
  if (kind === "number" && /^\d{1,4}(?: \d{1,4})+$/.test(value)) {
    const size = value.replace(/\D/g, "").length;
    return size >= 4 && size <= 12 && !(size > 8 && value.startsWith("0"));
  }
  if (kind === "mixed" && value.length === 3) return true;
  if (kind !== "number" && kind !== "token" && noCode.test(value)) return false;
  return value.replace(noText, "").length >= 4;
}

/** A number before one of these characters is a count or a date. */
const counted = /[年月日室楼階階円元件点枚人本回章页頁歳]/u;

/** Returns whether groups are not words and numbers of a sentence. */
function isGrouped(parts: readonly string[]): boolean {
  const [first = ""] = parts;
  if (parts.some((part) => /^(?:EUR|USD|GBP|CHF|BRL|JPY|CNY|UTC|GMT|CET)$/.test(part)))
    return false;
  return (
    (parts.length >= 3 &&
      first.length >= 3 &&
      parts.every(({ length }) => length === first.length)) ||
    parts.every((part) => /\d/.test(part) || /^[A-Z]{1,10}$/.test(part))
  );
}
