import { describe, expect, it } from "vitest";
import { clausesOf, termsOf } from "../../src/adapters/libsql/search/search-expression.ts";
import { readQuery } from "../../src/adapters/libsql/search/search-query.ts";
import { hitPatterns, snippetOf } from "../../src/adapters/libsql/search/snippet.ts";
import { longestTurn } from "../fixtures/growth.ts";

const now = new Date("2026-03-31T10:00:00Z");

describe("a snippet", () => {
  const snippet = (
    text: string,
    words: string,
    work = { left: 2_500_000 },
  ): Promise<string | undefined> =>
    snippetOf(text, hitPatterns(termsOf(clausesOf(readQuery(words, now).expression))), work);

  it.each([
    ["the Café is open", "cafe", "the Café is open"],
    ["a STRASSE b", "strasse", "a STRASSE b"],
    ["東京都に住む", "京都", "東京都に住む"],
    ["half a word: lamplight", "lamp", "half a word: lamplight"],
    ["nothing here", "lamp", undefined],
    ["lamplight lamp", '"lamp"', "lamplight lamp"],
    ["Straße", "strasse", "Straße"],
    ["STRASSE", "straße", "STRASSE"],
    ["Łódź, Ørsted", '"lodz orsted"', "Łódź, Ørsted"],
    ["אמר שָׁלוֹם", '"שלום"', "אמר שָׁלוֹם"],
    ["مُحَمَّد", '"محمد"', "مُحَمَّد"],
    ["请查收invoice附件", '"invoice"', "请查收invoice附件"],
    ["iPhone用ケース", '"iphone"', "iPhone用ケース"],
    ["lamp", "chair OR (lamp from:ann)", "lamp"],
    // Each letter takes two units of UTF-16, and the first hit is a part of a word.
    ["\u{10300}\u{10301} \u{10300}", '"\u{10300}"', "\u{10300}\u{10301} \u{10300}"],
  ])("of %j with %j", async (text, words, found) => {
    expect(await snippet(text, words)).toBe(found);
  });

  // One letter may fold into eighteen, so that a query made a pattern of 2.5 million characters.
  it("has a pattern of bounded length, and still shows the hit", async () => {
    const words = "\uFDFA".repeat(1_000);
    const [pattern] = hitPatterns(termsOf(clausesOf(readQuery(words, now).expression)));
    expect(pattern?.letters.source.length).toBeLessThan(200_000);
    expect(await snippet(words, words)).toContain("\u0635\u0644\u0649");
  });

  // The index takes these for other words, so that showing them would show no hit.
  it.each([
    ["école", '"cole"'],
    ["need\u200Dle", '"need"'],
    ["мои", '"мой"'],
    ["カス", "ガス"],
    ["ガス", "カス"],
    ["십", "시"],
    ["กรง", "กรุง"],
    ["कि", '"क"'],
  ])("of %j with %j is absent", async (text, words) => {
    expect(await snippet(text, words)).toBeUndefined();
  });

  it("shows the hit in the middle of a long text", async () => {
    const text = `${"before ".repeat(100)}needle ${"after ".repeat(100)}`;
    const found = await snippet(text, "needle");
    expect(found).toMatch(/^…before .*needle after .*…$/);
    expect(found!.length).toBeLessThan(220);
  });

  it.each([1_990, 1_998, 2_000, 2_199, 3_995, 4_001])(
    "of a hit across two pieces of a long text is found, whole (%i)",
    async (at) => {
      const text = `${"x".repeat(at - 1)} blue lamp ${"y ".repeat(3_000)}`;
      expect(await snippet(text, '"blue lamp"')).toMatch(/^….*blue lamp y y.*…$/);
      expect(await snippet(text, '"lue lamp"')).toBeUndefined();
      expect(await snippet(`${"x".repeat(at)}lamp${"x".repeat(9_000)}`, '"lamp"')).toBeUndefined();
    },
  );

  // Fifty messages of U+FDFA, which folds into 18 letters, and one search blocked all other callers for 22 seconds.
  it("is searched within its limit, and lets other work run", async () => {
    const text = "\uFDFA".repeat(600_000);
    let work = { left: 0 };
    const { ms, result } = await longestTurn(() => {
      work = { left: 400_000 };
      return snippet(text, "lamp chair table", work);
    }, 50);
    expect(result).toBeUndefined();
    expect(work.left).toBeLessThanOrEqual(0);
    expect(work.left).toBeGreaterThan(-100_000);
    expect(ms).toBeLessThan(50);
  });

  // Each search counted its own characters, and each text anew: twenty searches kept others waiting for 1.5 seconds.
  it("of many texts lets other work run as often as that of one long text", async () => {
    const search = () =>
      Promise.all(
        Array.from({ length: 10 }, async () => {
          for (let text = 0; text < 20; text += 1)
            await snippet("\uFDFA".repeat(1_500), "lamp", { left: 30_000 });
        }),
      );
    expect((await longestTurn(search, 50)).ms).toBeLessThan(50);
  });
});
