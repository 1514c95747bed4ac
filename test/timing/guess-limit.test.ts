import { expect, it } from "vitest";
import { createGuessLimit, guessLimits } from "../../src/core/network-limits/guess-limit.ts";
import { takesLess } from "../fixtures/growth.ts";

// Each guess from another network searched all counts, twice for each of three sizes: 1.4 ms of the only thread.
it("counts guesses from thousands of networks in a time that a full table does not change", () => {
  const high = Number.MAX_SAFE_INTEGER;
  const limits = { ...guessLimits, wide: high, region: high, ceiling: high };
  const guesses = createGuessLimit(() => 0, limits);
  let number = 0;
  const guess = (count: number): void => {
    for (const last = number + count; number < last; number += 1) {
      const bytes = [1 + (number >>> 16), (number >>> 8) & 0xff, number & 0xff, 1];
      guesses.failed({ address: bytes.join(".") }, "token");
    }
  };
  guess(guessLimits.remembered + 1);
  expect(takesLess(500, () => guess(3_000))).toBe(true);
});
