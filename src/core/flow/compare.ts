import { isWord } from "./content-marks.ts";
import { type Squeezed, codesIn, squeeze } from "./reading/find-codes.ts";
import { sentInPieces } from "./reading/fragments.ts";
import type { Hasher } from "./hasher.ts";
import type { Hit, Match, Outgoing } from "./hit.ts";
import { type KnownContents, runLength } from "./known-contents.ts";
import type { Frequencies, GivenSource } from "./ledger.ts";
import { type Rarity, defaultRarity, isRare } from "./reading/rarity.ts";
import { spanOf } from "./reading/reading.ts";
import { type TrustedReading, readingsOf, tokensIn } from "./reading/readings.ts";
import type { Token } from "./reading/tokens.ts";

/**
 * Compares an outgoing text with what its caller was given. Pure.
 * @returns the matches on something rare, in the order of the text and without overlaps
 */
export function compare(
  outgoing: Outgoing,
  { contents, hasher }: { contents: KnownContents; hasher: Hasher },
  frequencies: Frequencies,
  rarity: Rarity = defaultRarity,
): readonly Match[] {
  const hits = hitsIn(outgoing, { contents, hasher }, { mails: frequencies.mails, rarity });
  return rareOf(hits, frequencies, rarity);
}

/**
 * Returns the parts that occur in both. Words are left out if the contents alone show that they are not rare.
 * `rareOf` then needs the frequencies of the terms.
 */
export function hitsIn(
  outgoing: Outgoing,
  { contents, hasher }: { contents: KnownContents; hasher: Hasher },
  {
    mails,
    rarity = defaultRarity,
    readings = readingsOf(outgoing.text),
  }: { mails: number; rarity?: Rarity; readings?: readonly TrustedReading[] | undefined },
): readonly Hit[] {
  const hits: Hit[] = [];
  const words: Hit[] = [];
  /** Words that were looked up in an earlier reading, which is at least as trusted. */
  const looked = new Set<string>();
  for (const reading of readings) {
    const tokens = tokensIn(reading);
    const squeezed: Squeezed = squeeze(tokens, hasher);
    hits.push(...codesIn(reading, squeezed, contents));
    if (reading.trust === "scattered" || reading.trust === "loose") continue;
    const hashes = tokens.map(({ text }) => hasher.token(text));
    hits.push(...runsIn(reading, tokens, hashes, contents));
    words.push(...wordsIn(reading, { tokens, hashes, looked }, { contents, mails, rarity }));
  }
  return [
    ...hits,
    ...sentInPieces(outgoing, readings, contents, hasher),
    ...together(words, rarity),
  ];
}

function runsIn(
  reading: TrustedReading,
  tokens: readonly Token[],
  hashes: readonly number[],
  contents: KnownContents,
): Hit[] {
  const hits: Hit[] = [];
  for (let first = 0; first + runLength <= tokens.length; first += 1) {
    const found = contents.withRun(hashes, first);
    if (found.length === 0) continue;
    const run = tokens.slice(first, first + runLength);
    const terms = run.filter((token) => isWord(token) || token.hasDigit);
    // A run with a single word says as little as that word. Titles have such runs.
    if (terms.length < 2 && !terms.some(({ hasDigit }) => hasDigit)) continue;
    const span = spanOf(reading, run[0]?.start ?? 0, run.at(-1)?.end ?? 0);
    hits.push({
      kind: "run",
      text: run.map(({ text }) => text).join(" "),
      terms: [...new Set(terms.map(({ text }) => text))],
      span,
      sources: sourcesOf(found, contents),
    });
  }
  return hits;
}

/** A shorter word that equals another one backwards is a coincidence. Characters. */
const shortestReversedWord = 6;
/** Contents with a word, beyond those that a rare word may be in. More make it a common word. */
const moreContents = 4;

interface Looked {
  tokens: readonly Token[];
  hashes: readonly number[];
  looked: Set<string>;
}

function wordsIn(
  reading: TrustedReading,
  { tokens, hashes, looked }: Looked,
  { contents, mails, rarity }: { contents: KnownContents; mails: number; rarity: Rarity },
): Hit[] {
  if (mails < rarity.mailsNeeded) return [];
  const rare = Math.max(rarity.word.atMost, mails * rarity.word.share);
  const mostContents = Math.floor(rare) + moreContents;
  const hits: Hit[] = [];
  for (const [index, token] of tokens.entries()) {
    if (!isWord(token) || looked.has(token.text)) continue;
    if (reading.trust !== "plain" && token.text.length < shortestReversedWord) continue;
    looked.add(token.text);
    const found = contents.withWord(hashes[index] ?? 0, mostContents);
    if (found.length === 0 || found.length >= mostContents) continue;
    const sources = sourcesOf(found, contents);
    const own = new Set(sources.filter(({ kind }) => kind === "mail").map(({ id }) => id));
    if (own.size > rare) continue;
    hits.push({
      kind: "word",
      text: token.text,
      terms: [token.text],
      span: spanOf(reading, token.start, token.end),
      sources,
    });
  }
  return hits;
}

/** Returns the words of contents that have enough of them for a match. */
function together(words: readonly Hit[], { wordsTogether }: Rarity): Hit[] {
  const counts = new Map<string, number>();
  for (const { sources } of words)
    for (const id of new Set(sources.map((source) => source.id)))
      counts.set(id, (counts.get(id) ?? 0) + 1);
  return words.filter(({ sources }) =>
    sources.some(({ id }) => (counts.get(id) ?? 0) >= wordsTogether),
  );
}

function sourcesOf(found: readonly number[], contents: KnownContents): GivenSource[] {
  return found
    .map((content) => contents.sourceOf(content))
    .filter((source) => source !== undefined);
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
