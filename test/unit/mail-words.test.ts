import { describe, expect, it } from "vitest";
import { readQuery } from "../../src/adapters/libsql/search-query.ts";
import { ftsAny, ftsQuery, searchable } from "../../src/adapters/libsql/search-text.ts";
import { hitPattern, snippetOf } from "../../src/adapters/libsql/snippet.ts";

const query = (text: string): string => ftsQuery(readQuery(text).groups);

describe("text for the index of words", () => {
  it.each([
    ["plain words", "plain words"],
    ["東京都", " 東京 京都 都 "],
    ["本", " 本 "],
    ["iPhone用ケース", "iPhone 用ケ ケー ース ス "],
    ["ｶﾞｽ ＡＢＣ", " ガス ス  ABC"],
    ["สวัสดี", " สว วั ัส สด ดี ี "],
  ])("%s becomes %s", async (text, words) => {
    expect(await searchable(text)).toBe(words);
  });
});

describe("a query", () => {
  it.each([
    ["blue lamp", '"blue" AND "lamp"*'],
    ['"blue lamp"', '"blue lamp"'],
    ["東京都", '"東京 京都"'],
    ["本", '"本"*'],
    ["a", '"a"'],
    ['AND OR NEAR(a* -" ^b:c)', '("AND" OR "NEAR(a*") AND "^b:c)"*'],
    ["OR lamp", '"OR" AND "lamp"*'],
    ["lamp OR", '"lamp"*'],
    ["red lamp OR chair", '"red" AND ("lamp" OR "chair"*)'],
    ["red AND lamp", '"red" AND "lamp"*'],
    ["🎉 OR lamp", '"lamp"*'],
    ["lamp OR from:bob", '("lamp" OR {sender} : "bob"*)'],
    ['from:bob OR from:"Al" OR lamp', '({sender} : "bob"* OR {sender} : "Al" OR "lamp"*)'],
    ["(red OR blue) lamp", '("red" OR "blue)") AND "lamp"*'],
    ['subject:"blue lamp"', '{subject} : "blue lamp"'],
    ["subject: lamp", '"subject:" AND "lamp"*'],
    ["re:lamp from:", '"re:lamp" AND "from:"*'],
    ["has:wings before:noon", '"has:wings" AND "before:noon"*'],
    ["la", '"la"'],
    ['it"s', '"it" AND "s"'],
    ["!!! ...", ""],
    ["", ""],
  ])("%s becomes %s", (text, expression) => {
    expect(query(text)).toBe(expression);
  });
});

describe("the fields of a query", () => {
  it("are told from its words [mail.query]", () => {
    const query = readQuery(
      'lamp FROM:"Ann Lee" -from:bob to:me@x.example -to:all has:attachment after:2026-01-02 before:2026-02-03 -chair -subject:red',
    );
    expect(query).toMatchObject({
      from: [["Ann Lee"]],
      notFrom: ["bob"],
      to: [["me@x.example"]],
      notTo: ["all"],
      hasAttachment: true,
      after: new Date("2026-01-02"),
      before: new Date("2026-02-03"),
    });
    expect(ftsQuery(query.groups)).toBe('"lamp"');
    expect(ftsAny(query.without)).toBe('"chair" OR {subject} : "red"');
  });
});

describe("a snippet", () => {
  const snippet = (text: string, words: string): string | undefined =>
    snippetOf(text, hitPattern(readQuery(words).groups.flat())!);

  it.each([
    ["the Café is open", "cafe", "the Café is open"],
    ["a STRASSE b", "strasse", "a STRASSE b"],
    ["東京都に住む", "京都", "東京都に住む"],
    ["half a word: lamplight", "lamp", "half a word: lamplight"],
    ["nothing here", "lamp", undefined],
    ["lamplight lamp", '"lamp"', "lamplight lamp"],
  ])("of %j with %j", (text, words, found) => {
    expect(snippet(text, words)).toBe(found);
  });

  it("shows the hit in the middle of a long text", () => {
    const text = `${"before ".repeat(100)}needle ${"after ".repeat(100)}`;
    const found = snippet(text, "needle");
    expect(found).toMatch(/^…before .*needle after .*…$/);
    expect(found!.length).toBeLessThan(220);
  });
});
