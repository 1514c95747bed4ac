import { isWord } from "./content-marks.ts";
import { codesIn, squeeze } from "./reading/find-codes.ts";
import { separatedWords } from "./reading/joined-words.ts";
import { sentInPieces } from "./reading/fragments.ts";
import type { Hasher } from "./hasher.ts";
import type { Hit, Match, Outgoing } from "./hit.ts";
import { type KnownContents, runLength } from "./known-contents.ts";
import type { Frequencies, GivenSource } from "./ledger.ts";
import { createWordFinder } from "./reading/find-words.ts";
import { type Rarity, defaultRarity, rareHits } from "./reading/rarity.ts";
import { spanOf } from "./reading/reading.ts";
import { type TrustedReading, plainReadingsOf, readingsOf, tokensIn } from "./reading/readings.ts";
import type { Token } from "./reading/tokens.ts";

/**
 * Compares an outgoing text with the items that its caller received. Pure.
 * @returns the rare matches, in the order of the text and without overlaps
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
 * Returns the parts that occur in both. Words that are frequent in the items themselves are left out. `rareOf` then
 * needs the frequencies of the terms.
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
  const known = { contents, hasher };
  const hits: Hit[] = [];
  const wordsOf = createWordFinder(known, { mails, rarity });
  const opposite = new Set(["plain", "reversed"]);
  for (const reading of readings) {
    if (!solidHits(reading, known, hits)) continue;
    // The first reading of each sort has the words of the text. They may be in the opposite order.
    if (opposite.delete(reading.trust)) hits.push(...runsBackwards(reading, known));
    hits.push(...wordsOf(reading));
    if (reading.trust !== "plain") continue;
    const apart = separatedWords(reading, tokensIn(reading), known);
    if (apart === undefined) continue;
    const words = { ...apart, trust: reading.trust };
    solidHits(words, known, hits);
    hits.push(...wordsOf(words));
  }
  return [
    ...hits,
    ...sentInPieces(outgoing, readings, contents, hasher),
    ...inShortTexts(outgoing, known),
  ];
}

/** Adds codes and runs of words of one reading. Returns false if the reading has no words. */
function solidHits(
  reading: TrustedReading,
  { contents, hasher }: { contents: KnownContents; hasher: Hasher },
  hits: Hit[],
): boolean {
  const tokens = tokensIn(reading);
  hits.push(...codesIn(reading, squeeze(tokens, hasher), contents));
  if (reading.trust === "scattered" || reading.trust === "loose") return false;
  const hashes = tokens.map(({ text }) => hasher.token(text));
  hits.push(...runsIn(reading, tokens, hashes, contents));
  return true;
}

function runsBackwards(
  reading: TrustedReading,
  { contents, hasher }: { contents: KnownContents; hasher: Hasher },
): Hit[] {
  const tokens = tokensIn(reading).toReversed();
  const hashes = tokens.map(({ text }) => hasher.token(text));
  return runsIn(reading, tokens, hashes, contents);
}

/** Number of texts that are read as one if all are short, and the longest length of each. */
const mostShortTexts = 8;
const shortText = 40;
const shortWords = 3;

const isShort = (text: string): boolean =>
  text.length <= shortText && text.split(/\s+/).length <= shortWords;

/** Finds a code or a run of words that is sent as several short texts in a row. */
function inShortTexts(
  { text, earlier }: Outgoing,
  known: { contents: KnownContents; hasher: Hasher },
): Hit[] {
  if (!isShort(text)) return [];
  const before = earlier.slice(-mostShortTexts);
  const first = before.findLastIndex((each) => !isShort(each)) + 1;
  const texts = [...before.slice(first), text];
  if (texts.length === 1) return [];
  return ["", " "].flatMap((separator) => {
    const joined = texts.join(separator);
    const newStart = joined.length - text.length;
    const hits: Hit[] = [];
    for (const [index, reading] of plainReadingsOf(joined).entries()) {
      // A code would join the next text if no space separated them.
      if (index > 0 || separator === " ") solidHits(reading, known, hits);
      const apart = separator === "" && separatedWords(reading, tokensIn(reading), known);
      if (apart) solidHits({ ...apart, trust: reading.trust }, known, hits);
    }
    // The earlier texts were compared when they were sent.
    return hits
      .filter(({ span }) => span.end > newStart && span.start < newStart)
      .map((hit) => ({ ...hit, span: { start: 0, end: text.length } }));
  });
}

/** Fewest characters in a run, counting only words of several characters. A status line has fewer. */
const shortestRun = 13;

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
    // A run with a single telling word proves no more than that word. Titles have such runs.
    if (terms.length < 2 && !terms.some(({ hasDigit }) => hasDigit)) continue;
    const characters = run.reduce(
      (sum, { text: { length } }) => sum + (length > 1 ? length : 0),
      0,
    );
    if (characters < shortestRun) continue;
    const [one, other] = [run[0], run.at(-1)];
    const span = spanOf(
      reading,
      Math.min(one?.start ?? 0, other?.start ?? 0),
      Math.max(one?.end ?? 0, other?.end ?? 0),
    );
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
  const rare = rareHits(hits, frequencies, rarity);
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
