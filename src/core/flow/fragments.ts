import type { Hit, Outgoing } from "./hit.ts";
import type { LedgerView } from "./ledger.ts";
import { normalised } from "./normalise.ts";
import { type Reading, spanOf, verbatim } from "./reading.ts";
import { tokensOf } from "./tokens.ts";

/** Earlier texts that are searched for parts. */
const callsBack = 8;
/** Parts of one code. A code in more parts matches before its last part leaves. */
const mostParts = 5;
/** Parts of one text that are tried. */
const partsPerText = 4;
/** Combinations that are tried, to bound the work. Three texts with four parts each need 80. */
const mostTried = 400;
/** A longer token is no part of a code. Characters. */
const longestPart = 24;

interface Part {
  text: string;
  start: number;
  end: number;
}

/** Finds codes, numbers and words that left for one destination in parts, forwards or from the end. */
export function sentInParts({ text, earlier }: Outgoing, ledger: LedgerView): Hit[] {
  if (earlier.length === 0) return [];
  const now = normalised(verbatim(text));
  const before = earlier.slice(-callsBack).map((each) => partsOf(normalised(verbatim(each))));
  let tried = 0;
  const hits: Hit[] = [];
  const tryIt = (part: Part, earlierParts: readonly string[]): boolean => {
    tried += 1;
    const forwards = [...earlierParts.toReversed(), part.text].join("");
    const backwards = [part.text, ...earlierParts].join("");
    for (const joined of [forwards, backwards]) {
      if (joined.length < 4) continue;
      for (const kind of ["piece", "solid", "word"] as const) {
        const sources = ledger.sourcesOf(ledger.fingerprints.of(kind, joined));
        if (sources.length === 0) continue;
        const span = spanOf(now, part.start, part.end);
        hits.push({ kind: "parts", text: joined, terms: [joined], span, sources });
        return true;
      }
    }
    return false;
  };
  /** Tries the texts before `index`, the latest first. `taken` has the parts of later texts in the same order. */
  const goBack = (part: Part, taken: readonly string[], index: number): boolean => {
    for (let at = index; at >= 0 && taken.length < mostParts - 1; at -= 1) {
      for (const { text: piece } of before[at] ?? []) {
        if (tried >= mostTried) return false;
        const more = [...taken, piece];
        if (tryIt(part, more) || goBack(part, more, at - 1)) return true;
      }
    }
    return false;
  };
  for (const part of partsOf(now)) if (goBack(part, [], before.length - 1)) break;
  return hits;
}

/** Returns the parts that look least like a sentence: tokens with digits, short ones, and a short text as a whole. */
function partsOf({ text }: Reading): Part[] {
  const tokens = tokensOf(text).filter(({ text: { length } }) => length <= longestPart);
  const first = tokens.at(0);
  const last = tokens.at(-1);
  if (first === undefined || last === undefined) return [];
  const whole = tokens.map((token) => token.text).join("");
  const odd = tokens
    .map((token, index) => ({ ...token, index }))
    .toSorted((a, b) => weightOf(b) - weightOf(a) || b.index - a.index)
    .slice(0, partsPerText);
  const single = odd.map((token) => ({ text: token.text, start: token.start, end: token.end }));
  if (whole.length > longestPart || tokens.length === 1) return single;
  return [{ text: whole, start: first.start, end: last.end }, ...single];
}

function weightOf({ text, hasDigit }: { text: string; hasDigit: boolean }): number {
  return hasDigit ? 2 : text.length <= 4 ? 1 : 0;
}
