import { aloneIn } from "../candidates.ts";
import { otherLabels, units } from "../code-words.ts";
import type { TextRange } from "../found.ts";
import { otherPaths, otherPurposes, signInPaths } from "../link-words.ts";
import { type WideCandidate, wideCandidatesIn } from "./wide-candidates.ts";

/** Names of features are hashed into this many places. A power of two. */
export const featurePlaces = 65_536;

export interface Examined extends TextRange {
  /** Places of the features of this candidate. */
  features: readonly number[];
}

/** Characters of the sentences beside a candidate. */
const besideCharacters = 200;
/** The text around a candidate is read in blocks, which candidates share. Characters. */
const blockCharacters = 1_000;
const sentenceEnd = /(?<!(?:^|[^\p{L}])\p{Lu})[.!?](?=\s|$)|[。！？\n]/u;
const address = /(?:\b[a-z][a-z0-9+.-]{1,20}:\/\/|\bwww\.)(?:(?![<>"'|)\]}])[!-~])+/giu;

/**
 * Finds the candidates of a text with their features: the words of their sentence, of the subject and of the text
 * around them, and their form. No list of words is involved.
 */
export function examine(subject: string, text: string): Examined[] {
  const all = wideCandidatesIn(text);
  if (all.length === 0) return [];
  const counts = { link: 0, other: 0 };
  for (const { kind } of all) counts[kind === "link" ? "link" : "other"] += 1;
  const subjectWords = wordsOf(subject);
  const around = aroundIn(text);
  const seen = { link: false, other: false };
  return all.map((one) => {
    const sort = one.kind === "link" ? "link" : "other";
    const features = new Features(sort === "link" ? "l" : "n");
    features.addAll("S", subjectWords);
    features.addAll("A", around(one));
    addBeside(features, text, one);
    features.add("count", String(Math.min(4, counts[sort])));
    if (!seen[sort]) features.add("first", "");
    seen[sort] = true;
    features.add("length", String(Math.min(5, Math.floor(text.length / 150))));
    const value = text.slice(one.start, one.end);
    if (sort === "link") addAddress(features, value);
    else addForm(features, text, one, value);
    return { start: one.start, end: one.end, features: features.places };
  });
}

class Features {
  readonly places: number[];
  readonly #sort: string;

  constructor(sort: string) {
    this.#sort = sort;
    this.places = [placeOf(`${sort}bias`)];
  }

  add(zone: string, name: string): void {
    this.places.push(placeOf(`${this.#sort}${zone}:${name}`));
  }

  addAll(zone: string, names: Iterable<string>): void {
    for (const name of names) this.add(zone, name);
  }
}

/** Returns the place of a feature: FNV-1a over its UTF-16 units. */
function placeOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1)
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) & (featurePlaces - 1);
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Returns the stems of words, and pairs of characters in text without spaces. */
function wordsOf(text: string): Set<string> {
  const found = new Set<string>();
  const words = text
    .toLowerCase()
    .normalize("NFKC")
    .matchAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[\p{L}']+/gu);
  for (const [word] of words) {
    if (unspaced.test(word)) {
      if (word.length === 1) found.add(word);
      for (let at = 0; at + 1 < word.length; at += 1) found.add(word.slice(at, at + 2));
    } else {
      const plain = word.normalize("NFD").replace(/\p{M}/gu, "");
      found.add(plain.length > 5 ? `${plain.slice(0, 5)}*` : plain);
    }
  }
  return found;
}

/** Returns a function that reads the words around a place. Places in the same block share them. */
function aroundIn(text: string): (one: TextRange) => Set<string> {
  const known = new Map<number, Set<string>>();
  return ({ start }) => {
    const block = Math.floor(start / blockCharacters);
    const from = Math.max(0, (block - 1) * blockCharacters);
    const words =
      known.get(block) ??
      wordsOf(text.slice(from, from + 3 * blockCharacters).replace(address, " "));
    known.set(block, words);
    return words;
  };
}

const hasText = (line: string): boolean => /[\p{L}\p{N}]/u.test(line);

function addBeside(features: Features, text: string, one: WideCandidate): void {
  const before = text.slice(Math.max(0, one.start - besideCharacters), one.start);
  const behind = text.slice(one.end, one.end + besideCharacters);
  const above = before.trimEnd().split("\n").filter(hasText);
  const isAlone = aloneIn(text, one);
  let lead = above.slice(-2).join(" ");
  let tail = behind.split("\n").find(hasText) ?? "";
  if (!isAlone) {
    const sentence = before.split(sentenceEnd).at(-1) ?? "";
    lead = hasText(sentence) ? sentence : (above.at(-1) ?? "");
    tail = behind.split(sentenceEnd)[0] ?? "";
    // A short label, such as a button's, is read with the line above it.
    if (hasText(sentence) && sentence.trim().length < 30) {
      const higher = before.slice(0, before.lastIndexOf(sentence)).trimEnd().split("\n");
      features.addAll("M", wordsOf(higher.findLast(hasText) ?? ""));
    }
  }
  features.addAll("L", wordsOf(lead));
  features.addAll("T", wordsOf(tail));
  const last = [...wordsOf(lead.slice(-25))].at(-1);
  if (last !== undefined) features.add("P", last);
  if (/[:：]\s*["'“„「*|]*\s*$/u.test(lead)) features.add("colon", "");
  if (isAlone) features.add("alone", "");
  if (one.kind === "link") {
    if (otherPurposes.test(lead)) features.add("other purpose", "");
    return;
  }
  const line = lead.slice(-60);
  const label = line.replace(/\s*(?:[:：]|\b(?:is|ist|est|es|é))\s*$/iu, "");
  if (otherLabels.test(line) || otherLabels.test(`${label} `)) features.add("labelled", "");
}

function addForm(features: Features, text: string, one: WideCandidate, value: string): void {
  const plain = value.replace(/[^A-Za-z0-9]/g, "");
  const form = value.replace(/\d/g, "9").replace(/[A-Z]/g, "A").replace(/[a-z]/g, "a");
  features.add("kind", one.kind);
  features.add("size", `${one.kind}${Math.min(12, plain.length)}`);
  features.add("form", form.slice(0, 12));
  if (/^(?:19|20)\d\d$/.test(value)) features.add("year", "");
  if (units.test(text.slice(one.end, one.end + 14))) features.add("unit", "");
  if (/[\d)+][ \-/.]?$/.test(text.slice(Math.max(0, one.start - 2), one.start)))
    features.add("follows", "");
  if (/^ ?#|^[ \-/]\d/.test(text.slice(one.end, one.end + 2))) features.add("goes on", "");
}

function addAddress(features: Features, value: string): void {
  const [, host = "", path = ""] = /^(?:[a-z+.-]+:\/\/)?([^/?#]*)(.*)$/is.exec(value) ?? [];
  if (signInPaths.test(path)) features.add("leads in", "");
  if (otherPaths.test(path)) features.add("leads elsewhere", "");
  features.addAll("H", host.toLowerCase().split(".").slice(0, -2));
  for (const part of path.split(/[/?&#;]/)) {
    const cut = part.indexOf("=");
    const name = cut > 0 ? part.slice(0, cut) : "";
    const content = cut > 0 ? part.slice(cut + 1) : part;
    if (name !== "") features.add("Q", name.toLowerCase());
    if (/^[a-z._-]+$/i.test(content))
      features.addAll(
        "W",
        content
          .toLowerCase()
          .split(/[._-]/)
          .map((word) => word.slice(0, 6)),
      );
    else {
      const sort = /^\d+$/.test(content) ? "d" : /^[0-9a-f-]+$/i.test(content) ? "h" : "m";
      const size = Math.min(4, Math.floor(content.length / 6));
      features.add("token", `${name === "" ? "p" : "q"}${size}${sort}`);
    }
  }
}
