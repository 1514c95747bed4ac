import type { TextRange } from "../found.ts";
import { examine } from "./features.ts";
import { packedWeights } from "./weights.ts";

/** The sum of weights from which a candidate counts as a code. Chosen for few wrong ones. */
const enough = 0.25;
/** Each candidate over this number asks for a higher sum: lists and logs are no mail about a code. */
const usualCandidates = 4;
const forEachCandidate = 0.25;
/** Each further thousand characters asks for a higher sum. */
const usualCharacters = 1_500;
const forThousandCharacters = 0.5;
/** Below this sum a candidate is no code, even if a rule says so. */
const tooLittle = -2.5;
/** One unit of a stored weight. */
export const weightUnit = 1 / 32;

/** One signed byte for each place of a feature. */
export type Weights = Int8Array;

const learned: Weights = new Int8Array(Buffer.from(packedWeights.join(""), "base64"));

export interface Learned {
  /** Codes, passwords and links. */
  found: readonly TextRange[];
  /** Returns whether a place that a rule found is something else. */
  denies: (place: TextRange) => boolean;
}

/**
 * Judges candidates by weights that were learned from the messages in `test/fixtures/codes`. They know wordings that no
 * rule names. `npm run codes:learn` writes them.
 */
export function judgeLearned(subject: string, text: string, weights: Weights = learned): Learned {
  const judged = examine(subject, text).map(({ start, end, features }) => {
    let sum = 0;
    for (const place of features) sum += weights[place] ?? 0;
    return { start, end, sum: sum * weightUnit };
  });
  const needed =
    enough +
    Math.max(0, judged.length - usualCandidates) * forEachCandidate +
    Math.max(0, (text.length - usualCharacters) / 1_000) * forThousandCharacters;
  return {
    found: judged.filter(({ sum }) => sum >= needed),
    denies: ({ start, end }) =>
      judged.some((one) => one.start <= start && one.end >= end && one.sum < tooLittle),
  };
}
