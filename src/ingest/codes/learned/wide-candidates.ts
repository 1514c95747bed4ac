import { candidatesIn } from "../candidates.ts";
import { addressesIn, hasDigit, placesOf, type TextRange } from "../found.ts";

export type WideKind = "link" | "number" | "mixed" | "word" | "token" | "password";

export interface WideCandidate extends TextRange {
  kind: WideKind;
}

/** Capitals and digits in groups with blanks, such as `QR7 T1B`. */
const groups =
  /(?<![\p{L}\p{N}_/@.-])(?=[A-Z0-9 ]{0,40}\d)(?=[A-Z0-9 ]{0,40}[A-Z])[A-Z0-9]{2,4}(?: [A-Z0-9]{2,4}){1,9}(?![\p{L}\p{N}_@-])/gu;
/** Capitals and digits one by one, such as `K Q 7 2 M X`. */
const apart =
  /(?<![\p{L}\p{N}_] ?)(?=[A-Z0-9 ]{0,20}\d)(?=[A-Z0-9 ]{0,20}[A-Z])[A-Z0-9](?: [A-Z0-9]){4,9}(?! ?[\p{L}\p{N}_])/gu;
/** Small letters and digits in a line of their own. */
const lowercase =
  /(?<=^[ \t*"'`-]{0,6})(?=[a-z]{0,20}\d)(?=\d{0,20}[a-z])[a-z0-9]{8,40}(?=[ \t*"'`]{0,6}$)/gm;
const dashedDigits = /(?<![\w-])\d{4,6}(?:-\d{3,6}){1,7}(?![\w-])/g;
const unevenDigits = /(?<!\d ?)(?:\d{2}(?: \d{2}){2,4}|\d{4} \d{2})(?! ?\d)/g;
/** Letters, digits and a sign, as in passwords that a sender chose. */
const passwords =
  /(?<=[:：\s"“「『]|^)(?=\S{0,30}\d)(?=\S{0,30}\p{L})[\p{L}\d]{1,20}[!#$%&*+.\-_=?@^~][\p{L}\d!#$%&*+.\-_=?@^~]{1,20}(?<![.,!?])(?=[\s.,。"”」』]|です|$)/gu;

/** Each of them needs a digit. */
const patterns: readonly (readonly [RegExp, WideKind])[] = [
  [groups, "mixed"],
  [apart, "mixed"],
  [lowercase, "token"],
  [dashedDigits, "number"],
  [unevenDigits, "number"],
  [passwords, "password"],
];

/** More candidates are not examined, which bounds the time. */
const mostCandidates = 60;

/** Finds everything that may be a code, a password or a link with a token, in the order of the text. */
export function wideCandidatesIn(text: string): WideCandidate[] {
  const found: WideCandidate[] = addressesIn(text).map(({ start, end }) => ({
    start,
    end: start + text.slice(start, end).replace(/[.,;:!?*_]+$/, "").length,
    kind: "link",
  }));
  const withDigit = hasDigit(text) ? patterns : [];
  const others: WideCandidate[] = [
    ...withDigit.flatMap(([pattern, kind]) =>
      placesOf(pattern, text).map((place) => ({ ...place, kind })),
    ),
    ...candidatesIn(text),
  ];
  for (const one of others.slice(0, 4 * mostCandidates))
    if (!found.some(({ start, end }) => one.start < end && one.end > start)) found.push(one);
  return found
    .filter((one) => canOpen(text.slice(one.start, one.end), one.kind))
    .toSorted((one, other) => one.start - other.start)
    .slice(0, mostCandidates);
}

/** `CVE-2025-1`, `24h`, `13-inch`, `34M-Anbindung`, `iPhone15`, `1500DM`, `score=3.30`, `mx1.example.com`, `HTML_LINK_1`. */
const noCode =
  /^(?:CVE|\d{1,4}[A-Z]?-?[A-Z]?[a-z]{1,20}$|[A-Z]?[a-z]{2,}\d{1,3}$|\d+[A-Z]{1,2}$|[\w.-]+=|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,6}$|[A-Z]+(?:_[A-Z]+)*_\d+$)/;

function canOpen(value: string, kind: WideKind): boolean {
  if (kind === "link") return hasToken(value);
  if (kind !== "number" && kind !== "token" && noCode.test(value)) return false;
  return value.replace(/[^\p{L}\p{N}]/gu, "").length >= 4;
}

/** Parameters whose value never opens an account. */
const plainNames =
  /^(?:utm_.*|mc_.*|ref|referrer|source|lang|locale|hl|redirect.*|return.*|next|url|continue|e-?mail|user(?:name)?|page|q|campaign.*|gclid|fbclid)$/i;

/** Parameters whose value is a token even when it has few characters. */
const shortTokenNames = /^(?:token|code|otp|key|pin)$/i;

/** Returns whether an address has a part that is no word, and could be a short token. */
function hasToken(address: string): boolean {
  const rest = /^(?:[a-z+.-]+:\/\/)?[^/?#]*(.*)$/is.exec(address)?.[1] ?? "";
  return rest.split(/[/?&#;]/).some((part) => {
    const cut = part.indexOf("=");
    const name = cut > 0 ? part.slice(0, cut) : "";
    const value = cut > 0 ? part.slice(cut + 1) : part;
    if (plainNames.test(name)) return false;
    if (shortTokenNames.test(name) && /^(?=.*\d)[\w-]{3,4}$/.test(value)) return true;
    if (value.length < 5) return false;
    if (/^\d+$/.test(value)) return value.length >= (name === "" ? 12 : 6);
    const isWords = value
      .split(/[-_.+~]|%20/)
      .every((word) => /^(?:[a-z]{1,20}|[A-Z][a-z]{1,19}|[A-Z]{1,4}|\d{1,4}|v\d)$/.test(word));
    return !isWords && (/\d/.test(value) || value.length > 24 || /[a-z][A-Z]/.test(value));
  });
}
