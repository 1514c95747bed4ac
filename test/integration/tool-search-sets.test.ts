import { describe, expect, it } from "vitest";
import { createToolSearch } from "../../src/adapters/stemmer/tool-search.ts";
import { associations } from "../../src/adapters/stemmer/lists/associations.ts";
import { type RequestSet, associationsOf } from "../fixtures/learn-tools.ts";
import { learnedSets, requestSets, unlearnedSets } from "../fixtures/request-sets.ts";

/** Returns the share of requests for which a right tool is among the first ones. */
function shareFound(sets: readonly RequestSet[], first: number): number {
  const found = sets.flatMap(({ tools, requests }) => {
    const search = createToolSearch(tools);
    return requests.map(({ tools: right, request }) => {
      const best = search(request).slice(0, first);
      return right.some((tool) => best.includes(tool));
    });
  });
  return found.filter(Boolean).length / found.length;
}

describe("the search for tools", () => {
  // The words of a set are learned after the first look at it, so that these shares show only that nothing is lost. The
  // first looks found 78 % (office), 87 % (studio), 74 % (house), 45 % (trades), 83 % (wide), 81 % (late), 89 % (last),
  // 83 % (mixed), 77 % (fresh) and 75 % (blind). Later ones found 84 % (workshop and family), 63 % (other languages),
  // 82 % (company), 90 % (depot), 87 % (brief), 88 % (popular) and 96 % (next popular), with whole descriptions. The
  // fixtures have their first sentences, with which the first look at "popular, further" found 93 %.
  it.each(requestSets)(
    "has the right tool among the first five: %s",
    (_name, tools, asked, share) => {
      expect(tools.length).toBeGreaterThanOrEqual(150);
      expect(asked.length).toBeGreaterThanOrEqual(60);
      const found = createToolSearch(tools);
      const missed = asked.filter(({ tools: right, request }) => {
        const first = found(request).slice(0, 5);
        return !right.some((tool) => first.includes(tool));
      });
      expect(1 - missed.length / asked.length, JSON.stringify(missed)).toBeGreaterThanOrEqual(
        share,
      );
    },
  );

  // Most misses share no word with their tool: "did the landlord answer" needs a mailbox. With words and synonyms alone,
  // 77 % of these requests were answered by the first five tools, and 89 % by the first twenty.
  it("answers requests in other words than the tools, which it has not learned from", () => {
    expect(unlearnedSets.flatMap(({ requests }) => requests).length).toBeGreaterThanOrEqual(250);
    expect(shareFound(unlearnedSets, 5)).toBeGreaterThanOrEqual(0.83);
    expect(shareFound(unlearnedSets, 20)).toBeGreaterThanOrEqual(0.92);
  });

  it("has the associations of today's requests, or `npm run tools:learn` must run", () => {
    expect(associations).toEqual(associationsOf(learnedSets));
  });
});
