import { isAloneOnLine, hasText } from "../candidates.ts";
import { addressesIn, inSmallLetters, type TextRange } from "../found.ts";
import { otherPurposes } from "../link-words.ts";
import { isQuoted, isReply } from "../spoken.ts";
import { Features } from "./feature-sums.ts";
import { addAddress, addForm, hashesOf } from "./form-features.ts";
import {
  besideCharacters,
  lineBefore,
  lineBehind,
  sentenceBefore,
  sentenceBehind,
} from "./sentences.ts";
import { type WideCandidate, wideCandidatesIn } from "./wide-candidates.ts";
import { type Word, TextWords, ideaHashes, mix } from "./words.ts";

export interface Examined extends TextRange {
  /** Returns the features of its message. Neighbouring candidates share them. Most messages never need them. */
  shared: () => readonly Features[];
  /** The features of the candidate itself: its sentence and its form. */
  own: Features;
  isLink: boolean;
}

/** Size of the blocks in which the text around candidates is read. Neighbouring candidates share blocks. Characters. */
const blockCharacters = 1_000;

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
  const counts = { link: countOf(whole, all, true), other: countOf(whole, all, false) };
  const words = new TextWords(whole);
  const wordsOfSubject = words.in({ start: 0, end: subjectLength });
  const subjectWords = namesOf(wordsOfSubject);
  const subjectIdeas = ideasIn(wordsOfSubject);
  const top = subjectLength + belowSubject.length;
  const blockOf = ({ start }: TextRange): number =>
    Math.max(0, Math.floor((start - top) / blockCharacters));
  const around = aroundIn(whole, words, top);
  const known = new Map<string, Features>();
  const once = (key: string, sort: string, add: (features: Features) => void): Features => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = new Features(sort, weights);
    add(made);
    known.set(key, made);
    return made;
  };
  const replies = isReply(whole.slice(0, subjectLength), whole.slice(top));
  const sharedOf = (one: WideCandidate, sort: string): Features[] => {
    const shape = `${Math.min(3, counts[sort === "l" ? "link" : "other"])}${replies ? " reply" : ""}`;
    const block = blockOf(one);
    const manner = isQuoted(whole, one) ? " quoted" : "";
    const place = `${one.kind}${isAloneOnLine(whole, one) ? " alone" : manner}`;
    const { names, ideas } = around(block);
    return [
      once(sort, sort, (features) => {
        features.add("bias", "");
        features.addAll("S", subjectWords);
        features.addConcepts("S", hashesOf(subjectIdeas));
      }),
      once(`${sort} ${block}`, sort, (features) => {
        features.addAll("A", names);
        features.addConcepts("A", hashesOf(ideas));
      }),
      once(`${place} ${block}`, sort, (features) =>
        features.addAll(`AK ${place}`, hashesOf(ideas)),
      ),
      once(`subject ${place}`, sort, (features) =>
        features.addAll(`SK ${place}`, hashesOf(subjectIdeas)),
      ),
      once(`${sort} ${shape} ${block}`, sort, (features) =>
        features.addAll(`AS ${shape}`, hashesOf(ideas)),
      ),
    ];
  };
  const seen = new Set<string>();
  return all.map((one) => {
    const { start, end } = one;
    const sort = one.kind === "link" ? "link" : "other";
    const name = sort === "link" ? "l" : "n";
    const features = new Features(name, weights);
    addBeside(features, { text: whole, top, words, one, subjectIdeas, replies });
    features.add("count", String(Math.min(4, counts[sort])));
    const part = end <= subjectLength ? "subject" : "text";
    if (!seen.has(`${part} ${sort}`)) features.add("first", "");
    seen.add(`${part} ${sort}`);
    features.add("part", part);
    features.add("length", String(Math.min(5, Math.floor((whole.length - top) / 150))));
    const value = whole.slice(start, end);
    if (sort === "link") addAddress(features, value);
    else addForm(features, whole, one, value);
    return {
      start,
      end,
      shared: () => sharedOf(one, name),
      own: features,
      isLink: sort === "link",
    };
  });
}

/** Counts the values of candidates. A code is often in the subject and again in the text. */
function countOf(whole: string, all: readonly WideCandidate[], isLink: boolean): number {
  const some = all.filter(({ kind }) => (kind === "link") === isLink);
  return some.length < 2
    ? some.length
    : new Set(some.map(({ start, end }) => whole.slice(start, end))).size;
}

/** Returns the features of words: their stems and concepts. */
function namesOf(words: readonly Word[]): readonly number[] {
  if (words.length < 2) return words[0]?.names ?? [];
  const names = new Set<number>();
  for (const word of words) for (const name of word.names) names.add(name);
  return [...names];
}

function ideasIn(words: readonly Word[]): number[] {
  const found: number[] = [];
  for (const { ideas } of words)
    for (const idea of ideas) if (!found.includes(idea)) found.push(idea);
  return found;
}

/** Most concepts of a sentence whose pairs are features. */
const mostPaired = 14;

function pairsOf(ideas: readonly number[]): number[] {
  const few = ideas.slice(0, mostPaired).toSorted((one, other) => one - other);
  const pairs: number[] = [];
  for (let at = 0; at < few.length; at += 1)
    for (let next = at + 1; next < few.length; next += 1)
      pairs.push(pairOf(few[at] ?? 0, few[next] ?? 0));
  return pairs;
}

const pairOf = (one: number, other: number): number => mix(ideaHashes[one] ?? 0, other);

/** The words around a place. */
interface Around {
  names: readonly number[];
  ideas: readonly number[];
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
      near.push(...words.in({ start, end: address.start }));
      start = address.end;
    }
    near.push(...words.in({ start, end: to }));
    const made = { names: namesOf(near), ideas: ideasIn(near) };
    known.set(block, made);
    return made;
  };
}

/** Signs and abbreviations before a number of an order, an amount or a masked number. */
const signBefore = /(?:[#№$€£¥+×*•@]|\b[Nn](?:o|r|[°ºo])[.:]?|\b[Rr][eéi]f\.)\s{0,2}$/u;

/** A shorter part of a sentence is a label, such as that of a button. It is read with the line above it. */
const shortLabel = 30;
/** The last word before a candidate begins at most so many characters before it. */
const nextTo = 25;

interface Beside {
  text: string;
  /** Where the text below the subject begins. */
  top: number;
  words: TextWords;
  one: WideCandidate;
  subjectIdeas: readonly number[];
  /** Whether people write to each other. */
  replies: boolean;
}

function addBeside(features: Features, beside: Beside): void {
  const { text, top, words, one, subjectIdeas, replies } = beside;
  const least = Math.max(0, one.start - besideCharacters);
  const isAlone = isAloneOnLine(text, one);
  const above = lineBefore(text, one.start, least) ?? { start: one.start, end: one.start };
  let lead = above;
  let tail: TextRange;
  if (isAlone) {
    const higher = lineBefore(text, above.start - 1, least);
    lead = { start: higher?.start ?? above.start, end: above.end };
    tail = lineBehind(text, one.end);
  } else {
    const sentence = sentenceBefore(text, one.start);
    const label = text.slice(sentence.start, sentence.end);
    tail = sentenceBehind(text, one.end);
    if (hasText(label)) {
      lead = sentence;
      const higher =
        label.trim().length < shortLabel
          ? lineBefore(text, sentence.start, Math.max(least, top))
          : undefined;
      if (higher !== undefined) {
        features.addAll("M", namesOf(words.in(higher)));
        features.addConcepts("M", hashesOf(ideasIn(words.in(higher))));
      }
    }
  }
  const leadWords = words.in(lead);
  addSentence(
    features,
    { lead: leadWords, tail: words.in(tail) },
    { kind: one.kind, subjectIdeas },
  );
  const leadText = text.slice(lead.start, lead.end);
  const end = lead.start + leadText.trimEnd().length;
  features.addAll(
    "P",
    namesOf(words.in({ start: Math.max(lead.start, end - nextTo), end }).slice(-1)),
  );
  if (/[:：]\s*["'“„«「*|]*\s*$/u.test(leadText)) features.add("colon", "");
  if (isAlone) features.add("alone", "");
  if (replies) features.add("reply", isAlone ? "alone" : "");
  if (isQuoted(text, one)) features.add("quoted", "");
  if (one.kind === "link") {
    const small = inSmallLetters(leadText).replaceAll("\n", " ");
    if (otherPurposes.test(small)) features.add("other purpose", "");
    return;
  }
  if (signBefore.test(leadText)) features.add("labelled", "");
}

/** Adds the words before and after a candidate, the concepts nearest to it, and pairs of concepts, also with its kind. */
function addSentence(
  features: Features,
  { lead, tail }: { lead: readonly Word[]; tail: readonly Word[] },
  { kind, subjectIdeas }: { kind: string; subjectIdeas: readonly number[] },
): void {
  features.addAll("L", namesOf(lead));
  features.addAll("T", namesOf(tail));
  features.addAll("N", namesOf(tail.slice(0, 1)));
  features.addAll("LT", pairsOf(ideasIn([...lead, ...tail])));
  const [nearest = [], second = []] = lead
    .filter(({ ideas }) => ideas.length > 0)
    .slice(-2)
    .toReversed()
    .map(({ ideas }) => ideas);
  const next = tail.find(({ ideas }) => ideas.length > 0)?.ideas ?? [];
  features.addAll("P1", hashesOf(nearest));
  features.addConcepts("L", hashesOf(ideasIn(lead)));
  features.addConcepts("T", hashesOf(ideasIn(tail)));
  features.addConcepts("P1", hashesOf(nearest));
  features.addConcepts("P2", hashesOf(second));
  features.addConcepts("N1", hashesOf(next));
  features.addAll(`LK ${kind}`, hashesOf(ideasIn(lead)));
  features.addAll(`TK ${kind}`, hashesOf(ideasIn(tail)));
  features.addAll("P2", hashesOf(second));
  features.addAll("N1", hashesOf(next));
  for (const idea of nearest) {
    features.addAll(
      "SP",
      subjectIdeas.map((other) => pairOf(idea, other)),
    );
    features.addAll(
      "PP",
      second.map((other) => pairOf(idea, other)),
    );
    features.addAll(
      "PN",
      next.map((other) => pairOf(idea, other)),
    );
  }
}
