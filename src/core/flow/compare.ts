import { isWord } from "./content-marks.ts";
import { decodedPart } from "./reading/decode.ts";
import { codesIn } from "./reading/find-codes.ts";
import { createSeparator } from "./reading/joined-words.ts";
import { joinedDates } from "./pieces/date-pieces.ts";
import { joinedHex } from "./pieces/hex-pieces.ts";
import { piecesOf } from "./pieces/pieces.ts";
import { mostEarlierTexts, sentInPieces } from "./pieces/sent-in-pieces.ts";
import { runsInPieces } from "./pieces/sent-words.ts";
import { deciphered } from "./reading/deciphered.ts";
import type { Hasher } from "./hasher.ts";
import type { Hit, Outgoing } from "./hit.ts";
import type { KnownContents } from "./known-contents.ts";
import { runLength } from "./mark-hashes.ts";
import type { Frequencies, GivenSource } from "./ledger.ts";
import { createWordFinder } from "./reading/find-words.ts";
import { type Rarity, defaultRarity, rareHits } from "./reading/rarity.ts";
import { normalised } from "./reading/normalise.ts";
import { spanOf, verbatim } from "./reading/reading.ts";
import { type Part, newPart, wholeOf } from "./reading/new-part.ts";
import {
  type Trust,
  type TrustedReading,
  plainReadingsOf,
  readingsOf,
  trusted,
} from "./reading/readings.ts";
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
): readonly Hit[] {
  const hits = hitsIn(outgoing, { contents, hasher }, { mails: frequencies.mails, rarity });
  return rareOf(hits, frequencies, rarity);
}

/**
 * Returns the parts of the text that also occur in an item. Words that are frequent in the items are left out. `rareOf`
 * selects the rare ones, for which it needs the frequencies of their terms.
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
  return [
    ...solidHitsIn(outgoing.text, known, { mails, rarity, readings }),
    ...sentInPieces(outgoing, readings, contents, hasher),
    ...runsInPieces(outgoing, readings, known),
    ...inShortTexts(outgoing, known),
    ...inEncodedParts(outgoing, readings, known),
    ...inHexPieces(outgoing, readings, known),
    ...inDateParts(outgoing, readings, known),
  ];
}

/** Returns the same without those parts that are in pieces. */
export function solidHitsIn(
  text: string,
  known: { contents: KnownContents; hasher: Hasher },
  {
    mails,
    rarity = defaultRarity,
    readings = readingsOf(text),
  }: { mails: number; rarity?: Rarity; readings?: readonly TrustedReading[] | undefined },
): readonly Hit[] {
  const hits: Hit[] = [];
  const wordsOf = createWordFinder(known, { text, mails, rarity });
  const separated = createSeparator(known);
  const firsts = new Map<Trust, TrustedReading>();
  const [plain] = readings;
  for (const reading of [...readings, ...(plain ? deciphered(plain, known) : [])]) {
    if (!hasWords(reading)) {
      hits.push(...codesIn(reading, undefined, known));
      continue;
    }
    const first = firsts.get(reading.trust);
    const part = first === undefined ? wholeOf(reading) : newPart(reading, first);
    hits.push(...solidHits(reading, part, known));
    if (part.hasNewWords) hits.push(...wordsOf(reading));
    if (first === undefined) {
      firsts.set(reading.trust, reading);
      // The first reading of each sort has the words of the text. They may be in the opposite order.
      if (reading.trust !== "guess") hits.push(...runsBackwards(reading, known));
    }
    if (reading.trust !== "plain" && reading.trust !== "reversed") continue;
    // Other texts with short words are in pieces backwards too.
    const apart = separated(reading, { inPieces: reading.trust === "plain" });
    if (apart === undefined) continue;
    const words = trusted(apart, reading.trust);
    hits.push(...solidHits(words, wholeOf(words), known));
    if (reading.trust === "plain") hits.push(...wordsOf(words, { isJoined: true }));
  }
  return hits;
}

/** Finds a date whose parts are sent in several texts, or apart in one. */
function inDateParts(
  outgoing: Outgoing,
  readings: readonly TrustedReading[],
  known: { contents: KnownContents; hasher: Hasher },
): Hit[] {
  const dates = joinedDates(outgoing, readings, known.hasher);
  if (dates.length === 0) return [];
  const { length } = outgoing.text;
  const reading = trusted(verbatim(dates.join(" ")), "plain");
  return codesIn(reading, undefined, known).map((hit) => ({
    ...hit,
    span: { start: 0, end: length },
  }));
}

/** Returns false for readings that consist of single characters or of numbers, and not of words of the text. */
function hasWords({ trust }: TrustedReading): boolean {
  return trust !== "scattered" && trust !== "loose";
}

/** Finds codes and runs of words in a part of a reading. */
function solidHits(
  reading: TrustedReading,
  part: Part,
  known: { contents: KnownContents; hasher: Hasher },
): Hit[] {
  const from = Math.max(0, part.first - runLength + 1);
  const tokens = reading.tokens().slice(from, part.last + runLength);
  return [...codesIn(reading, part, known), ...runsIn(reading, tokens, known)];
}

function runsBackwards(
  reading: TrustedReading,
  known: { contents: KnownContents; hasher: Hasher },
): Hit[] {
  return runsIn(reading, reading.tokens().toReversed(), known);
}

/** Limits on short texts in a row that are also read as one text, and on the characters and words of a short text. */
const mostShortTexts = 8;
const shortText = 40;
const shortWords = 3;

const isShort = (text: string): boolean =>
  text.length <= shortText && text.split(/\s+/).length <= shortWords;

/** Characters of a text that is a piece of a code and no question. Other texts may be sent between such texts. */
const loneText = 2;

/** Finds a code or a run of words that is sent as several short texts in a row. */
function inShortTexts(
  { text, earlier }: Outgoing,
  known: { contents: KnownContents; hasher: Hasher },
): Hit[] {
  if (!isShort(text)) return [];
  const before = earlier.slice(-mostShortTexts);
  const first = before.findLastIndex((each) => !isShort(each)) + 1;
  const inRow = before.slice(first);
  const isLone = (each: string): boolean => each.length <= loneText;
  const lone = isLone(text) ? earlier.slice(-mostEarlierTexts).filter(isLone) : [];
  const isSame = lone.length <= inRow.length && inRow.every(isLone);
  return [...inJoined(inRow, text, known), ...(isSame ? [] : inJoined(lone, text, known))];
}

function inJoined(
  before: readonly string[],
  text: string,
  known: { contents: KnownContents; hasher: Hasher },
): Hit[] {
  if (before.length === 0) return [];
  const texts = [...before, text];
  const separated = createSeparator(known);
  return ["", " "].flatMap((separator) => {
    const joined = texts.join(separator);
    const newStart = joined.length - text.length;
    const hits: Hit[] = [];
    for (const [index, reading] of plainReadingsOf(joined).entries()) {
      // A code at the end of a text would run into the next text without the space.
      if (index > 0 || separator === " ") hits.push(...solidHits(reading, wholeOf(reading), known));
      const apart = separator === "" && separated(reading);
      if (!apart) continue;
      const words = trusted(apart, reading.trust);
      hits.push(...solidHits(words, wholeOf(words), known));
    }
    // The earlier texts were compared when they were sent.
    return hits
      .filter(({ span }) => span.end > newStart && span.start < newStart)
      .map((hit) => ({ ...hit, span: { start: 0, end: text.length } }));
  });
}

/** Limit on encoded parts that are joined, each from its own text. */
const mostParts = 8;

/** Finds a code whose encoded text, or whose pieces encoded one by one, are sent in several texts. */
function inEncodedParts(
  { text, earlier }: Outgoing,
  readings: readonly TrustedReading[],
  known: { contents: KnownContents; hasher: Hasher },
): Hit[] {
  const own = piecesOf(text, known.hasher, readings).encoded;
  if (own.length === 0) return [];
  const before = earlier
    .slice(-mostEarlierTexts)
    .flatMap((each) => piecesOf(each, known.hasher).encoded)
    .slice(-mostParts);
  if (before.length === 0) return [];
  const whole = own.join("");
  const last = own.at(-1) ?? "";
  const pairs = before.map((_, at): [string, string] => [before.slice(at).join(""), whole]);
  const each = (parts: readonly string[]): string =>
    parts.map((part) => decodedPart(part) ?? "").join("");
  const hits = pairs.flatMap(([first, second]) => {
    const [, ...decoded] = plainReadingsOf(first + second);
    return decoded
      .flatMap((reading) => solidHits(reading, wholeOf(reading), known))
      .filter(({ span }) => span.end > first.length && span.start < first.length);
  });
  const start = each(before);
  const [joined] = plainReadingsOf(start + each(own));
  const inEach = joined === undefined ? [] : solidHits(joined, wholeOf(joined), known);
  return [
    ...hits,
    ...inEach.filter(({ span }) => span.end > start.length && span.start < start.length),
  ].map((hit) => ({
    ...hit,
    span: { start: text.indexOf(own[0] ?? ""), end: text.lastIndexOf(last) + last.length },
  }));
}

/** Finds a code or a run of words in pieces of a hexadecimal text. */
function inHexPieces(
  outgoing: Outgoing,
  readings: readonly TrustedReading[],
  known: { contents: KnownContents; hasher: Hasher },
): Hit[] {
  const { length } = outgoing.text;
  return joinedHex(outgoing, readings, known.hasher).flatMap(({ text, newPart }) => {
    const reading = trusted(normalised(verbatim(text)), "plain");
    return solidHits(reading, wholeOf(reading), known)
      .filter(({ span }) => span.end > newPart.start && span.start < newPart.end)
      .map((hit) => ({ ...hit, span: { start: 0, end: length } }));
  });
}

/** Fewest characters in a run, counting only words of several characters. A status line has fewer. */
const shortestRun = 13;

function runsIn(
  reading: TrustedReading,
  tokens: readonly Token[],
  { contents, hasher }: { contents: KnownContents; hasher: Hasher },
): Hit[] {
  const hashes = new Int32Array(tokens.length);
  const isKnown = (at: number): boolean => {
    const hash = hasher.token(tokens[at]?.text ?? "");
    hashes[at] = hash;
    return contents.mayHaveWord(hash);
  };
  const hits: Hit[] = [];
  let end = 0;
  // Every run contains one of these words, so that few words of a reading without runs are looked up.
  for (let at = runLength - 1; at < tokens.length; at += runLength) {
    if (at < end || !isKnown(at)) continue;
    let start = at;
    while (start > end && isKnown(start - 1)) start -= 1;
    end = at + 1;
    while (end < tokens.length && isKnown(end)) end += 1;
    for (let first = start; first + runLength <= end; first += 1) {
      const found = contents.withRun(hashes, first);
      if (found.length === 0) continue;
      const hit = runHit(reading, tokens.slice(first, first + runLength), found, contents);
      if (hit !== undefined) hits.push(hit);
    }
  }
  return hits;
}

/** Returns the hit of a run that was found in these items. Undefined if the run proves too little. */
function runHit(
  reading: TrustedReading,
  run: readonly Token[],
  found: readonly number[],
  contents: KnownContents,
): Hit | undefined {
  const terms = run.filter((token) => isWord(token) || token.hasDigit);
  // A run with a single telling word proves no more than that word. Titles have such runs.
  if (terms.length < 2 && !terms.some(({ hasDigit }) => hasDigit)) return undefined;
  const characters = run.reduce((sum, { text: { length } }) => sum + (length > 1 ? length : 0), 0);
  if (characters < shortestRun) return undefined;
  const [one, other] = [run[0], run.at(-1)];
  const span = spanOf(
    reading,
    Math.min(one?.start ?? 0, other?.start ?? 0),
    Math.max(one?.end ?? 0, other?.end ?? 0),
  );
  return {
    kind: "run",
    text: run.map(({ text }) => text).join(" "),
    terms: [...new Set(terms.map(({ text }) => text))],
    span,
    sources: sourcesOf(found, contents),
    isWhole: true,
  };
}

function sourcesOf(found: readonly number[], contents: KnownContents): GivenSource[] {
  return found
    .map((content) => contents.sourceOf(content))
    .filter((source) => source !== undefined);
}

function rareOf(hits: readonly Hit[], frequencies: Frequencies, rarity: Rarity): readonly Hit[] {
  return withoutOverlaps(rareHits(hits, frequencies, rarity));
}

/** Returns the matches in the order of the text, with overlapping ones joined. */
export function withoutOverlaps(matches: readonly Hit[]): readonly Hit[] {
  const bySpan = matches.toSorted((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
  const kept: Hit[] = [];
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
