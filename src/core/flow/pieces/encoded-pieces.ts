import { matchesInRuns } from "../reading/odd-runs.ts";
import type { Span } from "../reading/reading.ts";
import { remembered } from "../reading/remembered.ts";

/** Ordinary words have no digit, capital or padding, and do not match. */
const mayBePiece =
  /(?<![\w+/=-])(?=[a-z+/_-]*[A-Z\d=])(?:[A-Za-z0-9+/_-]{2,24}={1,2}|(?:[A-Za-z0-9+/_-]{4}){1,6}|[A-Za-z0-9+/_-]{6,23})(?![\w+/=-])/g;
/** Fewest characters of such a word. */
const shortestRun = 3;
/** The characters of codes and addresses. Few words decode to only such characters. */
const pieceForm = /^[\w.@:/+&?=%~ -]{1,20}$/;

/** Decodes short encoded words of a text, and returns the results with their places. */
export function decodedPieces(text: string): { text: string; span: Span }[] {
  const found: { text: string; span: Span }[] = [];
  for (const { run, start, end } of matchesInRuns(text, mayBePiece, shortestRun)) {
    for (const decoded of decodedWord(run)) found.push({ text: decoded, span: { start, end } });
  }
  return found;
}

/** Returns what a word may stand for, as hexadecimal and as base64. */
const decodedWord = remembered(
  (run): readonly string[] => {
    const isHex = /^(?:[2-7][0-9a-f])+$/i.test(run);
    const ways = [...(isHex ? [Buffer.from(run, "hex")] : []), Buffer.from(run, "base64url")];
    return ways
      .map((bytes) => bytes.toString("latin1"))
      .filter((decoded) => pieceForm.test(decoded))
      .map((decoded) => decoded.toLowerCase());
  },
  // A longer word would keep its whole text in memory.
  { texts: 2_000, longest: 12 },
);
