import { describe, expect, it } from "vitest";
import { hiddenCode, hideCodes } from "../../src/ingest/codes/hide-codes.ts";

describe("sign-in codes", () => {
  it("are hidden in a recovery phrase of other scripts and accents", () => {
    const phrases = [
      "苹果 河流 书桌 云朵 钥匙 山谷 雨伞 灯塔",
      "lagarta ponte limão vento garfo maçã trilho",
    ];
    for (const phrase of phrases)
      expect(hideCodes("助记词 / Frase de recuperação", `\n${phrase}\n`).text).not.toContain(
        phrase,
      );
  });

  it("are hidden in Arabic digits", () => {
    expect(hideCodes("Sign in", "Your sign-in code is ٤٨٢٩١٣.").text).toBe(
      `Your sign-in code is ${hiddenCode}.`,
    );
  });

  it("leave the rest of the mail as it was", () => {
    const { subject, text, hidden } = hideCodes(
      "482913 is your Acme code",
      "Hi Ann,\n\nyour sign-in code is 482 913.\n\nOrder 10482913 is on its way.",
    );
    expect(subject).toBe(`${hiddenCode} is your Acme code`);
    expect(text).toBe(
      `Hi Ann,\n\nyour sign-in code is ${hiddenCode}.\n\nOrder 10482913 is on its way.`,
    );
    expect(hidden).toBe(2);
  });

  it("are searched in one pass, however long a line of words is", () => {
    // One pattern over the whole line did not end within a day.
    const line = "garden  monkey  ladder  ".repeat(60);
    const { text, hidden } = hideCodes("Your wallet", `Your recovery phrase:\n${line}!\n`);
    expect(hidden).toBe(0);
    expect(text).toContain("monkey");
  });
});
