import { aloneIn, candidatesIn } from "../candidates.ts";
import { isSentence } from "../function-words.ts";
import {
  addressesIn,
  hasDigit,
  inSmallLetters,
  isEndOfNumber,
  placesOf,
  type TextRange,
} from "../found.ts";
import { isOfNewsletter } from "../link-words.ts";
import { withRanges } from "../letters.ts";
import { hasToken } from "./link-token.ts";

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
  String.raw`(?<![\p{L}\p{N}_/@.-])(?=[A-Z0-9 ]{0,40}\d)(?=[A-Z0-9 ]{0,40}[A-Z])[A-Z0-9]{2,4}(?: [A-Z0-9]{2,4}){1,9}(?![\p{L}\p{N}_@-]|[.,:]\d)`,
  "g",
);
/** Single capitals and digits with blanks, such as `K Q 7 2 M X`. */
const apart = withRanges(
  String.raw`(?<![\p{L}\p{N}_] ?)(?=[A-Z0-9 ]{0,20}\d)(?=[A-Z0-9 ]{0,20}[A-Z])[A-Z0-9](?: [A-Z0-9]){4,9}(?! ?[\p{L}\p{N}_]|[.,:]\d)`,
  "g",
);
/** Small letters and digits, alone on a line. */
const lowercase =
  /(?<=^[ \t*"'`-]{0,6})(?=[a-z]{0,20}\d)(?=\d{0,20}[a-z])[a-z0-9]{8,40}(?=[ \t*"'`]{0,6}$)/gm;
/** Digits in groups with hyphens, except dates. */
const dashedDigits =
  /(?<![\w-])(?!(?:19|20)\d\d-\d\d-\d\d(?!\d))\d{3,6}(?:-\d{1,6}){1,8}(?![\w-])/g;
/** Digits in groups of any size. */
const unevenDigits = withRanges(
  String.raw`(?<![\d+(.,/-] ?)(?<![\p{L}_@#])\d{1,4}(?: \d{1,4}){1,7}(?! ?[\d/-]|[.,:]\d|[\p{L}_@%€$£])`,
  "g",
);
/** Several codes side by side. */
const rowsOfDigits = /(?<![\d+-] ?)\d{6,10}(?:[ \t,;|]{1,3}\d{6,10}){1,9}(?! ?\d)/g;
/** Letters and digits in groups with blanks, alone on a line, such as `f3a9 7bc2` or `E - 7 7 2 0`. */
const looseGroups =
  /(?<=^[ \t*"'`>•-]{0,8})(?=[^\n]{0,70}\d)(?=[^\n]{0,70}[A-Za-z])[A-Za-z0-9]{1,6}(?: ?[ -] ?[A-Za-z0-9]{1,6}){1,15}(?=[ \t*"'`]{0,6}$)/gm;
/** Small letters in four groups of four, as passwords of single apps have them. */
const letterGroups = withRanges(
  String.raw`(?<![\p{L}\p{N}_/@.-])[a-z]{4}(?:([ -])[a-z]{4})(?:\1[a-z]{4}){2}(?![\p{L}\p{N}_@-])`,
  "g",
);
/** A few digits in a paragraph of their own. */
const fewDigits = /(?<=(?:^|\n)[ \t]*\n[ \t*]{0,6})\d{2,3}(?=[ \t*]{0,6}(?:\n[ \t]*(?:\n|$)|$))/g;
/** A paragraph of small words, with or without numbers, as wallets use for recovery phrases. */
const wordList =
  /(?<=(?:^|\n[ \t>]*\n|[:：][ \t]*\n)[ \t>*"'`]{0,6})(?:\d{1,2}[.):]? )?(?:\p{Ll}{2,12}|\p{Lo}{1,6})(?:(?:,? | ?[,、] ?|[.)] )(?:\d{1,2}[.):]? )?(?:\p{Ll}{2,12}|\p{Lo}{1,6})){7,23}(?=[ \t.*"'`]{0,6}(?:\n[ \t>]*(?:\n|$)|$))/gu;
/** The same with each word on its own line. */
const wordLines = /(?<=^|\n)(?:[ \t]*\d{1,2}[.):]? [ \t]*\p{Ll}{2,12}[ \t]*(?:\n{1,2}|$)){6,24}/gu;
const phraseNouns = String.raw`phrase|frase|\bwords?\b|wörter|\bmots\b|palabras|\bparole\b|palavras|woorden|\bzin\b|satz|schlüssel|\bkey\b|\bcl[ée]\b|clave|chave|chiave|sleutel`;
const phrasePurposes = String.raw`recover|recuper|récup|restor|wiederherst|herstel|backup|back-up|secret|segret|segred|geheim|secours|notfall|emergen`;
/** A message about a seed phrase names a wallet or a phrase to recover something. Others have lines of small words too. */
const aboutPhrases = new RegExp(
  String.raw`seed|semilla|semente|wallet|mnemonic|passphrase|geldbörse|portefeuille|billetera|monedero|cartera|carteira|助记|助記|恢复|恢復|リカバリー|フレーズ|シード|(?:${phrasePurposes})[^\n.]{0,30}(?:${phraseNouns})|(?:${phraseNouns})[^\n.]{0,30}(?:${phrasePurposes})|herstelzin`,
  "u",
);
/** The fewest letters of a word in the lists of words for seed phrases (BIP 39). Sentences have shorter words. */
const shortestWord = 3;
const latinWord = /\p{Ll}+/gu;

/** Returns whether a list of small words is not a sentence. */
function isPhrase(value: string): boolean {
  const words = value.match(latinWord) ?? [];
  return (
    words.every((word) => word.length >= shortestWord) && !(words.length > 0 && isSentence(words))
  );
}

const secretName = String.raw`(?:pass(?:word|code|wort|phrase)|passe|kennwort|pin|pins|codes?|codice|codici|c[óo]digos?|clave|llave|chave|senha|contrase[ñn]a|mdp|parola|chiave|woord|sleutel|schlüssel|key|cl[ée]|secret|token|pwd|phrase|frase|zin|words?|wörter|mots?|palabras?|palavras?|woorden|letters|kod(?:u|em|y)?|hasł\p{L}{1,3})`;
/** The name of a secret. A value after or below it may have any form. */
const secretNames = withRanges(
  String.raw`${secretName}(?!\p{L})|パスワード|コード|キー|密码|密碼|码|碼|口令`,
  "g",
);
/** A colon behind the name, and one value or a few words up to the end of the line. The colon of a time does not count. */
const behindName = withRanges(
  String.raw`^(?:[^\n:：.!?]|(?<=\d)[:.](?=\d)){0,40}(?:[:：]|は|为|為|是|\t)[ \t]{0,3}["'“„«「『*]?((?:[\p{L}\d][\p{L}\d_+-]{1,20}(?: [\p{L}\d_+-]{2,20}){1,3}(?=["'”“»*」』]?[ \t]*(?:\n|$)))|[^\s"'“”„«»「」『』*<>[\]|()，。、；]{3,64}(?<![.,;:?]))`,
);
/** A few words or groups in a paragraph of their own, below a name whose sentence has no end. */
const belowName = withRanges(
  String.raw`^[^\n.!?。！？]{0,80}\n[ \t]*(?:\n[ \t]*)?["'“„«*]?([\p{L}\d][\p{L}\d_+-]{1,20}(?: [\p{L}\d_+-]{2,20}){0,5})(?=["'”“»*]?[ \t]*(?:\n[ \t]*(?:\n|$)|$))`,
);
/** A value with letters and digits directly behind the name of a secret. */
const besideName = withRanges(
  String.raw`^[ \t]{1,2}["'“„«*]?((?=\S{0,24}\d)(?=\S{0,24}\p{L})[^\s"'”»,;:/]{5,24}(?<![.?]))`,
);
const cjk = withRanges(String.raw`[\p{Cjk}]`);
/** Characters behind a name that are read. */
const namedCharacters = 220;
/** Most names of secrets that are read, to bound the time. */
const mostNames = 200;

/** Finds values of any form after or below the name of a secret. */
function namedIn(text: string): WideCandidate[] {
  const found: WideCandidate[] = [];
  for (const { end } of placesOf(secretNames, inSmallLetters(text)).slice(0, mostNames)) {
    const behind = text.slice(end, end + namedCharacters);
    for (const [pattern, kind] of [
      [behindName, "named"],
      [belowName, "phrase"],
      [besideName, "named"],
    ] as const) {
      const match = pattern.exec(behind);
      const value = match?.[1];
      if (match === null || value === undefined) continue;
      // `Password: at least 12 characters`.
      if (
        /^\p{Ll}+$/u.test(value) &&
        !/^["'”“»*」』]?[ \t]*(?:\n|$)/u.test(behind.slice(match[0].length))
      )
        continue;
      // `The code: how to protect yourself`.
      if (value.includes(" ") && !/\d/.test(value) && isSentence(value.toLowerCase().split(" ")))
        continue;
      // Japanese and Chinese write a sentence behind the name of a secret in the same way.
      if (kind === "named" && cjk.test(value) && !/[A-Za-z\d]/.test(value)) continue;
      const start = end + match[0].length - value.length;
      found.push({ start, end: start + value.length, kind: value.includes(" ") ? "phrase" : kind });
    }
  }
  return found;
}

/** Letters, digits and a sign, as in passwords that a sender chose. */
const passwords = withRanges(
  String.raw`(?<=[:：\s"“「『]|^)(?=\S{0,30}\d)(?=\S{0,30}\p{L})[\p{Latin}\d]{1,20}[!#$%&*+.\-_=?@^~][\p{Latin}\d!#$%&*+.\-_=?@^~]{1,20}(?<![.,?])(?=[\s.,;。"”」』]|です|$)`,
  "g",
);

/** Letters and digits with a sign at the end, as in `Sunday77!`. */
const endsWithSign = withRanges(
  String.raw`(?<=[:：\s"“„«「『(]|^)(?=\S{0,20}\d)[\p{Latin}][\p{Latin}\d]{4,20}[!#$%&*+]{1,2}(?=[\s.,;)"”»」』]|$)`,
  "g",
);

type Patterns = readonly (readonly [RegExp, WideKind])[];

const lists: Patterns = [
  [wordLines, "list"],
  [wordList, "list"],
];
/** Each of them needs a digit. */
const byForm: Patterns = [
  [groups, "mixed"],
  [apart, "mixed"],
  [lowercase, "token"],
  [dashedDigits, "number"],
  [rowsOfDigits, "number"],
  [unevenDigits, "number"],
  [looseGroups, "mixed"],
  [fewDigits, "few"],
  [passwords, "password"],
  [endsWithSign, "password"],
];

/** Most candidates that are examined, to bound the time. */
const mostCandidates = 60;

/**
 * Finds everything that may be a code, a password or a link with a token, in the order of the text.
 * @param subject the subject of the text
 */
export function wideCandidatesIn(text: string, subject = ""): readonly WideCandidate[] {
  if (last?.text === text && last.subject === subject) return last.found;
  const found = searchIn(text, subject);
  last = { text, subject, found };
  return found;
}

/** A cache of the last text, which is examined several times. */
let last: { text: string; subject: string; found: readonly WideCandidate[] } | undefined;

function searchIn(text: string, subject: string): WideCandidate[] {
  const found: WideCandidate[] = addressesIn(text).map(({ start, end }) => ({
    start,
    end: start + text.slice(start, end).replace(/[.,;:!?*_]+$/, "").length,
    kind: "link",
  }));
  const others: WideCandidate[] = [
    ...listsIn(text, subject),
    ...(hasDigit(text) ? matchesOf(byForm, text) : []),
    ...candidatesIn(text),
    ...letterGroupsIn(text),
    ...namedIn(text),
  ];
  const possible = others.filter(
    ({ start, end, kind }) =>
      canOpen(text.slice(start, end), kind) &&
      !counted.test(text[end] ?? "") &&
      !(kind === "word" && isShouted(text, { start, end })) &&
      !isYearOfDate(text, { start, end }) &&
      !isEndOfNumber(text, { start, end }),
  );
  for (const one of possible.slice(0, 4 * mostCandidates))
    if (!found.some(({ start, end }) => one.start < end && one.end > start))
      found.push(withSign(text, one));
  return found
    .filter(
      ({ start, end, kind }) =>
        kind !== "link" ||
        (hasToken(text.slice(start, end)) && !isOfNewsletter(text, { start, end })),
    )
    .toSorted((one, other) => one.start - other.start)
    .slice(0, mostCandidates);
}

const shoutedBefore = /(?<!\p{L})(?:\p{Lu}{2,}[^\p{L}\n]{1,3}){1,2}$/u;
const shoutedBehind = /^(?:[^\p{L}\n]{1,3}\p{Lu}{2,}){1,2}(?!\p{L})/u;
/** Characters beside a word that are read. */
const besideWord = 40;

/** Returns whether a word in capitals is one of a sentence in capitals. */
function isShouted(text: string, { start, end }: TextRange): boolean {
  const before = shoutedBefore.exec(text.slice(Math.max(0, start - besideWord), start));
  const behind = shoutedBehind.exec(text.slice(end, end + besideWord));
  const count = [before, behind].reduce(
    (sum, match) => sum + (match?.[0].match(/\p{Lu}{2,}/gu)?.length ?? 0),
    0,
  );
  return count >= 2;
}

const yearForm = /^(?:19|20)\d\d$/;
const dayBefore = withRanges(
  String.raw`\d{1,2}(?:st|nd|rd|th|er)?[.,]?\s(?:de\s)?\p{L}{3,10}\.?,?\s(?:de\s)?$|\p{L}{3,10}\s\d{1,2}(?:st|nd|rd|th)?,?\s$`,
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
  const one = { ...found, start, ...(isNumber && { kind: "number" as const }) };
  const sign =
    one.kind === "number" || one.kind === "list"
      ? undefined
      : /^[!#$%&?+]{1,2}(?=[\s.,;]|$)/.exec(text.slice(one.end, one.end + 3))?.[0];
  return sign === undefined ? one : { ...one, end: one.end + sign.length };
}

function listsIn(text: string, subject: string): WideCandidate[] {
  if (!aboutPhrases.test(inSmallLetters(`${subject}\n${text}`))) return [];
  return matchesOf(lists, text).filter(({ start, end }) => isPhrase(text.slice(start, end)));
}

/**
 * Returns groups of letters of which one has no vowel, as random letters have. Alone on a line, groups that are not a
 * sentence are enough. Some languages have many words of four letters.
 */
function letterGroupsIn(text: string): WideCandidate[] {
  return placesOf(letterGroups, text)
    .filter((place) => {
      const groups = text.slice(place.start, place.end).split(/[ -]/);
      return (
        groups.some((group) => !/[aeiouy]/.test(group)) ||
        (aloneIn(text, place) && !isSentence(groups))
      );
    })
    .map((place) => ({ ...place, kind: "token" }));
}

function matchesOf(patterns: Patterns, text: string): WideCandidate[] {
  return patterns.flatMap(([pattern, kind]) =>
    placesOf(pattern, text).map((place) => ({ ...place, kind })),
  );
}

/**
 * `CVE-2025-1`, `24h`, `13-inch`, `34M-Anbindung`, `iPhone15`, `1500DM`, `score=3.30`, `mx1.example.com`,
 * `HTML_LINK_1`, `20101117.284@luna`.
 */
const noCode =
  /^(?:CVE|0x|\d{6,}(?:\.\d+)*@\w+$|(?:GMT|UTC)[+-]|[^@\s]+@[\w.-]+\.[a-z]{2,}$|\d\d\.\d{3}Z$|\d{1,4}[A-Z]?-?[A-Z]?[a-z]{1,20}$|[A-Z]?[a-z]{2,}\d{1,3}$|\d+[A-Z]{1,2}$|[\w.-]+=|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,6}$|[A-Z]+(?:_[A-Z]+)*_\d+$)/;

const noText = withRanges(String.raw`[^\p{L}\p{N}]`, "g");

function canOpen(value: string, kind: WideKind): boolean {
  if (kind === "few" || kind === "list") return true;
  if (kind === "mixed" && /[ ]/.test(value) && !isGrouped(value.split(/[ -]+/))) return false;
  if (kind === "phrase" || kind === "named") return value.length >= 3;
  // Telephone numbers are longer, or begin with 0.
  if (kind === "number" && /^\d{1,4}(?: \d{1,4})+$/.test(value)) {
    const size = value.replace(/\D/g, "").length;
    return size >= 4 && size <= 12 && !(size > 8 && value.startsWith("0"));
  }
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
    parts.every((part) => /\d/.test(part) || /^[A-Z]{1,4}$/.test(part))
  );
}
