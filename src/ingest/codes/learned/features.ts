import { isAloneOnLine } from "../candidates.ts";
import { alignedLowerCase } from "../text-forms.ts";
import { addressesIn, type TextRange } from "../text-ranges.ts";
import { otherPurposes } from "../link-words.ts";
import { isQuoted, isReply } from "../spoken.ts";
import { Features } from "./feature-sums.ts";
import { addAddress, addForm } from "./form-features.ts";
import { besideOf } from "./beside-candidate.ts";
import { type WideCandidate, wideCandidatesIn } from "./wide-candidates.ts";
import { type Word, TextWords, conceptHashes, mix } from "./words.ts";

export interface Examined extends TextRange {
  /** Returns the features of its message. Neighbouring candidates share them. Most messages never need them. */
  shared: () => readonly Features[];
  /** The features of the candidate itself: its sentence and its form. */
  own: Features;
  isLink: boolean;
}

/** Size of the blocks in which the text around candidates is read. Neighbouring candidates share blocks. Characters. */
const blockCharacters = 1_000;

/** Characters of a text that tell what a value in its subject is. */
const firstCharacters = 200;

/** Separates the subject of a message from its text. Both are searched together. */
export const belowSubject = "\n\n";

/**
 * Finds the candidates of a message with their features: the words and concepts of their sentence, of the subject and of
 * the text around them, and their form.
 * @param whole subject and text of the message, with `belowSubject` between them
 * @param subjectLength characters of the subject
 * @param weights are added up. Without them the places of the features are kept, to learn from them.
 */
export function examine(whole: string, subjectLength: number, weights?: Int8Array): Examined[] {
  const all = wideCandidatesIn(whole);
  if (all.length === 0) return [];
  const message = read(whole, subjectLength, all);
  const sharedOf = sharedFeatures(message, weights);
  const seen = new Set<string>();
  return all.map((one) => {
    const { start, end } = one;
    const sort = sortOf(one);
    const zone = `${end <= subjectLength ? "subject" : "text"} ${sort}`;
    const own = ownFeatures(message, one, { isFirst: !seen.has(zone), weights });
    seen.add(zone);
    return { start, end, shared: () => sharedOf(one), own, isLink: sort === "link" };
  });
}

type Sort = "link" | "other";

const sortOf = ({ kind }: WideCandidate): Sort => (kind === "link" ? "link" : "other");
/** The names of the sorts in features, which the weights contain. */
const sortNames = { link: "l", other: "n" } as const;

/** A message that was read once for all its candidates. */
interface Message {
  /** Subject and text. */
  text: string;
  subjectLength: number;
  /** Where the text below the subject begins. */
  top: number;
  words: TextWords;
  subjectWords: readonly number[];
  subjectConcepts: readonly number[];
  /** Whether people write to each other. */
  isReply: boolean;
  /** The number of candidates with different values. */
  counts: Readonly<Record<Sort, number>>;
}

function read(text: string, subjectLength: number, all: readonly WideCandidate[]): Message {
  const words = new TextWords(text);
  const ofSubject = words.in({ start: 0, end: subjectLength });
  const top = subjectLength + belowSubject.length;
  return {
    text,
    subjectLength,
    top,
    words,
    subjectWords: namesOf(ofSubject),
    subjectConcepts: conceptsIn(ofSubject),
    isReply: isReply(text.slice(0, subjectLength), text.slice(top)),
    counts: { link: countOf(text, all, "link"), other: countOf(text, all, "other") },
  };
}

/**
 * Returns a function that makes the features of a candidate's message: those of the subject and of the text around the
 * candidate. Candidates of one kind and one block get the same ones.
 */
function sharedFeatures(
  message: Message,
  weights: Int8Array | undefined,
): (one: WideCandidate) => Features[] {
  const { text, top, subjectLength, subjectWords, subjectConcepts } = message;
  const around = aroundIn(text, message.words, top);
  const known = new Map<string, Features>();
  const once = (key: string, sort: string, add: (features: Features) => void): Features => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = new Features(sort, weights);
    add(made);
    known.set(key, made);
    return made;
  };
  /** The first sentences tell what a value in the subject is. */
  const belowSubjectOf = (kind: string, sort: string): Features =>
    once(`below ${kind}`, sort, (features) => {
      const first = conceptsIn(message.words.in({ start: top, end: top + firstCharacters }));
      features.addSums("B", first);
      features.addAll("BB", pairsOf(first));
      features.addSums(`BK ${kind}`, first);
      features.addConcepts("B", first);
    });
  return (one) => {
    const sort = sortNames[sortOf(one)];
    const reply = message.isReply ? " reply" : "";
    const shape = `${Math.min(3, message.counts[sortOf(one)])}${reply}`;
    const block = Math.max(0, Math.floor((one.start - top) / blockCharacters));
    const manner = isQuoted(text, one) ? " quoted" : "";
    const place = `${one.kind}${isAloneOnLine(text, one) ? " alone" : manner}`;
    const { names, concepts } = around(block);
    const ofText = one.end <= subjectLength ? [belowSubjectOf(one.kind, sort)] : [];
    return [
      ...ofText,
      once(sort, sort, (features) => {
        features.add("bias", "");
        features.addAll("S", subjectWords);
        features.addConcepts("S", subjectConcepts);
      }),
      once(`${sort} ${block}`, sort, (features) => {
        features.addAll("A", names);
        features.addConcepts("A", concepts);
      }),
      once(`${place} ${block}`, sort, (features) => features.addSums(`AK ${place}`, concepts)),
      once(`subject ${place}`, sort, (features) =>
        features.addSums(`SK ${place}`, subjectConcepts),
      ),
      once(`${sort} ${shape} ${block}`, sort, (features) =>
        features.addSums(`AS ${shape}`, concepts),
      ),
    ];
  };
}

/**
 * Returns the features of one candidate: its sentence, its position and its form.
 * @param isFirst whether no candidate of its sort precedes it in the subject or in the text
 */
function ownFeatures(
  message: Message,
  one: WideCandidate,
  { isFirst, weights }: { isFirst: boolean; weights: Int8Array | undefined },
): Features {
  const { text, subjectLength, top, counts } = message;
  const sort = sortOf(one);
  const features = new Features(sortNames[sort], weights);
  addBeside(features, message, one);
  features.add("count", String(Math.min(4, counts[sort])));
  if (isFirst) features.add("first", "");
  features.add("part", one.end <= subjectLength ? "subject" : "text");
  addLength(features, text.length - top);
  const value = text.slice(one.start, one.end);
  if (sort === "link") addAddress(features, value);
  else addForm(features, text, one, value);
  return features;
}

function addLength(features: Features, characters: number): void {
  features.add("length", String(Math.min(5, Math.floor(characters / 150))));
}

/** Returns what a text of this length adds to the sum of a candidate's own features. */
export function sumOfLength(isLink: boolean, characters: number, weights: Int8Array): number {
  const features = new Features(sortNames[isLink ? "link" : "other"], weights);
  addLength(features, characters);
  return features.sum;
}

/** Counts the values of candidates. A code is often in the subject and again in the text. */
function countOf(whole: string, all: readonly WideCandidate[], sort: Sort): number {
  const some = all.filter((one) => sortOf(one) === sort);
  return some.length < 2
    ? some.length
    : new Set(some.map(({ start, end }) => whole.slice(start, end))).size;
}

/** Returns the features of words: their stems and concepts. */
function namesOf(words: readonly Word[]): readonly number[] {
  const [first] = words;
  if (first === undefined) return [];
  if (words.length === 1) return first.names;
  const seen = new Set<number>();
  const names: number[] = [];
  for (const word of words)
    for (const name of word.names) {
      if (seen.has(name)) continue;
      seen.add(name);
      names.push(name);
    }
  return names;
}

function conceptsIn(words: readonly Word[]): number[] {
  const found: number[] = [];
  for (const { concepts } of words)
    for (const concept of concepts) if (!found.includes(concept)) found.push(concept);
  return found;
}

/** Limit on concepts of a sentence whose pairs are features. */
const mostPaired = 14;

function pairsOf(concepts: readonly number[]): number[] {
  const few = concepts.slice(0, mostPaired).toSorted((one, other) => one - other);
  const pairs: number[] = [];
  for (let at = 0; at < few.length; at += 1)
    for (let next = at + 1; next < few.length; next += 1)
      pairs.push(pairOf(few[at] ?? 0, few[next] ?? 0));
  return pairs;
}

const pairOf = (one: number, other: number): number => mix(conceptHashes[one] ?? 0, other);

function pairsWith(concept: number, others: readonly number[]): number[] {
  const pairs: number[] = [];
  for (const other of others) pairs.push(pairOf(concept, other));
  return pairs;
}

/** The words around a place. */
interface Around {
  names: readonly number[];
  concepts: readonly number[];
}

/** Returns a function that reads the words of a block and the blocks beside it, except those of URLs. */
function aroundIn(text: string, words: TextWords, top: number): (block: number) => Around {
  const addresses = addressesIn(text);
  const known = new Map<number, Around>();
  return (block) => {
    const found = known.get(block);
    if (found !== undefined) return found;
    const from = top + Math.max(0, (block - 1) * blockCharacters);
    const to = from + 3 * blockCharacters;
    const near: Word[] = [];
    let start = from;
    for (const address of addresses) {
      if (address.end <= start) continue;
      if (address.start >= to) break;
      words.addTo(near, start, address.start);
      start = address.end;
    }
    words.addTo(near, start, to);
    const made = { names: namesOf(near), concepts: conceptsIn(near) };
    known.set(block, made);
    return made;
  };
}

/** Signs and abbreviations before a number of an order, an amount or a masked number. */
const signBefore = /(?:[#№$€£¥+×*•@]|\b[Nn](?:o|r|[°ºo])[.:]?|\b[Rr][eéi]f\.)\s{0,2}$/u;

/** The last word before a candidate begins at most so many characters before it. */
const nextTo = 25;

function addBeside(features: Features, message: Message, one: WideCandidate): void {
  const { text, words, subjectConcepts } = message;
  const { lead, tail, above, isAlone } = besideOf(text, message, one);
  if (above !== undefined) {
    const ofAbove = words.in(above);
    features.addAll("M", namesOf(ofAbove));
    features.addConcepts("M", conceptsIn(ofAbove));
  }
  const sentence = { lead: words.in(lead), tail: words.in(tail) };
  addSentence(features, sentence, { kind: one.kind, subjectConcepts });
  const leadText = text.slice(lead.start, lead.end);
  const end = lead.start + leadText.trimEnd().length;
  const nearby = words.in({ start: Math.max(lead.start, end - nextTo), end });
  features.addAll("P", namesOf(nearby.slice(-1)));
  if (/[:：]\s*["'“„«「*|]*\s*$/u.test(leadText)) features.add("colon", "");
  if (isAlone) features.add("alone", "");
  if (message.isReply) features.add("reply", isAlone ? "alone" : "");
  if (isQuoted(text, one)) features.add("quoted", "");
  if (one.kind === "link") {
    const small = alignedLowerCase(leadText).replaceAll("\n", " ");
    if (otherPurposes.test(small)) features.add("other purpose", "");
    return;
  }
  if (signBefore.test(leadText)) features.add("labelled", "");
}

/** Adds the words before and after a candidate, the concepts nearest to it, and pairs of concepts, also with its kind. */
function addSentence(
  features: Features,
  { lead, tail }: { lead: readonly Word[]; tail: readonly Word[] },
  { kind, subjectConcepts }: { kind: string; subjectConcepts: readonly number[] },
): void {
  features.addAll("L", namesOf(lead));
  features.addAll("T", namesOf(tail));
  features.addAll("N", namesOf(tail.slice(0, 1)));
  features.addAll("LT", pairsOf(conceptsIn([...lead, ...tail])));
  const [nearest = [], second = []] = lead
    .filter(({ concepts }) => concepts.length > 0)
    .slice(-2)
    .toReversed()
    .map(({ concepts }) => concepts);
  const next = tail.find(({ concepts }) => concepts.length > 0)?.concepts ?? [];
  features.addSums("P1", nearest);
  const [ofLead, ofTail] = [conceptsIn(lead), conceptsIn(tail)];
  features.addConcepts("L", ofLead);
  features.addConcepts("T", ofTail);
  features.addConcepts("P1", nearest);
  features.addConcepts("P2", second);
  features.addConcepts("N1", next);
  features.addSums(`LK ${kind}`, ofLead);
  features.addSums(`TK ${kind}`, ofTail);
  features.addSums("P2", second);
  features.addSums("N1", next);
  for (const concept of nearest) {
    features.addAll("SP", pairsWith(concept, subjectConcepts));
    features.addAll("PP", pairsWith(concept, second));
    features.addAll("PN", pairsWith(concept, next));
  }
}
