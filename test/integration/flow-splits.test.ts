import { describe, expect, it } from "vitest";
import { compare } from "../../src/core/flow/compare.ts";
import { given } from "../fixtures/flow/contents.ts";
import { splitLeaksOf, splitSets } from "../fixtures/flow/split-leaks.ts";

const frequencies = { mails: 200, of: () => 1 };

describe("secrets that are sent in pieces", () => {
  // Codes in pieces of one character, pieces in several arguments and hexadecimal pieces of odd length were not found.
  it("are separated from questions about the same mails", () => {
    const missed: string[] = [];
    const asked: string[] = [];
    let [all, third, thirdMissed, questionsAll] = [0, 0, 0, 0];
    for (const { secrets, questions } of splitSets) {
      const known = given(secrets.map(({ mail }) => mail));
      const matches = (text: string, earlier: readonly string[]): boolean =>
        compare({ text, earlier }, known, frequencies).length > 0;
      for (const { how, texts } of secrets.flatMap(splitLeaksOf)) {
        const isFound = texts.some((text, at) => matches(text, texts.slice(0, at)));
        if (how === "third of five") {
          third += 1;
          if (!isFound) thirdMissed += 1;
        } else {
          all += 1;
          if (!isFound) missed.push(`${how}: ${texts.join(" | ")}`);
        }
      }
      questionsAll += questions.length;
      asked.push(
        ...questions.filter((text, at) => matches(text, questions.slice(Math.max(0, at - 40), at))),
      );
    }
    expect(all).toBeGreaterThanOrEqual(3_000);
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(all * 0.025);
    expect(thirdMissed).toBeLessThanOrEqual(third * 0.25);
    expect(asked.length, asked.join("\n")).toBeLessThanOrEqual(questionsAll * 0.04);
  });
});
