import type { Hasher } from "./hasher.ts";
import type { KnownContents } from "./known-contents.ts";
import { runLength } from "./mark-hashes.ts";
import type { GivenSource } from "./ledger.ts";
import { normalisedText } from "./reading/normalise.ts";
import { tokensOf } from "./reading/tokens.ts";

/** A part of an argument, and the item by another writer in which the caller first read it. */
export interface Origin {
  argument: string;
  part: string;
  source: GivenSource;
}

/** The part of an argument that is looked up. Characters. */
const longestValue = 4_000;
/** Shorter values occur in too many texts to prove anything. Characters without separators. */
const shortestValue = 4;
/** Characters of a code that is looked up alone. */
const shortestCode = 6;
/** A value that occurs in more items is an ordinary word. */
const mostContents = 5;

/** Finds the arguments that come from items by other writers. Values that the owner wrote have no origin. */
export function originsOf(
  args: Readonly<Record<string, unknown>>,
  { contents, hasher }: { contents: KnownContents; hasher: Hasher },
): Origin[] {
  return Object.entries(args).flatMap(([argument, value]) => {
    if (typeof value !== "string" && typeof value !== "number") return [];
    const text = String(value).slice(0, longestValue);
    for (const part of partsOf(text)) {
      const source = sourceOf(part, contents, hasher);
      if (source !== undefined) return [{ argument, part, source }];
    }
    return [];
  });
}

/** Returns a value, the time of day in it, and its codes. A mail rarely has a time together with its date. */
function partsOf(text: string): string[] {
  const [time] = /(?<=T)\d{2}:\d{2}/.exec(text) ?? [];
  const codes = tokensOf(text).filter(
    (token) => token.hasDigit && token.text.length >= shortestCode,
  );
  return [text, ...(time === undefined ? [] : [time]), ...codes.map((token) => token.text)];
}

function sourceOf(part: string, contents: KnownContents, hasher: Hasher): GivenSource | undefined {
  const tokens = tokensOf(normalisedText(part));
  const hashes = tokens.map(({ text }) => hasher.token(text));
  const length = tokens.reduce((sum, { text }) => sum + text.length, 0);
  if (length < shortestValue) return undefined;
  const found =
    hashes.length >= runLength
      ? runsIn(hashes, contents)
      : contents.withTokens(hashes, mostContents + 1);
  if (found.length === 0 || found.length > mostContents) return undefined;
  const sources = found
    .map((content) => contents.sourceOf(content))
    .filter((source) => source !== undefined);
  // A text of the owner remains the owner's if another writer quotes it.
  if (sources.some(({ writtenBy }) => writtenBy === "owner")) return undefined;
  return sources.toSorted((a, b) => a.at.getTime() - b.at.getTime())[0];
}

function runsIn(hashes: readonly number[], contents: KnownContents): readonly number[] {
  for (let first = 0; first + runLength <= hashes.length; first += 1) {
    const found = contents.withRun(hashes, first);
    if (found.length > 0) return found;
  }
  return [];
}
