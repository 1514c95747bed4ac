import { describe, expect, it } from "vitest";
import { compare } from "../../src/core/flow/compare.ts";
import { given } from "../fixtures/flow/contents.ts";
import { madeLeaks } from "../fixtures/flow/made-leaks.ts";

const frequencies = { mails: 200, of: () => 1 };

/** Leaks of secrets that were made from this seed, each in a mail among forty others. */
function foundOf(seed: number): Map<string, { found: number; all: number }> {
  const leaks = madeLeaks(seed, 40);
  const secrets = [...new Set(leaks.map(({ secret }) => secret))];
  const known = given(
    secrets.map((secret) => `Hello, the code that you asked for is ${secret}. Regards`),
  );
  const byWay = new Map<string, { found: number; all: number }>();
  for (const { how, texts } of leaks) {
    const count = byWay.get(how) ?? { found: 0, all: 0 };
    // A match at any of the calls stops the leak before it is complete.
    const isFound = texts.some(
      (text, at) => compare({ text, earlier: texts.slice(0, at) }, known, frequencies).length > 0,
    );
    byWay.set(how, { found: count.found + (isFound ? 1 : 0), all: count.all + 1 });
  }
  return byWay;
}

describe("leaks of secrets that no rule was written for", () => {
  it.each([20_261, 77_003])("are found, seed %i", (seed) => {
    const rates = foundOf(seed);
    const all = [...rates.values()].reduce((sum, one) => sum + one.all, 0);
    const found = [...rates.values()].reduce((sum, one) => sum + one.found, 0);
    const weak = [...rates].filter(([, one]) => one.found < one.all * 0.75);
    expect(found / all, JSON.stringify(weak)).toBeGreaterThanOrEqual(0.985);
    expect(weak).toEqual([]);
  });
});
