import { describe, expect, it } from "vitest";
import { CodePairs } from "../../src/core/flow/code-pairs.ts";

/** Numbers that look random and are the same in every run (Numerical Recipes' generator). */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** Returns how many characters of a code are in pairs that were sent. */
function coveredBy(sent: ReadonlySet<number>, code: readonly number[]): number {
  const characters = code.flatMap((pair, at) => (sent.has(pair) ? [at, at + 1] : []));
  return new Set(characters).size;
}

describe("the codes that were sent in pieces", () => {
  // The search keeps the best codes and ends early, so it is compared with sorting all of them.
  it.each([1, 2, 3, 4, 5])(
    "are those with the largest shares, the newest first, seed %i",
    (seed) => {
      const roll = dice(seed);
      const codes = Array.from({ length: 400 }, () =>
        Array.from({ length: 3 + roll(8) }, () => roll(12)),
      );
      const known = new CodePairs();
      for (const code of codes) known.addCode(Uint16Array.from(code), 0, true);
      const sent = new Set(Array.from({ length: 4 + seed }, () => roll(12)));
      const now = [...sent].slice(0, 2);
      const [needed, most] = [4, 10];
      const isCurrent = (code: number): boolean => code % 7 !== 0;
      const best = codes
        .map((pairs, code) => ({ code, pairs, covered: coveredBy(sent, pairs) }))
        .filter(({ code, pairs }) => isCurrent(code) && now.some((pair) => pairs.includes(pair)))
        .filter(({ covered }) => covered >= needed)
        .toSorted(
          (one, other) =>
            other.covered / (other.pairs.length + 1) - one.covered / (one.pairs.length + 1) ||
            other.code - one.code,
        )
        .slice(0, most)
        .map(({ code }) => code)
        .toSorted((one, other) => other - one);
      expect(best).toHaveLength(most);
      expect(
        known.codesOf(
          {
            now: now.map((pair) => [pair]),
            hasLeft: (pair) => sent.has(pair),
            fewest: () => needed,
            most,
            mostPlaces: 100_000,
          },
          { isCurrent, forEachSeed: () => false },
        ),
      ).toEqual(best);
    },
  );
});
