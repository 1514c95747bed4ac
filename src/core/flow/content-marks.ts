import type { Hasher } from "./hasher.ts";
import { normalisedText } from "./reading/normalise.ts";
import { amountsIn } from "./secrets/amounts.ts";
import { birthDatesIn } from "./secrets/birth-dates.ts";
import { labelledNumbers, labelledSecrets, letterGroups } from "./secrets/labelled.ts";
import { labelledCodes, opensSomething } from "./secrets/named-codes.ts";
import { base64Content } from "./spelling/base64-content.ts";
import { shortAmountsIn } from "./spelling/short-amounts.ts";
import { addressesIn } from "./secrets/street-addresses.ts";
import { unspacedAddressesIn } from "./secrets/unspaced-addresses.ts";
import {
  type Token,
  isEveryday,
  isUnspaced,
  longestSolid,
  placeForm,
  shortestLong,
  shortestSolid,
  shortestWord,
  tokensOf,
  unspacedWords,
  withoutSpaces,
} from "./reading/tokens.ts";

/**
 * `code`: a number or code. `place`: an address or URL. `text`: characters in a row of a script without spaces. All are
 * stored without separators. A code that looks like a year or round number is a `year`, and is found only unchanged.
 * A `whole` is a date of birth, of which no part alone is a match. A `secret` is a code that unlocks something, as the
 * text says. A match with one of those few is less likely to be a coincidence.
 */
export type CodeKind = "code" | "place" | "text" | "year" | "whole" | "secret";
export const codeKinds: readonly CodeKind[] = ["code", "place", "text", "year", "whole", "secret"];

/** A private text with its topic. The topic of a mail is its subject and sender. */
export interface MarkedText {
  text: string;
  topic: string;
}

/** The fingerprints of one item. */
export interface Marks {
  /** The fingerprint of each word and number, in the order of the text. */
  tokens: Uint32Array;
  /** The fingerprints of the topic's words, and of websites that the text names. */
  topics: Uint32Array;
  /** For each code, two numbers: the index of its kind in `codeKinds`, and its number of pairs. */
  codes: Uint8Array;
  /**
   * The pairs of neighbouring characters of all codes, one code after the other. The highest bit marks a separator
   * between the two characters.
   */
  pairs: Uint16Array;
}

/** Codes per item. An item with more is a table of numbers that are no secrets. */
const maxCodes = 1_500;
/** Characters of a code, or of a piece of a text without spaces. */
const longestCode = 120;
/**
 * The part of a key or of a shared document's id that is recorded. It identifies them, and the ledger has room for the
 * many longer ones in the links of newsletters. Characters.
 */
const longestKey = 64;
/** The part of a text that is fingerprinted. No result of a tool is longer. Characters. */
const maxCharacters = 200_000;
/** Words per item. A longer text is cut, because it would displace the other items of the ledger. */
const maxTokens = 60_000;

/** The bit in `pairs` that marks a separator between two characters. */
export const separated = 0x80_00;

/** Returns the fingerprints that identify a private text without revealing it. */
export function marksOf({ text, topic }: MarkedText, hasher: Hasher): Marks {
  const content = text.slice(0, maxCharacters);
  const plain = normalisedText(`${content}\n${base64Content(content)}`);
  const tokens = tokensOf(plain).slice(0, maxTokens);
  const known = new Map<string, number>();
  const hashOf = (token: string): number => {
    let hash = known.get(token);
    if (hash === undefined) {
      hash = hasher.token(token);
      known.set(token, hash);
    }
    return hash;
  };
  const hashes = tokens.map((token) => hashOf(token.text));
  // Words of scripts without spaces come after the text, because they are parts of its tokens.
  for (const { text: word } of unspacedWords(tokens))
    if (!known.has(word)) hashes.push(hashOf(word));
  const named = topicsOf(plain, known.keys(), normalisedText(topic));
  const topics = named.map(hashOf);
  return {
    tokens: Uint32Array.from(hashes),
    topics: Uint32Array.from(new Set(topics)),
    ...packedCodes(codesOf(plain, tokens, new Set(named)), hasher),
  };
}

/** Websites per item whose names are looked for among its words. */
const mostSites = 40;
const siteForm = /(?:https?:\/\/|www\.|@)[\p{L}\p{N}.-]{3,100}/gu;

/** Names of products and companies, such as `PC800` and `37signals`. */
const model = /^(?:[a-z]{2,}\d{1,3}|\d{1,3}[a-z]{3,}|[a-z]\d[a-z]{4,})$/;

/** Terms such as `hba1c` and `log4j`, whose letters are most of them. */
const term = /^(?=[a-z]*\d[a-z]*$)[a-z\d]{4,5}$/;

/** Returns the words of the topic, and words of the text that are names of websites in it. People search for both. */
function topicsOf(plain: string, words: Iterable<string>, topic: string): string[] {
  const sites = [...new Set(Array.from(`${topic} ${plain}`.matchAll(siteForm), ([site]) => site))]
    .slice(0, mostSites)
    .join(" ");
  const named = Array.from(words).filter(
    (word) => word.length >= shortestWord && sites.includes(word),
  );
  const inTopic = tokensOf(topic);
  const models = inTopic.filter(({ text }) => model.test(text));
  return [...wordsIn(inTopic), ...models].map(({ text }) => text).concat(named);
}

/** Packs all codes into two arrays, because thousands of small ones are slow to pass between threads. */
function packedCodes(found: readonly Code[], hasher: Hasher): Pick<Marks, "codes" | "pairs"> {
  const codes = new Uint8Array(found.length * 2);
  const pairs = new Uint16Array(found.reduce((sum, { text }) => sum + text.length - 1, 0));
  let next = 0;
  for (const [index, { kind, text, starts }] of found.entries()) {
    codes[index * 2] = codeKinds.indexOf(kind);
    codes[index * 2 + 1] = text.length - 1;
    for (let at = 0; at + 1 < text.length; at += 1) {
      pairs[next] =
        hasher.pair(text.charCodeAt(at), text.charCodeAt(at + 1)) |
        (starts.has(at + 1) ? separated : 0);
      next += 1;
    }
  }
  return { codes, pairs };
}

export function isWord({ text, hasDigit }: Pick<Token, "text" | "hasDigit">): boolean {
  return !hasDigit && text.length >= shortestWord;
}

/** Returns the tokens that are words, and the words in runs of scripts without spaces. */
export function wordsIn(tokens: readonly Token[]): Token[] {
  return [
    ...tokens.filter((token) => isWord(token) && !isUnspaced(token)),
    ...unspacedWords(tokens),
  ];
}

interface Code {
  kind: CodeKind;
  text: string;
  /** The indexes of characters that follow a separator. */
  starts: ReadonlySet<number>;
}

/** Length of a run of characters in scripts without spaces. It proves about as much as a run of five words. */
const windowLength = shortestLong;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{8,}/gu;

/** Hexadecimal groups with colons, as in the addresses of devices and fingerprints of keys. Times have no letters. */
const bytesForm =
  /(?<![\p{L}\p{N}:])(?=[\d:]*[a-f])[0-9a-f]{1,4}(?::{1,2}[0-9a-f]{1,4}){3,31}(?![\p{L}\p{N}:])/gu;

/** A part of every such form. It is found faster. */
const colons = /:[0-9a-f]{1,4}:/;

/** Returns numbers, codes, addresses, URLs, and texts in scripts without spaces, each once. */
function codesOf(plain: string, tokens: readonly Token[], named: ReadonlySet<string>): Code[] {
  const codes = new Map<string, Code>();
  const add = (kind: CodeKind, text: string, starts: ReadonlySet<number>): void => {
    if (text.length < shortestSolid || text.length > longestCode || codes.size >= maxCodes) return;
    // An address is found as a whole, and its parts as a code.
    const key = `${kind === "secret" ? "code" : kind} ${text}`;
    if (!codes.has(key)) codes.set(key, { kind, text, starts });
  };
  for (const [place] of plain.matchAll(placeForm)) {
    const words = tokensOf(place);
    add("place", joined(words), startsOf(words));
  }
  for (const [bytes] of colons.test(plain) ? plain.matchAll(bytesForm) : []) {
    add("code", joined(tokensOf(bytes)), new Set([0]));
  }
  for (const address of addressesIn(plain, tokens)) {
    add("code", joined(address), startsOf(address));
  }
  for (const address of unspacedAddressesIn(plain)) add("code", address, new Set([0]));
  // The kind that is found only as a whole, because days and months occur in many texts.
  for (const birthDate of birthDatesIn(plain)) add("whole", birthDate, new Set());
  for (const secret of [...labelledSecrets(plain), ...letterGroups(plain), ...labelledCodes(plain)])
    add("code", secret, new Set([0]));
  for (const secret of labelledNumbers(plain)) {
    const isYear = isEveryday(secret);
    add(isYear ? "year" : "secret", secret, new Set([0]));
  }
  for (const amount of shortAmountsIn(plain)) add("code", amount, new Set([0]));
  for (const amount of amountsIn(plain)) add("whole", amount, new Set());
  for (const chain of chainsOf(plain, tokens)) {
    // A table of numbers has no codes in groups.
    const groups = chain.length >= longestChain ? chain.map((one) => [one]) : [chain];
    for (const all of groups) {
      const group = all.filter(({ text }) => !named.has(text) || !model.test(text));
      const [first, last] = [group.at(0), group.at(-1)];
      if (first === undefined || last === undefined || !group.some(({ hasDigit }) => hasDigit))
        continue;
      const kind = opensSomething(plain, first.start, last.end) ? "secret" : "code";
      if (kind === "code" && group.length === 1 && term.test(first.text)) continue;
      const whole = plain.slice(first.start, last.end);
      if (isEveryday(whole)) continue;
      let text = "";
      let starts = new Set<number>();
      for (const token of group) {
        if (text.length + token.text.length > longestSolid) {
          if (/\p{N}/u.test(text)) add(kind, text, starts);
          [text, starts] = ["", new Set()];
        }
        starts.add(text.length);
        text += token.text.slice(0, longestKey);
      }
      if (/\p{N}/u.test(text)) add(kind, text, starts);
    }
  }
  for (const [run] of withoutSpaces(plain).matchAll(unspaced)) {
    // Neighbouring pieces overlap, so that each window is in one of them.
    for (let at = 0; at < run.length; at += longestCode - windowLength + 1) {
      const piece = run.slice(at, at + longestCode);
      if (piece.length >= windowLength) add("text", piece, new Set());
    }
  }
  return [...codes.values()];
}

const joined = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join("");

/** Returns the indexes of the tokens' first characters in the joined text. */
function startsOf(tokens: readonly Token[]): Set<number> {
  let length = 0;
  return new Set(tokens.map(({ text }) => (length += text.length) - text.length));
}

/** Limit on parts of one code. Longer chains are lists. */
const longestChain = 8;

/** How a token belongs to the same code as the one before it. */
type Link = "within" | "password" | "amount";

const joint = /^[-._/\u2010-\u2015]$/;
/** Signs that people use in passwords. In addresses and the parameters of links they separate. */
const passwordSign = /^[#*!+~^&@\\]$/;
const withinLink = /^(?:\.\p{L}|=)/u;
const betweenGroups = /^[\s\-./()]{1,3}$/;

function linkOf(
  plain: string,
  before: Token,
  token: Token,
  chain: readonly Token[],
): Link | undefined {
  const gap = plain.slice(before.end, token.start);
  if (joint.test(gap)) return "within";
  if (before.hasDigit && token.hasDigit) {
    if (betweenGroups.test(gap)) return "within";
    const { length } = token.text;
    // Thousands, and then the cents.
    if (gap === "," && (length === 3 || (length === 2 && chain.length > 1))) return "amount";
  }
  return (before.hasDigit || token.hasDigit) &&
    passwordSign.test(gap) &&
    !withinLink.test(plain.slice(token.end, token.end + 2))
    ? "password"
    : undefined;
}

/**
 * Returns chains of tokens that may be one code: tokens with hyphens or dots between them, and groups of digits.
 * Passwords and amounts are chains, and their parts too.
 */
function chainsOf(plain: string, tokens: readonly Token[]): Token[][] {
  const chains: Token[][] = [];
  let chain: Token[] = [];
  let part: Token[] = [];
  const finish = (tokensOfCode: Token[]): void => {
    if (tokensOfCode.some(({ hasDigit }) => hasDigit)) chains.push(tokensOfCode);
  };
  const finishAll = (): void => {
    finish(chain);
    if (part.length < chain.length) finish(part);
  };
  for (const token of tokens) {
    const before = chain.at(-1);
    const link = before && linkOf(plain, before, token, chain);
    if (link === undefined || chain.length >= longestChain) {
      finishAll();
      [chain, part] = [[], []];
    } else if (link !== "within") {
      finish(part);
      part = [];
    }
    chain.push(token);
    part.push(token);
  }
  finishAll();
  return chains;
}
