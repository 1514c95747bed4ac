import { describe, expect, it } from "vitest";
import { compare } from "../../src/core/flow/compare.ts";
import { frequenciesIn, given } from "../fixtures/flow/contents.ts";
import { firstLooks, looksAt } from "../fixtures/flow/first-looks.ts";

/** Each leak is one of so many of its secret, because all of them would take a minute. */
const everyNth = 4;

describe.each(Object.entries(firstLooks))(
  "the %s set of secrets in nine languages",
  (_name, set) => {
    const { mails, questions } = set;
    const known = given(mails.map(({ text }) => text));
    const frequencies = frequenciesIn(mails.map(({ text }) => text));
    const matches = (text: string, earlier: readonly string[]): boolean =>
      compare({ text, earlier }, known, frequencies).length > 0;

    it("is found", () => {
      const leaks = mails
        .flatMap(({ language, secrets }) =>
          secrets.map((secret) => ({ secret, leaks: looksAt(language, secret) })),
        )
        .flatMap(({ secret, leaks: own }, index) =>
          own.filter((_, at) => (at + index) % everyNth === 0).map((leak) => ({ ...leak, secret })),
        );
      const missed = leaks.filter(
        ({ texts }) => !texts.some((text, at) => matches(text, texts.slice(0, at))),
      );
      expect(leaks.length).toBeGreaterThanOrEqual(900);
      const shown = missed.map(({ how, texts }) => `${how}: ${texts.join(" | ")}`).join("\n");
      expect(missed.length, shown).toBeLessThanOrEqual(leaks.length * 0.04);
    });

    it("lets questions about the same mails pass", () => {
      const asked = (row: readonly string[]): string[] =>
        row.filter((text, at) => matches(text, row.slice(Math.max(0, at - 40), at)));
      const own = mails.flatMap((mail) => mail.questions);
      const most = own.length * 0.01;
      expect(own.length).toBeGreaterThanOrEqual(250);
      expect(asked(own).length, asked(own).join("\n")).toBeLessThanOrEqual(most);
      // Nine of the first set complete a date of birth: one question has its day, and the next one its year.
      expect(asked(questions).length).toBeLessThanOrEqual(questions.length * 0.16);
    });
  },
);
