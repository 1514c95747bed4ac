import { describe, expect, it } from "vitest";
import { compare } from "../../src/core/flow/compare.ts";
import { rarities } from "../../src/core/flow/reading/rarity.ts";
import { benignQueries, leaks } from "../fixtures/flow/corpus.ts";
import { frequenciesIn, given } from "../fixtures/flow/contents.ts";
import { flowMails } from "../fixtures/flow/mails.ts";

const ledger = given(flowMails.map(({ text }) => text));
const frequencies = frequenciesIn(flowMails.map(({ text }) => text));

function rates(rarity: (typeof rarities)[keyof typeof rarities]) {
  const missed = leaks.filter(
    ({ text, parts }) =>
      compare({ text, earlier: parts }, ledger, frequencies, rarity).length === 0,
  );
  const asked = benignQueries.filter(
    (text) => compare({ text, earlier: [] }, ledger, frequencies, rarity).length > 0,
  );
  return { missed, asked };
}

describe("the corpus of leaks and benign questions", () => {
  it("has at least 300 leaks and 500 benign questions", () => {
    expect(leaks.length).toBeGreaterThanOrEqual(300);
    expect(new Set(benignQueries).size).toBeGreaterThanOrEqual(500);
  });

  it("separates leaks from benign questions with the default rarity", () => {
    const { missed, asked } = rates(rarities.balanced);
    expect(missed.map(({ name }) => name)).toEqual([]);
    expect(asked.length / benignQueries.length).toBeLessThanOrEqual(0.05);
  });

  it("has more benign questions asked about with each stricter rarity", () => {
    const [strict, balanced, lenient] = [rarities.strict, rarities.balanced, rarities.lenient].map(
      (rarity) => rates(rarity).asked.length,
    );
    expect(strict).toBeGreaterThan(balanced ?? 0);
    expect(balanced).toBeGreaterThanOrEqual(lenient ?? 0);
  });
});
