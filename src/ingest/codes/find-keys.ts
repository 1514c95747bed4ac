import { Beginnings } from "./beginnings.ts";
import { isSentence } from "./function-words.ts";
import { recoveryNouns, recoveryStems } from "./code-words.ts";
import { alignedLowerCase } from "./text-forms.ts";
import { type TextRange, placesNear, placesOf } from "./text-ranges.ts";

/** Lines below the name of a list of codes that may belong to it. */
const listLines = 40;
/** Limit on lines of ordinary text between the name and the list. */
const introLines = 6;

/** One recovery code or a group of a key. It has a digit, or is one of several groups. Groups with blanks are in capitals. */
const key =
  /(?<![\w/@.=&-])(?:[A-Z0-9]{4,5}(?: [A-Z0-9]{4,5}){3,9}|[A-Za-z0-9]{2,12}(?:[-–][A-Za-z0-9]{2,12}){1,11}|[A-Za-z0-9]{6,64}|\d{4,5}(?: \d{4,5}){1,3})(?![\w@=&-])/g;
const numbering = /^\s*(?:\d{1,2}[.):]|[-*•·□☐])\s+/;
/**
 * The part of a line that is read. A line with all words of a seed phrase, or with ten codes, is shorter. Characters.
 */
const mostLine = 1_000;
/** Limit on names of lists of codes in one text. A text with more is not about codes, and each name costs time. */
const mostNames = 300;

const stem = new RegExp(recoveryStems, "y");
const beginnings = new Beginnings(stem, recoveryStems.split("|"));

/** Finds the names of recovery keys. */
function namesIn(text: string): TextRange[] {
  const stems = beginnings.placesOf(text);
  return stems.length === 0 ? [] : placesNear(recoveryNouns, stems, alignedLowerCase(text));
}

/**
 * Finds recovery codes, recovery keys and seed phrases below or beside their name.
 * @param whole subject and text of a message
 * @param subjectLength characters of the subject
 * @param top where the text begins
 */
export function findKeys(whole: string, subjectLength: number, top: number): TextRange[] {
  const names = namesIn(whole);
  const starts = names.filter(({ start }) => start >= top).map(({ end }) => end);
  if (names.some(({ end }) => end <= subjectLength)) starts.unshift(top);
  if (starts.length === 0) return [];
  const found: TextRange[] = [];
  let read = 0;
  const mayBeWords = accessWords.test(alignedLowerCase(whole));
  for (const start of starts.slice(0, mostNames)) {
    // A list is read once, even if its name is repeated above it.
    if (start < read) continue;
    const { keys: all, end } = keysBelow(whole, start);
    const keys = all.filter((one) => mayBeWords || /\d/.test(whole.slice(one.start, one.end)));
    found.push(...keys);
    if (keys.length > 0) read = end;
  }
  return found;
}

/** One of these words is in a message with a seed phrase. Without one, a list of words may belong to a game. */
const accessWords =
  /wallet|account|vault|seed|recover|restor|log ?in|sign ?in|secret|device|passphrase|password|offline|access|mnemonic|konto|geldbörse|gerät|zugang|zugriff|wiederherst|geheim|passwort|anmeld|compte|portefeuille|appareil|accès|récup|restaur|cuenta|cartera|billetera|monedero|dispositivo|acceso|recuper|conta\b|carteira|acesso|aparelho|segred|secret|portafoglio|accesso|ripristin|segret|apparaat|toegang|herstel|geheim|ウォレット|アカウント|復元|リカバリ|秘密|シード|钱包|錢包|账户|帳戶|账号|恢复|恢復|助记|助記/u;

function keysBelow(text: string, start: number): { keys: TextRange[]; end: number } {
  const found: TextRange[] = [];
  let at = start;
  let intro = 0;
  for (let count = 0; count < listLines && at < text.length; count += 1) {
    const next = text.indexOf("\n", at);
    const end = next === -1 ? text.length : next;
    const line = text.slice(at, Math.min(end, at + mostLine));
    const keys = keysIn(line, at, at === start);
    found.push(...keys);
    if (keys.length === 0 && line.trim() !== "") {
      intro += 1;
      if (intro > introLines || (found.length > 0 && intro > 1)) break;
    }
    at = end + 1;
  }
  return { keys: found, end: at };
}

/** Returns the keys of a line that contains only keys, from `at` on. */
function keysIn(line: string, at: number, isFirst: boolean): TextRange[] {
  const shift = numbering.exec(line)?.[0].length ?? 0;
  const content = line.slice(shift);
  if (isPhrase(content)) {
    const lead = content.length - content.trimStart().length;
    return [{ start: at + shift + lead, end: at + shift + content.trimEnd().length }];
  }
  if (
    isFirst &&
    !/^[^\p{L}\p{N}]*(?:(?:is|are|ist|lautet|lauten|est|sont|es|son|é|são|は|为|為|是)(?:[^\p{L}\p{N}]+|$))?[A-Za-z0-9]/u.test(
      content,
    )
  )
    return [];
  const keys = placesOf(key, content).filter(({ start, end }) => isKey(content.slice(start, end)));
  if (keys.length === 0) return [];
  let rest = content;
  for (const { start, end } of keys)
    rest = rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end);
  const others = rest.replace(
    /^[^\p{L}\p{N}]*(?:is|are|ist|lautet|lauten|est|sont|es|son|é|são|は|为|為|是)\b/u,
    "",
  );
  if (/[\p{L}]{2}/u.test(isFirst ? (others.split(/[.。;]/, 1)[0] ?? "") : others)) return [];
  return keys.map(({ start, end }) => ({ start: at + shift + start, end: at + shift + end }));
}

/** Returns whether a line has the words of a seed phrase, with or without numbers. */
function isPhrase(line: string): boolean {
  // The line is split, because a single pattern would try each blank both at the end of a word and before the next one:
  // 2^24 ways.
  const parts = line.split(/[\s,;|]+/).filter((part) => part !== "");
  const words = parts.map((part) => part.replace(/^\d{1,2}[.):]?/, "")).filter((one) => one !== "");
  const isCount = parts.length >= 6 && words.length >= 3 && words.length <= 24;
  return (
    isCount &&
    words.every((one) => /^(?:\p{Ll}{2,10}|\p{Lo}{1,6})$/u.test(one)) &&
    !isSentence(words)
  );
}

function isKey(value: string): boolean {
  const plain = value.replace(/[^A-Za-z0-9]/g, "");
  if (plain.length < 6 || /^(?:\d{4}-\d{2}-\d{2})$/.test(value)) return false;
  if (/\d/.test(plain)) return true;
  // `ABCD-EFGH` or `abcde-fghij`, but not two words of a sentence.
  return (
    /^[A-Za-z]{4,6}(?:-[A-Za-z]{4,6})+$/.test(value) &&
    value.split("-").every((part) => part.length === (value.split("-")[0]?.length ?? 0))
  );
}
