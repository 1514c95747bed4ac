import { describe, expect, it } from "vitest";
import { hitsIn } from "../../src/core/flow/compare.ts";
import { NeighbourFilter } from "../../src/core/flow/lists/neighbour-filter.ts";
import { numbers } from "../fixtures/codes.ts";
import { given } from "../fixtures/flow/contents.ts";

/** Words that are no evidence, because they are frequent everywhere. */
const frequent =
  "the of and to in is you that it he was for on are as with his they at be this have from or one had by word but not what all were we when your can said there use an each which she do how their if will up other about out many then them these so some her would make like him into time has look two more go see no way could people my than first water been call who its now find long down day did get come made may part".split(
    " ",
  );
const next = numbers(11);
const words = (count: number): string =>
  Array.from({ length: count }, () => frequent[next(frequent.length)]).join(" ");

describe("runs of words in pieces", () => {
  // The search spent all its steps on words that follow each other in some mail, and never reached the last texts.
  it("are found among words that each follow almost every other word in some mail", () => {
    const known = given([
      ...Array.from({ length: 300 }, () => words(120)),
      `${words(20)} tornmark falkenau ulmerin vestrup gorlund ${words(20)}`,
    ]);
    const earlier = Array.from({ length: 5 }, () => words(15));
    const found = hitsIn(
      {
        text: `${words(12)} ulmerin vestrup gorlund`,
        earlier: [...earlier, `${words(13)} tornmark falkenau`],
      },
      known,
      { mails: 20 },
    );
    expect(found.filter(({ kind }) => kind === "run").map(({ text }) => text)).toEqual([
      "tornmark falkenau ulmerin vestrup gorlund",
    ]);
  });
});

describe("the filter of neighbouring numbers", () => {
  const rows = Array.from({ length: 200 }, () =>
    Uint32Array.from({ length: 500 }, () => next(1 << 24)),
  );
  const filter = new NeighbourFilter();
  for (const row of rows) filter.addAll(row);
  /** Returns which of the rows of two, three and four numbers that begin at a place the filter may have. */
  const isIn = (row: Uint32Array, at: number): boolean[] => {
    const [one = 0, two = 0, three = 0, four = 0] = row.subarray(at, at + 4);
    return [
      filter.mayHave(one, two, 0),
      filter.mayHave(one, two, three),
      filter.mayHaveFour(Int32Array.of(one, two, three, four, 1)),
    ];
  };
  const places = (row: Uint32Array): number[] =>
    Array.from({ length: row.length - 3 }, (_, at) => at);

  it("has all rows of two, three and four numbers", () => {
    const missing = rows.flatMap((row) =>
      places(row).filter((at) => isIn(row, at).includes(false)),
    );
    expect(missing).toEqual([]);
  });

  it("has few rows that were not added", () => {
    const others = Uint32Array.from({ length: 3_000 }, () => next(1 << 24));
    const found = places(others).flatMap((at) => isIn(others, at));
    expect(found.filter(Boolean).length / found.length).toBeLessThan(0.02);
  });
});
