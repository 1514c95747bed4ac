import {
  codeStems,
  keepSecret,
  notByYou,
  otherCodes,
  otherLabels,
  signInWords,
  strongNouns,
  units,
  validity,
  weakNouns,
} from "./code-words.ts";
import { aloneIn, type Candidate, candidatesIn } from "./candidates.ts";
import { occurs, type TextRange, placesNear, placesOf } from "./found.ts";
import { nearest } from "./near-names.ts";

/** Characters around a code that are searched for evidence. In a digest, text farther away belongs to other mails. */
const aroundCharacters = 1_200;
/** Points of evidence from which a number or word counts as a code. */
const enough = 5;

/**
 * Finds one-time codes by their form and by the words around them.
 * @param within codes that begin later are left out
 */
export function findCodes(subject: string, text: string, within = text.length): TextRange[] {
  const all = candidatesIn(text);
  if (all.length === 0) return [];
  const strong = [...placesNear(strongNouns, codeStems, text), ...orders(text, all)].toSorted(
    (one, other) => one.start - other.start,
  );
  const weak = placesNear(weakNouns, codeStems, text).filter((noun) => !isOther(text, noun));
  const inSubject = subjectEvidence(subject);
  if (strong.length + weak.length + inSubject.noun === 0) return [];
  const setting = { text, strong, weak, inSubject, signals: signalsIn(text) };
  return all.filter((one) => one.start < within && evidenceFor(one, setting) >= enough);
}

/** Returns the start of the line, but at most this many characters before `at`, because a line may be a whole text. */
function lineStartWithin(characters: number, text: string, at: number): number {
  const from = Math.max(0, at - characters);
  return from + text.slice(from, at).lastIndexOf("\n") + 1;
}

/** Returns whether the text around a name shows that the code is for an order, a lock or a discount. */
function isOther(text: string, { start, end }: TextRange): boolean {
  const lineStart = lineStartWithin(26, text, start);
  const line = text.slice(lineStart, end + 40);
  const cut = line.indexOf("\n", end - lineStart);
  return occurs(otherCodes, cut === -1 ? line : line.slice(0, cut));
}

interface Setting {
  text: string;
  strong: readonly TextRange[];
  weak: readonly TextRange[];
  inSubject: { noun: number; signIn: number };
  signals: (one: TextRange) => Signals;
}

/** Evidence in the text around a code. `signIn` is 0 or 1, `others` is 0 to 3. */
interface Signals {
  signIn: number;
  others: number;
}

/** Returns a function that finds the evidence around a place. Places in the same block of text share one search. */
function signalsIn(text: string): (one: TextRange) => Signals {
  const looks = new Map<number, Signals>();
  return ({ start }) => {
    const block = Math.floor(start / aroundCharacters);
    const known = looks.get(block);
    if (known !== undefined) return known;
    const from = Math.max(0, (block - 1) * aroundCharacters);
    const around = text.slice(from, (block + 2) * aroundCharacters);
    const others = [validity, notByYou, keepSecret].filter((pattern) => occurs(pattern, around));
    const found = { signIn: occurs(signInWords, around) ? 1 : 0, others: others.length };
    looks.set(block, found);
    return found;
  };
}

const enter =
  /\b(?:enter|use|type|input|submit|eingeben|gib|geben\s+sie|verwende[n]?(?:\s+sie)?|saisi(?:r|ssez)|entrez|utilisez|introdu(?:ce|zca|zir|za)|ingres[ae]|us[ae]|digit[ae]|insira|escrib[ae])\s+(?:[\p{L}:]+\s+){0,3}$/iu;

/** Finds instructions such as `enter 482913 to sign in`, which do not contain a name for the code. */
function orders(text: string, candidates: readonly Candidate[]): TextRange[] {
  return candidates.flatMap(({ start, end }) => {
    const behind = text.slice(end, end + 90).split(/[\n.!?]/, 1)[0] ?? "";
    if (behind.length < 6 || !occurs(signInWords, behind)) return [];
    const lead = enter.exec(text.slice(Math.max(0, start - 50), start));
    return lead === null ? [] : [{ start: start - lead[0].length, end: start }];
  });
}

function subjectEvidence(subject: string): Setting["inSubject"] {
  const weak = placesOf(weakNouns, subject).some((noun) => !isOther(subject, noun));
  return {
    noun: occurs(strongNouns, subject) ? 3 : weak ? 2 : 0,
    signIn: occurs(signInWords, subject) ? 1 : 0,
  };
}

function evidenceFor(one: Candidate, setting: Setting): number {
  const { text, strong, weak, inSubject, signals } = setting;
  const value = text.slice(one.start, one.end);
  if (units.test(text.slice(one.end, one.end + 14))) return 0;
  const isAlone = aloneIn(text, one);
  const nearStrong = nearest(text, one, strong, isAlone);
  const nearWeak = nearest(text, one, weak, isAlone);
  const isTied = nearStrong.isTied || nearWeak.isTied;
  const mayBeStrong = nearStrong.isNear || inSubject.noun === 3;
  if (!fits(value, one.kind, { isAlone, isTied, isStrong: mayBeStrong })) return 0;
  const noun = nearStrong.isNear
    ? 3
    : Math.max(nearWeak.isNear ? (nearWeak.isToSignIn ? 3 : 2) : 0, isAlone ? inSubject.noun : 0);
  if (noun === 0) return 0;
  const { signIn, others } = signals(one);
  const score =
    noun +
    (isTied ? 2 : 0) +
    (isAlone ? 1 : 0) +
    (isTied && (nearWeak.isGiven || nearStrong.isGiven) ? 1 : 0) +
    (one.kind === "number" && value.replace(/\D/g, "").length === 6 ? 1 : 0) +
    Math.max(inSubject.signIn, signIn) +
    others;
  if (score < enough) return 0;
  const isPlain = !isTied && !isAlone;
  const isStrong = nearStrong.isNear || (isAlone && inSubject.noun === 3);
  return score - (isPlain ? 1 : 0) - against(text, one, { isAlone, isTied, isStrong });
}

/** Returns whether a candidate's form can be that of a code in its place. */
function fits(
  value: string,
  kind: Candidate["kind"],
  { isAlone, isTied, isStrong }: { isAlone: boolean; isTied: boolean; isStrong: boolean },
): boolean {
  const plain = value.replace(/[^A-Za-z0-9]/g, "");
  if (kind === "number") {
    if (plain.length > 8 && !isTied && !isStrong) return false;
    const isYear = /^(?:19|20)\d\d$/.test(value);
    return (!isYear && plain.length > 4) || isTied || (isAlone && !isYear);
  }
  if (!isTied && !isAlone) return false;
  if (kind === "token") return false;
  if (kind === "mixed") {
    if (plain.length < 4 || plain.length > 16) return false;
    // Coupons, such as `SAVE20`.
    if (!isStrong && /^[A-Z]{3,}\d{1,4}$/.test(value)) return false;
    // `24h`, `iPhone15` and `1st` are words.
    return !/^(?:\d{1,3}[a-z]{1,7}|[A-Z]?[a-z]{2,}\d{1,3}|[A-Z]\d|\d[A-Z])$/.test(value);
  }
  if (!isStrong) return false;
  if (value.includes("-")) return true;
  // Labels of buttons are words, with vowels.
  return (value.match(/[AEIOU]/g)?.length ?? 0) / value.length <= 0.25;
}

/** Returns the points against a candidate, such as a number of an order, a call or a meeting. */
function against(
  text: string,
  { start }: TextRange,
  { isAlone, isTied, isStrong }: { isAlone: boolean; isTied: boolean; isStrong: boolean },
): number {
  const lineStart = lineStartWithin(200, text, start);
  let label = text.slice(Math.max(lineStart, start - 48), start);
  if (isAlone) {
    const above = text.slice(Math.max(0, lineStart - 80), lineStart).trimEnd();
    const line = above.slice(above.lastIndexOf("\n") + 1).trim();
    if (line.length <= 40) label = `${line} `;
  }
  const isLabelled = !(isTied && isStrong) && otherLabels.test(label);
  const near = text.slice(Math.max(0, start - 180), start + 120);
  const isElse = !isStrong && occurs(otherCodes, near);
  return (isLabelled ? 4 : 0) + (isElse ? 3 : 0);
}
