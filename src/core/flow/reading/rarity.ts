import type { Hit } from "../hit.ts";
import type { Frequencies } from "../ledger.ts";

/** How rare a hit must be to count: in at most `atMost` mails, or in this share of all mails in the index. */
export interface Rarity {
  /** Numbers, codes, addresses and runs of words. */
  solid: { atMost: number; share: number };
  /** Words. */
  word: { atMost: number; share: number };
  /** Rare words of one content that are a match together. One word is often only the topic. */
  wordsTogether: number;
  /** Mails in the index. A smaller index says nothing about words. */
  mailsNeeded: number;
}

/** The choices that the benchmark compares: leaks that are found against benign calls that are asked about. */
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

/** Returns whether a hit is rare enough. The rarest of its words decides. A hit without any indexed word is rare. */
function isAtMost(
  { terms }: Hit,
  { mails, of }: Frequencies,
  { atMost, share }: Rarity["solid"],
): boolean {
  const known = terms.map(of).filter((count) => count > 0);
  return Math.min(...known) <= Math.max(atMost, mails * share) || known.length === 0;
}
