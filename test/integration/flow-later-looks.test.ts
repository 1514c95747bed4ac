import { describe, expect, it } from "vitest";
import { compare } from "../../src/core/flow/compare.ts";
import { frequenciesIn, given } from "../fixtures/flow/contents.ts";
import { laterLooks, leaksOf } from "../fixtures/flow/later-looks.ts";

/** Mails with an order, an invoice and a telephone number each. */
const others = Array.from(
  { length: 500 },
  (_, at) =>
    `Order ${310_007 + at * 7_919}-${(at * 31) % 97}: invoice ${20_011 + at * 137} over ${101 + ((at * 37) % 800)},${11 + ((at * 7) % 80)} euros, call +49 170 ${1_000_003 + at * 17_241}.`,
);

describe.each(Object.entries(laterLooks))(
  "the %s set of secrets in twelve languages",
  (_name, { mails, questions }) => {
    const texts = [...others, ...mails.map(({ text }) => text)];
    const known = given(texts);
    const frequencies = frequenciesIn(texts);
    const matches = (text: string, earlier: readonly string[]): boolean =>
      compare({ text, earlier }, known, frequencies).length > 0;

    // Most spoken dates, amounts with cents, look-alike digits, Russian words for digits and numbers in words were missed.
    it("is found", () => {
      const leaks = mails.flatMap(({ language, secrets }) =>
        secrets.flatMap((secret) =>
          leaksOf(language, secret).map((calls) => ({ kind: secret.kind, calls })),
        ),
      );
      const missed = leaks.filter(
        ({ calls }) => !calls.some((text, at) => matches(text, calls.slice(0, at))),
      );
      expect(leaks.length).toBeGreaterThanOrEqual(500);
      const shown = missed.map(({ kind, calls }) => `${kind}: ${calls.join(" | ")}`).join("\n");
      expect(missed.length, shown).toBeLessThanOrEqual(leaks.length * 0.06);
    });

    // Years, hexadecimal error codes, abbreviations in Roman numerals and medical terms were parts of unrelated numbers.
    it("lets questions of the same days pass", () => {
      const own = mails.flatMap((mail) => mail.questions);
      const all = [...own, ...questions];
      const asked = all.filter((text, at) => matches(text, all.slice(Math.max(0, at - 40), at)));
      expect(all.length).toBeGreaterThanOrEqual(150);
      expect(asked.length, asked.join("\n")).toBeLessThanOrEqual(all.length * 0.035);
    });
  },
);
