import { aloneIn, hasText } from "../candidates.ts";
import { units } from "../code-words.ts";
import { inSmallLetters, type TextRange, withoutAddresses } from "../found.ts";
import { otherPaths, otherPurposes, signInPaths } from "../link-words.ts";
import { ideasOf } from "./ideas.ts";
import { type WideCandidate, wideCandidatesIn } from "./wide-candidates.ts";
import { type Word, hashOf, ideaHashes, mix, wordsOf } from "./words.ts";

/** The number of places into which names of features are hashed, a power of two. */
export const featurePlaces = 131_072;

export interface Examined extends TextRange {
  /** Places of the features of its message. Neighbouring candidates share the array. */
  shared: readonly number[];
  /** Places of the features of the candidate itself: its sentence and its form. */
  own: readonly number[];
}

/** Longest examined part of the sentences beside a candidate. Characters. */
const besideCharacters = 200;
/** Size of the blocks in which the text around candidates is read. Neighbouring candidates share blocks. Characters. */
const blockCharacters = 1_000;

/**
 * Finds the candidates of a text with their features: the words and concepts of their sentence, of the subject and of
 * the text around them, and their form.
 * @param within candidates that begin later are counted and not returned
 */
export function examine(subject: string, text: string, within = text.length): Examined[] {
  const all = wideCandidatesIn(text, subject);
  if (all.length === 0) return [];
  const counts = { link: 0, other: 0 };
  for (const { kind } of all) counts[kind === "link" ? "link" : "other"] += 1;
  const wordsOfSubject = wordsOf(subject);
  const subjectWords = namesOf(wordsOfSubject);
  const subjectIdeas = ideasIn(wordsOfSubject);
  const around = aroundIn(text);
  const shared = new Map<string, readonly number[]>();
  const sharedOf = (one: WideCandidate, sort: string): readonly number[] => {
    const place = `${one.kind}${aloneIn(text, one) ? " alone" : ""}`;
    const key = `${blockOf(one)} ${place}`;
    const known = shared.get(key);
    if (known !== undefined) return known;
    const { names, ideas } = around(one);
    const features = new Features(sort);
    features.add("bias", "");
    features.addAll("S", subjectWords);
    features.addAll("A", names);
    features.addAll(`AK ${place}`, hashesOf(ideas));
    features.addAll(`SK ${place}`, hashesOf(subjectIdeas));
    shared.set(key, features.places);
    return features.places;
  };
  const seen = { link: false, other: false };
  const examined = all.filter(({ start }) => start < within);
  return examined.map((one) => {
    const sort = one.kind === "link" ? "link" : "other";
    const name = sort === "link" ? "l" : "n";
    const features = new Features(name);
    addBeside(features, text, one, subjectIdeas);
    features.add("count", String(Math.min(4, counts[sort])));
    if (!seen[sort]) features.add("first", "");
    seen[sort] = true;
    features.add("length", String(Math.min(5, Math.floor(text.length / 150))));
    const value = text.slice(one.start, one.end);
    if (sort === "link") addAddress(features, value);
    else addForm(features, text, one, value);
    const { start, end } = one;
    return { start, end, shared: sharedOf(one, name), own: features.places };
  });
}

const blockOf = ({ start }: TextRange): number => Math.floor(start / blockCharacters);

class Features {
  readonly places: number[] = [];
  readonly #seed: number;

  constructor(sort: string) {
    this.#seed = hashOf(sort);
  }

  add(zone: string, name: string): void {
    this.addAll(zone, [hashOf(name)]);
  }

  addAll(zone: string, hashes: Iterable<number>): void {
    const seed = mix(this.#seed, hashOf(zone));
    for (const hash of hashes) this.places.push(mix(seed, hash) & (featurePlaces - 1));
  }
}

/** Returns the features of words: their stems and concepts. */
function namesOf(words: readonly Word[]): number[] {
  const names = new Set<number>();
  for (const { stems } of words) for (const stem of stems) names.add(stem);
  return [...names, ...hashesOf(ideasIn(words))];
}

function ideasIn(words: readonly Word[]): number[] {
  const found = new Set<number>();
  for (const { ideas } of words) for (const idea of ideas) found.add(idea);
  return [...found];
}

const hashesOf = (ideas: readonly number[]): number[] => ideas.map((idea) => ideaHashes[idea] ?? 0);

/** Most concepts of a sentence whose pairs are features. */
const mostPaired = 14;

function pairsOf(ideas: readonly number[]): number[] {
  const few = ideas.slice(0, mostPaired).toSorted((one, other) => one - other);
  return few.flatMap((one, at) => few.slice(at + 1).map((other) => pairOf(one, other)));
}

const pairOf = (one: number, other: number): number => mix(ideaHashes[one] ?? 0, other);

/** The words around a place. */
interface Around {
  names: readonly number[];
  ideas: readonly number[];
}

/** Returns a function that reads the words around a place. Places in the same block share them. */
function aroundIn(text: string): (one: TextRange) => Around {
  const known = new Map<number, Around>();
  return (one) => {
    const block = blockOf(one);
    const from = Math.max(0, (block - 1) * blockCharacters);
    const found = known.get(block);
    if (found !== undefined) return found;
    const words = wordsOf(withoutAddresses(text.slice(from, from + 3 * blockCharacters)));
    const made = { names: namesOf(words), ideas: ideasIn(words) };
    known.set(block, made);
    return made;
  };
}

/** Signs and abbreviations before a number of an order, an amount or a masked number. */
const signBefore = /(?:[#№$€£¥+×*•@]|\b[Nn](?:o|r|[°ºo])[.:]?)\s{0,2}$/u;

const ends = /[.!?。！？\n]/;
const blank = /\s/;

/** Returns whether a sentence ends at a place. The dot of an initial, as in `J. Smith`, ends none. */
function endsAt(text: string, at: number): boolean {
  const sign = text[at] ?? "";
  if (!ends.test(sign)) return false;
  if (sign !== "." && sign !== "!" && sign !== "?") return true;
  if (at + 1 < text.length && !blank.test(text[at + 1] ?? "")) return false;
  const initial = text[at - 1] ?? "";
  return initial === initial.toLowerCase() || (at > 1 && hasText(text[at - 2] ?? ""));
}

function lastSentence(text: string): string {
  let at = text.length - 1;
  while (at >= 0 && !endsAt(text, at)) at -= 1;
  return text.slice(at + 1);
}

function firstSentence(text: string): string {
  let at = 0;
  while (at < text.length && !endsAt(text, at)) at += 1;
  return text.slice(0, at);
}

function addBeside(
  features: Features,
  text: string,
  one: WideCandidate,
  subjectIdeas: readonly number[],
): void {
  const before = text.slice(Math.max(0, one.start - besideCharacters), one.start);
  const behind = text.slice(one.end, one.end + besideCharacters);
  const above = before.trimEnd().split("\n").filter(hasText);
  const isAlone = aloneIn(text, one);
  let lead = above.slice(-2).join(" ");
  let tail = behind.split("\n").find(hasText) ?? "";
  if (!isAlone) {
    const sentence = lastSentence(before);
    lead = hasText(sentence) ? sentence : (above.at(-1) ?? "");
    tail = firstSentence(behind);
    // A short label, such as that of a button, is read with the line above it.
    if (hasText(sentence) && sentence.trim().length < 30) {
      const higher = before.slice(0, before.lastIndexOf(sentence)).trimEnd().split("\n");
      features.addAll("M", namesOf(wordsOf(higher.findLast(hasText) ?? "")));
    }
  }
  addSentence(
    features,
    { lead: wordsOf(lead), tail: wordsOf(tail) },
    { kind: one.kind, subjectIdeas },
  );
  features.addAll("P", namesOf(wordsOf(lead.slice(-25)).slice(-1)));
  if (/[:：]\s*["'“„«「*|]*\s*$/u.test(lead)) features.add("colon", "");
  if (isAlone) features.add("alone", "");
  if (one.kind === "link") {
    if (otherPurposes.test(inSmallLetters(lead))) features.add("other purpose", "");
    return;
  }
  if (signBefore.test(lead)) features.add("labelled", "");
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

/** Returns the runs of a form, such as `Aa-9` for `Walnut-59`. */
const runsOf = (form: string): string => form.replace(/(.)\1+/g, "$1").slice(0, 12);

function addForm(features: Features, text: string, one: WideCandidate, value: string): void {
  const plain = value.replace(/[^A-Za-z0-9]/g, "");
  const form = value.replace(/\d/g, "9").replace(/[A-Z]/g, "A").replace(/[a-z]/g, "a");
  features.add("kind", one.kind);
  features.add("size", `${one.kind}${Math.min(12, plain.length)}`);
  features.add("form", form.slice(0, 12));
  features.add("runs", runsOf(form));
  const groups = value.split(/[\s·–|-]+/).map(({ length }) => length);
  features.add("groups", groups.slice(0, 6).join("-"));
  if (groups.length > 3 && groups.every((length) => length === 1)) features.add("apart", "");
  if (/^(?:19|20)\d\d$/.test(value)) features.add("year", "");
  if (units.test(inSmallLetters(text.slice(one.end, one.end + 14)))) features.add("unit", "");
  if (/[\d)+][ \-/.]?$/.test(text.slice(Math.max(0, one.start - 2), one.start)))
    features.add("follows", "");
  if (/^ ?#|^[ \-/]\d/.test(text.slice(one.end, one.end + 2))) features.add("goes on", "");
}

function addAddress(features: Features, value: string): void {
  const [, host = "", path = ""] = /^(?:[a-z+.-]+:\/\/)?([^/?#]*)(.*)$/is.exec(value) ?? [];
  const small = path.toLowerCase();
  if (signInPaths.test(small)) features.add("leads in", "");
  if (otherPaths.test(small)) features.add("leads elsewhere", "");
  for (const label of host.toLowerCase().split(".").slice(0, -2)) features.add("H", label);
  for (const part of path.split(/[/?&#;]/)) {
    const cut = part.indexOf("=");
    const name = cut > 0 ? part.slice(0, cut).toLowerCase() : "";
    const content = cut > 0 ? part.slice(cut + 1) : part;
    if (name !== "") {
      features.add("Q", name);
      features.addAll("QI", hashesOf(ideasOf(name)));
    }
    if (/^[a-z._-]+$/i.test(content))
      for (const word of content.toLowerCase().split(/[._-]/)) {
        features.add("W", word.slice(0, 6));
        features.addAll("WI", hashesOf(ideasOf(word)));
      }
    else {
      const sort = /^\d+$/.test(content) ? "d" : /^[0-9a-f-]+$/i.test(content) ? "h" : "m";
      const size = Math.min(4, Math.floor(content.length / 6));
      features.add("token", `${name === "" ? "p" : "q"}${size}${sort}`);
    }
  }
}
