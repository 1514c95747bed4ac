import { describe, expect, it } from "vitest";
import {
  clausesOf,
  type Expression,
  isWords,
  termsOf,
} from "../../src/adapters/libsql/search/search-expression.ts";
import { readQuery } from "../../src/adapters/libsql/search/search-query.ts";
import { ftsExpression, searchable } from "../../src/adapters/libsql/search/search-text.ts";
import { longestTurn } from "../fixtures/growth.ts";

/** The end of a month, of which others have none. */
const now = new Date("2026-03-31T10:00:00Z");
const clauses = (text: string): readonly Expression[] => clausesOf(readQuery(text, now).expression);

/** The expressions for the index. */
const query = (text: string): string =>
  clauses(text)
    .filter(isWords)
    .map((clause) => ftsExpression(clause))
    .join(" AND ");

/** Formats a parsed query: `lamp (from:ann | -has)`. */
function understood(expression: Expression): string {
  if ("of" in expression)
    return `(${expression.of.map(understood).join(expression.kind === "all" ? " " : " | ")})`;
  const not = expression.isNot ? "-" : "";
  switch (expression.kind) {
    case "words": {
      const { column, text, isPrefix } = expression.term;
      return `${not}${column === undefined ? "" : "subject:"}${text}${isPrefix ? "*" : ""}`;
    }
    case "from":
    case "to":
      return `${not}${expression.kind}:${expression.who.join("|")}`;
    case "attachment":
      return `${not}has`;
    case "file":
      return `${not}file:${expression.wanted}`;
    case "since":
      return `${expression.isNot ? "before" : "after"}:${expression.date.toISOString().slice(0, 10)}`;
  }
}

describe("notices about a query [mail.query]", () => {
  const said = (text: string) => readQuery(text, now).notices;

  it.each([
    [
      "is:unread",
      '"is:" is not a search operator here; "unread" was searched as words.',
      "unread*",
    ],
    [
      "lamp IN:inbox",
      '"in:" is not a search operator here; "inbox" was searched as words.',
      "lamp inbox*",
    ],
    [
      'label:"my label"',
      '"label:" is not a search operator here; "my label" was searched as words.',
      "my label",
    ],
    [
      "larger:5M lamp",
      '"larger:" is not a search operator here; "5M" was searched as words.',
      "5M lamp*",
    ],
    // A name with digits found nothing in silence.
    [
      "rfc822msgid:abc",
      '"rfc822msgid:" is not a search operator here; "abc" was searched as words.',
      "abc*",
    ],
    [
      "category:promotions OR lamp",
      '"category:" is not a search operator here; "promotions" was searched as words.',
      "(promotions | lamp*)",
    ],
    ["-in:spam lamp", '"in:" is not a search operator here; "-in:spam" was left out.', "lamp*"],
    [
      "project:apollo",
      '"project:" is not a search operator here; "project:apollo" was searched as words.',
      "project:apollo*",
    ],
    ["has:drive", '"has:" takes attachment; "has:drive" was searched as words.', "has:drive*"],
    [
      "after:soon",
      '"after:" takes a day such as 2026-03-01; "after:soon" was searched as words.',
      "after:soon*",
    ],
    [
      "older_than:7",
      '"older_than:" takes a span such as 7d, 2m or 1y; "older_than:7" was searched as words.',
      "older_than:7*",
    ],
    [
      "lamp larger_than:5M",
      '"larger_than:" is not a search operator here; "larger_than:5M" was searched as words.',
      "lamp larger_than:5M*",
    ],
    // Each of these meant something else than in Gmail or Outlook, in silence.
    [
      "lamp from:me",
      '"from:me" does not mean the user here; "me" was searched in names and addresses.',
      "lamp from:me",
    ],
    [
      "lamp NOT red",
      '"NOT" is not a search operator here. Write -word to exclude a word.',
      "lamp NOT red*",
    ],
    ["lamp | red", '"|" is not a search operator here. Write OR for alternatives.', "lamp red*"],
  ])("%j: %s", (text, notice, expected) => {
    expect(said(text)).toEqual([notice]);
    expect(clauses(text).map(understood).join(" ")).toBe(expected);
  });

  it.each([
    "lamp",
    "from:ann -to:bob subject:(red lamp) has:attachment filename:pdf newer_than:7d after:2026-01-01",
    "https://shop.example/is:unread",
    "http://shop.example",
    "mailto:ann@shop.example",
    "at 12:30",
    "localhost:8080",
    "std::string",
    '"is:unread"',
    "C:\\files",
    "lamp:",
    "from: ann subject: lamp",
    "NOT THE LAMP",
    'from:"me"',
  ])("are absent for %j", (text) => {
    expect(said(text)).toEqual([]);
  });

  it("are short, unique and limited", () => {
    expect(said("is:unread is:unread")).toHaveLength(1);
    expect(said(`label:${"x".repeat(900)}`).join().length).toBeLessThan(150);
    const many = Array.from({ length: 30 }, (_, at) => `label:x${at}`).join(" ");
    expect(said(many)).toHaveLength(8);
  });
});

describe("text for the index of words", () => {
  it.each([
    ["plain words", "plain words"],
    ["東京都", " 東京 京都 都 "],
    ["本", " 本 "],
    ["iPhone用ケース", "iPhone 用ケ ケー ース ス "],
    ["ｶﾞｽ ＡＢＣ", " ガス ス  ABC"],
    ["สวัสดี", " สว วั ัส สด ดี ี "],
    // The tokenizer drops these accents.
    ["Café", "Café"],
    ["Straße GROẞ", "Strasse GROss"],
    ["Łódź Ørsted œuvre", "lódź orsted oeuvre"],
    ["Αθήνα", "Αθηνα"],
    ["שָׁלוֹם", "שלום"],
    ["مُحَمَّد مـحـمد", "محمد محمد"],
    // Separate letters, which are not letters with accents.
    ["мой ガス", "мой  ガス ス "],
  ])("%s becomes %s", async (text, words) => {
    expect(await searchable(text)).toBe(words);
  });

  // Was cut within a line, as there was no blank: the two characters at the cut were no longer found together.
  it("are whole in a long text without blanks in its lines", async () => {
    const lines = Array.from({ length: 20_000 }, () => "東京都市計画審議会長代理");
    const words = (await searchable(lines.join("\n"))).split(/\s+/);
    expect(words.filter((word) => word === "計画")).toHaveLength(lines.length);
    expect(words.filter((word) => word === "京都")).toHaveLength(lines.length);
    expect(new Set(words.filter((word) => word.length === 1))).toEqual(new Set(["理"]));
  });
});

describe("a query", () => {
  it.each([
    ["blue lamp", '"blue" AND "lamp"*'],
    ['"blue lamp"', '"blue lamp"'],
    ["東京都", '"東京 京都"'],
    ["本", '"本"*'],
    ["a", '"a"'],
    ['AND OR NEAR(a* -" ^b:c)', '("AND" OR "NEAR(a*") AND "^b:c"*'],
    ["OR lamp", '"OR" AND "lamp"*'],
    ["lamp OR", '"lamp"*'],
    ["red lamp OR chair", '"red" AND ("lamp" OR "chair"*)'],
    ["red AND lamp", '"red" AND "lamp"*'],
    ["🎉 OR lamp", '"lamp"*'],
    ["(red OR blue) lamp", '("red" OR "blue") AND "lamp"*'],
    ["{red blue} lamp", '("red" OR "blue") AND "lamp"*'],
    ["(red lamp) OR chair", '(("red" AND "lamp") OR "chair"*)'],
    ["straße", '"strasse"*'],
    ["subject:straße x", '{subject} : "strasse" AND "x"'],
    ["café", '"café"*'],
    ['subject:"blue lamp"', '{subject} : "blue lamp"'],
    ["subject: lamp", '{subject} : "lamp"*'],
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

describe("a parsed query [mail.query]", () => {
  it.each([
    [
      'lamp FROM:"Ann Lee" -from:bob to:me@x.example -to:all has:attachment -chair -subject:red',
      "lamp from:Ann Lee -from:bob to:me@x.example -to:all has -chair -subject:red",
    ],
    ["after:2026-01-02 before:2026-02-03", "after:2026-01-02 before:2026-02-03"],
    ["newer:2026/1/2 -older:2026/02/03", "after:2026-01-02 after:2026-02-03"],
    ["newer_than:7d older_than:2D", "after:2026-03-24 before:2026-03-29"],
    ["newer_than:1m -newer_than:1y", "after:2026-02-28 before:2025-03-31"],
    ["newer_than:9999y", "after:-007973-03"],
    ["newer_than:soon newer_than:7 older_than:w", "newer_than:soon newer_than:7 older_than:w*"],
    ["to:a OR to:b", "(to:a | to:b)"],
    ["has:attachment OR lamp", "(has | lamp*)"],
    ["lamp OR -from:bob OR after:2026-01-02 chair", "(lamp | -from:bob | after:2026-01-02) chair*"],
    ["-lamp OR chair", "(-lamp | chair*)"],
    ["{from:a from:b}", "(from:a | from:b)"],
    ["{from:a OR from:b} lamp", "(from:a | from:b) lamp*"],
    ["from:(a b)", "from:a from:b"],
    ['from:{a "b c"} -to:(d OR e)', "(from:a | from:b c) -to:d -to:e"],
    ["subject:(blue -lamp)", "subject:blue -subject:lamp"],
    ["-(lamp from:a)", "(-lamp | -from:a)"],
    ["-{lamp -from:a}", "-lamp from:a"],
    ["((lamp OR (chair to:a)))", "(lamp | (chair to:a))"],
    // Brackets that nothing closes, or opens, say nothing.
    ["(lamp OR chair", "(lamp | chair*)"],
    ["{lamp chair", "lamp chair*"],
    ["lamp) chair}", "lamp chair*"],
    ["() {} lamp", "lamp*"],
    ["f(x) of", "f(x) of"],
    ["(see f(x)) here", "see f(x) here*"],
    ["lamp OR", "lamp*"],
    ["lamp OR OR chair", "(lamp | chair*)"],
    ["!! OR lamp chair", "lamp chair*"],
    ["red !! OR lamp", "red lamp*"],
  ])("%j is understood as %j", (text, expected) => {
    expect(clauses(text).map(understood).join(" ")).toBe(expected);
  });

  it("is limited in length and depth", () => {
    expect(termsOf(clauses("word ".repeat(200)))).toHaveLength(32);
    expect(clauses("from:a ".repeat(200))).toHaveLength(32);
    expect(clauses("(".repeat(500) + "lamp" + ")".repeat(500)).map(understood)).toEqual(["lamp*"]);
    expect(clauses(`${"(".repeat(8)}a b) OR c) d) e`).map(understood)).toEqual([
      "a",
      "(b | c)",
      "d",
      "e",
    ]);
  });

  it("reports its reference time, if it is relative", () => {
    expect(readQuery("newer_than:7d", now).asOf).toEqual(now);
    expect(readQuery("after:2026-01-01 newer_than:soon", now).asOf).toBeUndefined();
  });
});

describe("the text for the index", () => {
  it("is normalised in slices, up to the index limit", async () => {
    const { ms, result } = await longestTurn(() => searchable("\uFDFA".repeat(600_000)), 50);
    expect(result.length).toBeLessThan(4_500_000);
    expect(ms).toBeLessThan(50);
  });
});
