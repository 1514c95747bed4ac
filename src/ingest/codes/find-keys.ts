import { isSentence } from "./function-words.ts";
import { otherThings } from "./access-words.ts";
import {
  passwordNames,
  passwordStems,
  recoveryNouns,
  recoveryStems,
  sentPasswords,
} from "./code-words.ts";
import { occurs, type TextRange, placesNear, placesOf } from "./found.ts";

/** Lines below the name of a list of codes that may belong to it. */
const listLines = 40;
/** Most lines of ordinary text between the name and the list. */
const introLines = 6;

/** One recovery code or a group of a key. It has a digit, or is one of several groups. */
const key =
  /(?<![\w/@.=&-])(?:[A-Za-z0-9]{2,12}(?:[-–][A-Za-z0-9]{2,12}){1,11}|[A-Za-z0-9]{6,64}|\d{4,5}(?: \d{4,5}){1,3})(?![\w@=&-])/g;
const numbering = /^\s*(?:\d{1,2}[.):]|[-*•·□☐])\s+/;
/**
 * The part of a line that is read. A line with all words of a seed phrase, or with ten codes, is shorter. Characters.
 */
const mostLine = 1_000;
/** Most names of lists of codes in one text. A text with more is not about codes, and each name costs time. */
const mostNames = 300;

/** Finds recovery codes, recovery keys and seed phrases below or beside their name. */
export function findKeys(subject: string, text: string): TextRange[] {
  const named = placesNear(recoveryNouns, recoveryStems, text);
  const starts = named.map(({ end }) => end);
  if (occurs(recoveryNouns, subject)) starts.unshift(0);
  const found: TextRange[] = [];
  let read = 0;
  const mayBeWords = isAboutAccess(`${subject}\n${text}`);
  for (const start of starts.slice(0, mostNames)) {
    // A list is read once, even if its name is repeated above it.
    if (start < read) continue;
    const { keys: all, end } = keysBelow(text, start);
    const keys = all.filter((one) => mayBeWords || /\d/.test(text.slice(one.start, one.end)));
    found.push(...keys);
    if (keys.length > 0) read = end;
  }
  return [...found, ...findPasswords(text)];
}

/** One of these words is in a message with a seed phrase. People also send each other spare words for a game. */
const accessWords =
  /wallet|account|vault|seed|recover|restor|log ?in|sign ?in|secret|device|passphrase|password|offline|access|mnemonic|konto|geldbörse|gerät|zugang|zugriff|wiederherst|geheim|passwort|anmeld|compte|portefeuille|appareil|accès|récup|restaur|cuenta|cartera|billetera|monedero|dispositivo|acceso|recuper|conta\b|carteira|acesso|aparelho|segred|secret|portafoglio|accesso|ripristin|segret|apparaat|toegang|herstel|geheim|ウォレット|アカウント|復元|リカバリ|秘密|シード|钱包|錢包|账户|帳戶|账号|恢复|恢復|助记|助記/iu;

function isAboutAccess(text: string): boolean {
  return accessWords.test(text);
}

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
    !/^[^\p{L}\p{N}]*(?:(?:is|are|ist|lautet|lauten|est|sont|es|son|é|são|は|为|為|是)(?:[^\p{L}\p{N}]+|$))?[A-Za-z0-9]/iu.test(
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
    /^[^\p{L}\p{N}]*(?:is|are|ist|lautet|lauten|est|sont|es|son|é|são|は|为|為|是)\b/iu,
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

/** Finds a password that the sender chose, after its name. */
function findPasswords(text: string): TextRange[] {
  return placesNear(sentPasswords, passwordStems, text).flatMap(({ end }) => {
    const behind = text.slice(end, end + 160);
    const match =
      /^(?:\s*(?:for|für|pour|para|to)\s[^\n:]{1,50})?(?:\s+(?:is|ist|lautet|est|es|é))?\s*(?:[:：]|は|为|為|是|(?<=\s(?:is|ist|lautet|est|es|é)))\s*(?:\*|"|“|「|`)?\s*(\S{6,64})/iu.exec(
        behind,
      );
    const value = match?.[1]?.replace(/(?:です。?|。|[.,;]|["”」`*])+$/u, "") ?? "";
    if (match === null || !isChosen(value)) return [];
    const start = end + match[0].length - (match[1]?.length ?? 0);
    return [{ start, end: start + value.length }];
  });
}

/** Between the name of a password and the password: at most two words, then a colon, a gap or only a blank. */
const afterName =
  /^(?:[ \t]+\([^()\n]{1,30}\)|(?:[ \t]+\p{L}{2,15}){0,2})(?:[ \t]*[:：][ \t]*|\t+[ \t]*| {2,})["'“„«*`]?(\S{5,24})|^[ \t]["'“„«*`]?(\S{6,24})/u;
/** Characters around a name that say what the password is for. */
const aroundName = 120;

/**
 * Finds passwords with letters and digits, or with signs, directly after the name. Those of meetings and of a guest
 * network stay.
 */
export function findNamedPasswords(subject: string, text: string): TextRange[] {
  if (occurs(otherThings, subject)) return [];
  return placesNear(passwordNames, passwordStems, text).flatMap(({ start: name, end }) => {
    const match = afterName.exec(text.slice(end, end + aroundName));
    const raw = match?.[1] ?? match?.[2] ?? "";
    const value = raw.replace(/["'”»*`,;:.?)]+$/u, "");
    if (
      match === null ||
      !isChosen(value) ||
      !/\p{L}/u.test(value) ||
      /[@/]{2}|\.\p{L}{2,4}\//u.test(value)
    )
      return [];
    const near = text.slice(Math.max(0, name - aroundName), end + aroundName);
    if (occurs(otherThings, near)) return [];
    const start = end + match[0].length - raw.length;
    return [{ start, end: start + value.length }];
  });
}

/** Returns whether a value is a password and not the next word of a sentence. */
function isChosen(value: string): boolean {
  if (value.length < 6 || /^[a-z]+:\/\//i.test(value) || value.startsWith("[")) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^\w\s]/].filter((kind) => kind.test(value)).length;
  return kinds >= 2 && (/\d/.test(value) || kinds >= 3);
}
