import { expect, it } from "vitest";
import { createHasher } from "../../src/core/flow/hasher.ts";
import { createJoiner } from "../../src/core/flow/pieces/joined-singles.ts";
import { piecesOf } from "../../src/core/flow/pieces/pieces.ts";

// The joined pieces of two texts were remembered without their distance, so a result depended on earlier comparisons.
it("a character and a piece prove less if a text was sent between them, also after a comparison without it", () => {
  const hasher = createHasher(Buffer.alloc(32, 7));
  const [first, between, last] = ["about 47 boats", "the weather today", "plan 9 films"].map(
    (text) => piecesOf(text, hasher),
  );
  if (first === undefined || between === undefined || last === undefined) throw new Error();
  const bitsOf = (texts: readonly (typeof first)[]): number[] =>
    createJoiner(
      texts,
      () => true,
      hasher,
    )(texts.length - 1)
      .filter(({ text }) => text === "479")
      .map(({ bits }) => bits);
  const [near = Number.NaN] = bitsOf([first, last]);
  expect(bitsOf([first, between, last])).toEqual([near - 1]);
});
