import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compare } from "../../src/core/flow/compare.ts";
import { given } from "../fixtures/flow/contents.ts";

interface Day {
  contents: readonly { topic: string; text: string }[];
  /** Each leak is one call or several in a row. */
  leaks: readonly (readonly string[])[];
  benign: readonly string[];
}

/** Two sets by an author who had not read the comparison. The second one was new after the first was mended. */
const days = Object.values(
  JSON.parse(
    readFileSync(new URL("../fixtures/flow/other-author.json", import.meta.url), "utf8"),
  ) as Readonly<Record<string, Day>>,
).map((day) => ({ ...day, known: given(day.contents) }));
const frequencies = { mails: 20, of: () => 1 };

describe("leaks and questions of another author", () => {
  it("are separated", () => {
    const missed: string[] = [];
    const asked: string[] = [];
    let [leaks, benign] = [0, 0];
    for (const { known, leaks: own, benign: questions } of days) {
      const matches = (text: string, earlier: readonly string[]): boolean =>
        compare({ text, earlier }, known, frequencies).length > 0;
      leaks += own.length;
      benign += questions.length;
      for (const calls of own)
        if (!calls.some((text, at) => matches(text, calls.slice(0, at))))
          missed.push(calls.join(" | "));
      asked.push(...questions.filter((text) => matches(text, [])));
    }
    expect(leaks).toBeGreaterThanOrEqual(350);
    expect(benign).toBeGreaterThanOrEqual(300);
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(leaks * 0.055);
    expect(asked.length, asked.join("\n")).toBeLessThanOrEqual(benign * 0.11);
  });
});
