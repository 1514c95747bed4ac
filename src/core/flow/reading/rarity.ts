import type { Hit } from "../hit.ts";
import type { Frequencies } from "../ledger.ts";
import { isUnspaced } from "./tokens.ts";

/**
 * How rare a hit must be to be a match: in at most `atMost` mails, or in at most this share of all mails in the index.
 */
export interface Rarity {
  /** Numbers, codes, addresses and runs of words. */
  solid: { atMost: number; share: number };
  /** Words. */
  word: { atMost: number; share: number };
  /** The weight that the words of one item must reach together. One rare word is often only the topic. */
  wordsWeight: number;
  /** The same, for a text that contains hardly anything else. */
  wordsWeightAlone: number;
}

/** The choices that the benchmark compares: leaks that are found, and benign calls that need approval. */
export const rarities = {
  strict: {
    solid: { atMost: 5, share: 0.02 },
    word: { atMost: 3, share: 0.002 },
    wordsWeight: 0.7,
    wordsWeightAlone: 0.3,
  },
  balanced: {
    solid: { atMost: 5, share: 0.02 },
    word: { atMost: 3, share: 0.002 },
    wordsWeight: 2,
    wordsWeightAlone: 1.2,
  },
  lenient: {
    solid: { atMost: 2, share: 0.002 },
    word: { atMost: 0, share: 0 },
    wordsWeight: Number.POSITIVE_INFINITY,
    wordsWeightAlone: Number.POSITIVE_INFINITY,
  },
} as const satisfies Record<string, Rarity>;

export const defaultRarity: Rarity = rarities.balanced;

/**
 * How many times more a disguised word weighs. A search for a topic has no disguise, so a word in no list is enough alone.
 */
const disguisedTimes = 3;

/**
 * Returns whether the words of one item have enough weight together. Less is enough for a text that contains hardly
 * anything else.
 * @param elsewhere the weight of the text's words that the item does not have
 */
export function isEnough(
  words: readonly Pick<Hit, "weight" | "isDisguised">[],
  elsewhere: number,
  { wordsWeight, wordsWeightAlone }: Rarity,
): boolean {
  const total = words.reduce(
    (sum, { weight = 0, isDisguised }) =>
      sum + weight * (isDisguised === true ? disguisedTimes : 1),
    0,
  );
  return total >= wordsWeight || (total >= wordsWeightAlone && elsewhere <= total / 9);
}

/** Returns the rare hits. The words of one item count together. */
export function rareHits(
  hits: readonly Hit[],
  frequencies: Frequencies,
  rarity: Rarity,
): readonly Hit[] {
  const words = new Map<string, Hit[]>();
  for (const hit of hits) {
    if (hit.kind !== "word" || !isAtMost(hit, frequencies, rarity.word)) continue;
    const group = words.get(hit.group ?? "") ?? [];
    words.set(hit.group ?? "", group);
    // Short fingerprints are equal by chance, and disguised words are often none. The index has only real words.
    const isReal = hit.isDisguised !== true || frequencies.of(hit.text) > 0;
    group.push(isReal ? hit : { ...hit, isDisguised: false });
  }
  const rareWords = [...words.values()].filter((group) =>
    isEnough(group, group[0]?.elsewhere ?? 0, rarity),
  );
  return [
    ...hits.filter((hit) => hit.kind !== "word" && isAtMost(hit, frequencies, rarity.solid)),
    ...rareWords.flat(),
  ];
}

/** Returns whether a hit is rare enough. Its rarest word decides. A hit without any indexed word is rare. */
function isAtMost(
  { kind, terms }: Hit,
  { mails, of }: Frequencies,
  { atMost, share }: Rarity["solid"],
): boolean {
  const limit = Math.max(atMost, mails * share);
  const counts = terms.map((term) => ({ term, count: of(term) }));
  const known = counts.filter(
    ({ term, count }) => count > 0 || (kind === "run" && isIndexed(term)),
  );
  return known.length === 0 || known.some(({ count }) => count <= limit);
}

/** Returns whether the index counts a word as the text spells it. It has numbers and unspaced scripts in other pieces. */
function isIndexed(term: string): boolean {
  return !/\p{N}/u.test(term) && !isUnspaced({ text: term });
}
