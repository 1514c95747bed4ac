import {
  hasAccessPurpose,
  enterVerbs,
  keepClose,
  otherThings,
  secretAcronyms,
  secretNames,
} from "./access-words.ts";
import { aloneIn, type Candidate, candidatesIn } from "./candidates.ts";
import {
  keepSecret,
  notByYou,
  otherLabels,
  signInWords,
  strongNouns,
  units,
  validity,
} from "./code-words.ts";
import { occurs, type TextRange } from "./found.ts";

/** Points of evidence from which a number or word counts as a code. */
const enough = 5;
/** The most points that the text around a code adds. */
const mostAround = 5;
/** Most candidates that are examined, to bound the time. A mail with more is a table. */
const mostCandidates = 60;
/** Characters around a code that are searched for a purpose and for warnings. */
const aroundCharacters = 1_200;
/** Longest examined part of the sentences beside a code. Characters. */
const besideCharacters = 200;

/** Characters between a verb such as `enter` and what is entered. */
const boundCharacters = 40;
/** A message up to this length with a single candidate is about that candidate. Characters. */
const shortMessage = 600;

const copula = String.raw`(?:\b(?:is|are|reads|lautet|ist|sind|est|sont|es|son|são|as|als)(?:\s+(?:le|la|el|o|the|now))?|(?<=\s)é(?:\s+o)?|[:：=]|は|が|为|為|是)`;
const named = `(?:${secretNames})(?:\\s+sms)?`;
const tiedBefore = new RegExp(
  String.raw`(?:${named})(?:[^\n.!?。]{0,80}${copula})?(?:\s+(?:der|die|den|le|la|el|o|the))?[\s\p{P}\p{S}]*$`,
  "iu",
);
const tiedAcronym = new RegExp(
  String.raw`(?:^|[^\p{L}])${secretAcronyms}(?:[^\n.!?。]{0,80}${copula})?(?:\s+(?:le|la|el|o))?[\s\p{P}\p{S}]*$`,
  "u",
);
const tiedBehind = new RegExp(
  String.raw`^[\s\p{P}\p{S}]*${copula}[^\n.!?。]{0,60}(?:${named}|${secretAcronyms})`,
  "iu",
);
const isNamed = new RegExp(
  `${named}|${secretAcronyms}|\\bnumbers?\\b|nummer|\\bnum[ée]ro|n[úu]meros?\\b|番号|号码|號碼`,
  "iu",
);
const endsWithCopula = new RegExp(String.raw`\s*${copula}[\s\p{P}\p{S}]*$`, "iu");
const sentenceEnd = /(?<!(?:^|[^\p{L}])\p{Lu})[.!?](?=\s|$)|[。！？\n]/u;

/** The text beside a candidate. `lead` and `tail` belong to its sentence, or are the lines next to it. */
interface Beside {
  lead: string;
  tail: string;
  /** The sentence after the candidate's sentence. */
  next: string;
  isAlone: boolean;
}

interface Around {
  purpose: number;
  warnings: number;
  /** True if a warning asks the reader to keep the code secret. */
  isSecret: boolean;
  otherThings: boolean;
}

/**
 * Finds codes in a message whose purpose is to identify the reader, whatever name its sender gives them. Several
 * independent signs must agree: a name or a verb that belongs to the code, a purpose in the text beside it, a warning.
 * Words about an order, a call or a lock count against it.
 * @param within codes that begin later are left out
 */
export function findByPurpose(subject: string, text: string, within = text.length): TextRange[] {
  const candidates = candidatesIn(text).slice(0, mostCandidates);
  if (candidates.length === 0) return [];
  const title = {
    hasPurpose: hasAccessPurpose(subject) || isNamed.test(subject),
    isOther: occurs(otherThings, subject),
    isOnly: text.length <= shortMessage && candidates.length === 1,
  };
  const around = aroundIn(text);
  return candidates.filter(
    (one) => one.start < within && evidenceFor(text, one, title, around) >= enough,
  );
}

/** Returns whether a place that was found by its name belongs to a purchase, a call or a lock. */
export function isForOther(subject: string, text: string, one: TextRange): boolean {
  if (/^ ?#|^[ \-/]\d/.test(text.slice(one.end, one.end + 3))) return true;
  if (/CVE-\d|^0x/.test(text.slice(one.start, one.end))) return true;
  const near = text.slice(Math.max(0, one.start - 120), one.end + 80);
  return (
    (occurs(otherThings, near) || occurs(otherThings, subject)) &&
    !hasAccessPurpose(near) &&
    !hasAccessPurpose(subject) &&
    !occurs(strongNouns, near) &&
    !occurs(strongNouns, subject)
  );
}

function evidenceFor(
  text: string,
  one: Candidate,
  title: { hasPurpose: boolean; isOther: boolean; isOnly: boolean },
  around: (one: TextRange) => Around,
): number {
  const value = text.slice(one.start, one.end);
  if (isPartOfMore(text, one)) return 0;
  const beside = besideOf(text, one);
  const binding = bindingOf(beside);
  if (binding.points === 0 || !hasForm(value, one.kind, beside, binding)) return 0;
  const clause = `${beside.lead} ${beside.tail}`;
  const ownPoints =
    binding.points +
    (beside.isAlone ? 1 : 0) +
    (isTypical(value) ? 1 : 0) +
    (title.isOnly ? 1 : 0) -
    (occurs(otherThings, clause) ? 5 : 0) -
    (title.isOther ? 3 : 0) -
    (!binding.isStrong && isLabelled(beside, binding.isTied) ? 4 : 0);
  // Returns early, because the text around a candidate takes longest to examine, and its points could not be enough.
  if (ownPoints + mostAround < enough) return 0;
  const { purpose, warnings, isSecret, otherThings: isNearOther } = around(one);
  if (purpose === 0 && !title.hasPurpose && !isSecret) return 0;
  const near = text.slice(Math.max(0, one.start - besideCharacters), one.end + besideCharacters);
  const isBeside = title.hasPurpose || hasAccessPurpose(near);
  return (
    ownPoints +
    (binding.isTied && isSecret ? 1 : 0) +
    (isBeside ? 2 : purpose) +
    warnings -
    (isNearOther ? 2 : 0)
  );
}

/** Returns whether a candidate is a part of a phone number or an amount, or is followed by the `#` of a call. */
function isPartOfMore(text: string, { start, end }: TextRange): boolean {
  const before = text.slice(Math.max(0, start - 3), start);
  const behind = text.slice(end, end + 14);
  return (
    /[\d)][ \-/.]?$|CVE-?$/.test(before) || /^ ?#|^[ \-/]\d/.test(behind) || units.test(behind)
  );
}

/** Returns whether a value has six or eight digits, two groups, or letters with digits. */
function isTypical(value: string): boolean {
  const plain = value.replace(/[^A-Za-z0-9]/g, "");
  return /^(?:\d{6}|\d{8})$/.test(plain) || /[A-Z].*-|-.*[A-Z]/.test(value) || !/^\d+$/.test(plain);
}

function hasForm(
  value: string,
  kind: Candidate["kind"],
  { isAlone }: Beside,
  { points, isTied }: { points: number; isTied: boolean },
): boolean {
  const plain = value.replace(/[^A-Za-z0-9]/g, "");
  if (kind === "number") {
    const isYear = /^(?:19|20)\d\d$/.test(value);
    return plain.length <= 8 ? !isYear || isTied : isTied;
  }
  if (kind === "token") return isAlone && points >= 2;
  if (plain.length < 4 || plain.length > 16) return false;
  if (/^(?:CVE|ISO|RFC|0x)/i.test(value)) return false;
  if (/^(?:\d{1,3}[a-z]{1,7}|[A-Z]?[a-z]{2,}\d{1,3}|[A-Z]\d|\d[A-Z])$/.test(value)) return false;
  if (kind === "mixed") return isTied || points >= 2;
  if (!isTied && !isAlone && points < 2) return false;
  return value.includes("-") || (value.match(/[AEIOU]/g)?.length ?? 0) / value.length <= 0.25;
}

function bindingOf(beside: Beside): { points: number; isTied: boolean; isStrong: boolean } {
  const { lead, tail, next } = beside;
  const isAcronym = tiedAcronym.test(lead);
  const isTied = isAcronym || tiedBefore.test(lead) || tiedBehind.test(tail);
  const isEntered =
    occurs(enterVerbs, lead.slice(-boundCharacters)) || occurs(enterVerbs, tail.slice(0, 25));
  const hasVerb =
    isEntered ||
    occurs(enterVerbs, lead) ||
    occurs(enterVerbs, tail) ||
    occurs(enterVerbs, next.slice(0, 60));
  const name = isAcronym ? 3 : isTied ? 2 : isNamed.test(lead + tail) ? 1 : 0;
  const isLedIn = /[:：]\s*["'“„「*]*\s*$/u.test(lead);
  return {
    points: Math.min(4, name + (isEntered ? 3 : hasVerb ? 2 : 0) + (isLedIn && !isTied ? 1 : 0)),
    isTied,
    isStrong: isAcronym || (isTied && hasVerb),
  };
}

function isLabelled({ lead, isAlone }: Beside, isTied: boolean): boolean {
  const line = lead.slice(lead.lastIndexOf("\n") + 1).slice(-60);
  const label = `${line.replace(endsWithCopula, "")} `;
  return otherLabels.test(isAlone ? `${line} ` : line) || (!isTied && otherLabels.test(label));
}

function besideOf(text: string, one: TextRange): Beside {
  const isAlone = aloneIn(text, one);
  const before = text.slice(Math.max(0, one.start - besideCharacters), one.start);
  const behind = text.slice(one.end, one.end + besideCharacters);
  if (isAlone) {
    const above = before.trimEnd().split("\n").filter(isText);
    const below = behind.split("\n").filter(isText);
    return {
      lead: above.slice(-2).join("\n"),
      tail: below[0] ?? "",
      next: "",
      isAlone,
    };
  }
  const [tail = "", next = ""] = behind.split(sentenceEnd);
  return { lead: before.split(sentenceEnd).at(-1) ?? "", tail, next, isAlone };
}

const isText = (line: string): boolean => /[\p{L}\p{N}]/u.test(line);

/** Returns a function that examines the text around a place. Places in the same block share one search. */
function aroundIn(text: string): (one: TextRange) => Around {
  const looks = new Map<number, Around>();
  return ({ start }) => {
    const block = Math.floor(start / aroundCharacters);
    const known = looks.get(block);
    if (known !== undefined) return known;
    const from = Math.max(0, block * aroundCharacters - aroundCharacters / 2);
    const around = text.slice(from, from + 2 * aroundCharacters);
    const warnings = [validity, notByYou, keepSecret, keepClose].filter((pattern) =>
      occurs(pattern, around),
    );
    const hasPurpose = hasAccessPurpose(around) || occurs(signInWords, around);
    const found = {
      isSecret: warnings.includes(keepSecret),
      purpose: hasPurpose ? 1 : 0,
      warnings: Math.min(2, warnings.length),
      otherThings: occurs(otherThings, around),
    };
    looks.set(block, found);
    return found;
  };
}
