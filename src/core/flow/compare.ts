import { isWord, windowsOf } from "./content-marks.ts";
import { readingsOf } from "./decode.ts";
import { runLength } from "./fingerprint.ts";
import { sentInParts } from "./fragments.ts";
import type { Hit, Match, Outgoing } from "./hit.ts";
import type { Frequencies, GivenSource, LedgerView } from "./ledger.ts";
import { type Rarity, defaultRarity, isRare } from "./rarity.ts";
import { type Reading, type Span, replaced, spanOf } from "./reading.ts";
import {
  type Token,
  longestSolid,
  placeForm,
  shortestSolid,
  shortestWord,
  squeezed,
  tokensOf,
} from "./tokens.ts";

/**
 * Compares an outgoing text with what its caller was given. Pure.
 * @returns the matches on something rare, in the order of the text and without overlaps
 */
export function compare(
  outgoing: Outgoing,
  ledger: LedgerView,
  frequencies: Frequencies,
  rarity: Rarity = defaultRarity,
): readonly Match[] {
  return rareOf(hitsIn(outgoing, ledger), frequencies, rarity);
}

/** Returns the parts that occur in both, rare or not. `rareOf` then needs the frequencies of their words. */
export function hitsIn({ text, earlier }: Outgoing, ledger: LedgerView): readonly Hit[] {
  const hits = readingsOf(text).flatMap((reading, index) =>
    hitsOfReading(reading, ledger, index % 2 === 1),
  );
  return [...hits, ...sentInParts({ text, earlier }, ledger)];
}

export function rareOf(
  hits: readonly Hit[],
  frequencies: Frequencies,
  rarity: Rarity,
): readonly Match[] {
  const rare = hits.filter((hit) => isRare(hit, hits, frequencies, rarity));
  const bySpan = rare.toSorted((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
  const kept: Match[] = [];
  for (const match of bySpan) {
    const before = kept.at(-1);
    if (before === undefined || match.span.start >= before.span.end) kept.push(match);
    else if (match.span.end > before.span.end) {
      // Runs of a longer quotation overlap: they are one match.
      const span = { start: before.span.start, end: match.span.end };
      kept[kept.length - 1] = { ...before, span };
    }
  }
  return kept;
}

/**
 * Parts that are joined. More would cost more time than a call may wait. Parts of up to three characters are joined
 * further.
 */
const mostJoined = 6;
/** A shorter word that equals another one backwards is a coincidence. Characters. */
const shortestReversedWord = 6;

function hitsOfReading(reading: Reading, ledger: LedgerView, isReversed: boolean): Hit[] {
  const { fingerprints, sourcesOf } = ledger;
  const hits: Hit[] = [];
  const looked = new Map<string, readonly GivenSource[]>();
  const look = (kind: "solid" | "word", text: string): readonly GivenSource[] => {
    const known = looked.get(kind + text);
    if (known !== undefined) return known;
    const sources = sourcesOf(fingerprints.of(kind, text));
    looked.set(kind + text, sources);
    return sources;
  };
  const add = (
    kind: Hit["kind"],
    text: string,
    tokens: readonly Token[],
    place: Span,
    sources: readonly GivenSource[],
  ): void => {
    if (sources.length === 0) return;
    const terms = [text, ...tokens.map((token) => token.text).filter(({ length }) => length > 2)];
    const span = spanOf(reading, place.start, place.end);
    hits.push({ kind, text, terms: [...new Set(terms)], span, sources });
  };

  const tokens = tokensOf(reading.text);
  for (const { 0: place, index } of reading.text.matchAll(placeForm)) {
    const text = squeezed(place);
    const end = index + place.length;
    const inside = tokens.filter((token) => token.start >= index && token.end <= end);
    add("solid", text, inside, { start: index, end }, look("solid", text));
  }
  for (const [index, token] of tokens.entries()) {
    for (const { text, parts, isSolid } of joinedFrom(reading.text, tokens, index)) {
      const place = { start: token.start, end: parts.at(-1)?.end ?? token.end };
      if (isSolid) {
        add("solid", text, parts, place, look("solid", text));
        if (/^\d{9,}$/.test(text)) add("solid", text, [], place, look("solid", text.slice(-8)));
      } else if (text.length >= (isReversed ? shortestReversedWord : shortestWord)) {
        add("word", text, [], place, look("word", text));
      }
    }
  }
  const runs = fingerprints.runs(tokens.map(({ text }) => text));
  for (const [first, run] of runs.entries()) {
    const words = tokens.slice(first, first + runLength);
    const place = { start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0 };
    const terms = words.filter(isWord);
    if (terms.length > 0 || words.some(({ hasDigit }) => hasDigit)) {
      add("run", words.map(({ text }) => text).join(" "), words, place, sourcesOf(run));
    }
  }
  const unspaced = replaced(reading, /[^\p{L}\p{N}]+/gu, () => "") ?? reading;
  for (const { text, start } of windowsOf(unspaced.text)) {
    const sources = look("word", text);
    if (sources.length === 0) continue;
    const span = spanOf(unspaced, start, start + text.length);
    hits.push({ kind: "run", text, terms: [text], span, sources });
  }
  return hits;
}

interface Joined {
  text: string;
  parts: readonly Token[];
  isSolid: boolean;
}

/** Returns a token alone and joined with its successors, for codes in groups and words that were spaced out. */
function joinedFrom(text: string, tokens: readonly Token[], first: number): Joined[] {
  const found: Joined[] = [];
  let joined = "";
  let hasDigit = false;
  let isTight = true;
  let isSpacedOut = true;
  for (let last = first; last < tokens.length; last += 1) {
    const token = tokens[last];
    const before = last > first ? tokens[last - 1] : undefined;
    if (token === undefined) break;
    if (before !== undefined) isTight &&= /^[^\s]{1,2}$/.test(text.slice(before.end, token.start));
    joined += token.text;
    hasDigit ||= token.hasDigit;
    isSpacedOut &&= token.text.length <= 3;
    const count = last - first + 1;
    if (joined.length > longestSolid || (count > mostJoined && !isSpacedOut)) break;
    const parts = tokens.slice(first, last + 1);
    if (hasDigit && joined.length >= shortestSolid)
      found.push({ text: joined, parts, isSolid: true });
    if (!hasDigit && (count === 1 || isTight || isSpacedOut)) {
      found.push({ text: joined, parts, isSolid: false });
      // A spaced-out address has lost its `@` and dots, and looks like a long word.
      if (joined.length >= 10) found.push({ text: joined, parts, isSolid: true });
    }
  }
  return found;
}
