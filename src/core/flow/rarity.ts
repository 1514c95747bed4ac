import type { Hit } from "./hit.ts";
import type { Frequencies } from "./ledger.ts";

/** How rare a thing must be to count. Shares are of all mails in the index. `atMost` applies to small indexes. */
export interface Rarity {
  /** Numbers, codes, addresses and runs of words. */
  solid: { atMost: number; share: number };
  /** Words. */
  word: { atMost: number; share: number };
  /** How many rare words of one content count. One word is often only the topic. */
  wordsTogether: number;
  /** A smaller index says nothing about words. */
  mailsNeeded: number;
}

/** The settings of which the benchmark shows leaks found against benign questions. */
export const rarities = {
  strict: {
    solid: { atMost: 5, share: 0.02 },
    word: { atMost: 1, share: 0.005 },
    wordsTogether: 1,
    mailsNeeded: 1,
  },
  balanced: {
    solid: { atMost: 5, share: 0.02 },
    word: { atMost: 1, share: 0.002 },
    wordsTogether: 3,
    mailsNeeded: 30,
  },
  lenient: {
    solid: { atMost: 2, share: 0.002 },
    word: { atMost: 0, share: 0 },
    wordsTogether: Number.POSITIVE_INFINITY,
    mailsNeeded: 30,
  },
} as const satisfies Record<string, Rarity>;

export const defaultRarity: Rarity = rarities.balanced;

export function isRare(
  hit: Hit,
  all: readonly Hit[],
  frequencies: Frequencies,
  rarity: Rarity,
): boolean {
  if (hit.kind !== "word") return isAtMost(hit, frequencies, rarity.solid);
  if (!isRareWord(hit, frequencies, rarity)) return false;
  const words = all.filter(
    (other) => other.kind === "word" && isRareWord(other, frequencies, rarity),
  );
  return hit.sources.some(({ id }) => {
    const same = words.filter(({ sources }) => sources.some((source) => source.id === id));
    return new Set(same.map(({ text }) => text)).size >= rarity.wordsTogether;
  });
}

function isRareWord(hit: Hit, frequencies: Frequencies, rarity: Rarity): boolean {
  return frequencies.mails >= rarity.mailsNeeded && isAtMost(hit, frequencies, rarity.word);
}

/** Returns whether the rarest word of a hit is rare enough: one rare word makes a run rare. */
function isAtMost(
  { terms }: Hit,
  { mails, of }: Frequencies,
  { atMost, share }: Rarity["solid"],
): boolean {
  const known = terms.map(of).filter((count) => count > 0);
  return Math.min(...known) <= Math.max(atMost, mails * share) || known.length === 0;
}
