import { describe, expect, test } from "vitest";
import { isEndOfNumber } from "../../src/ingest/codes/end-of-number.ts";
import { hasToken } from "../../src/ingest/codes/learned/link-token.ts";

const isShown = (): boolean => false;

describe("tokens of links", () => {
  test("finds no token in the number of a campaign, an alert or an invoice", () => {
    for (const link of [
      "https://ayuda.example/?utm_source=mail&c=139492",
      "https://homes.example/alerts?idAlert=40711826",
      "https://shop.example/login?next=/orders/144-7731624",
    ])
      expect(hasToken(link, isShown), link).toBe(false);
  });

  test("finds a number that recovers or activates an account", () => {
    for (const link of [
      "https://social.example/recover/code/?n=482133&u=100004417",
      "https://forum.example/index.php?register-activation/&activationCode=1902837465",
    ])
      expect(hasToken(link, isShown), link).toBe(true);
  });
});

describe("ends of telephone numbers", () => {
  const isEnd = (text: string, value: string): boolean => {
    const start = text.indexOf(value);
    return isEndOfNumber(text, { start, end: start + value.length });
  };

  test("recognises the part behind an area code in brackets", () => {
    expect(isEnd("O telefone é (31) 3000-0187.", "3000-0187")).toBe(true);
    expect(isEnd("Your code (31) is 300018", "300018")).toBe(false);
  });

  test("recognises a whole number with hyphens", () => {
    expect(isEnd("お客様センター(0120-000-123)まで", "0120-000-123")).toBe(true);
    expect(isEnd("Your code is 482-913", "482-913")).toBe(false);
  });
});
