import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMailReader } from "../../src/adapters/libsql/mail/mail-reader.ts";
import { mailSearcher } from "../../src/adapters/libsql/search/mail-search.ts";
import { readQuery } from "../../src/adapters/libsql/search/search-query.ts";
import type { MailReader } from "../../src/ports/mail/mail-reader.ts";
import { createFakeObjects } from "../fakes/objects.ts";
import { anyText } from "../fixtures/any-text.ts";
import { openSearchedMailbox, type SearchedMail, type SearchedMailbox } from "./searched-mail.ts";

const words = ["lamp", "table", "会议", "東京都庁"];
const day = (number: number): Date => new Date(Date.UTC(2026, 0, 1 + number));

function mailOf(number: number, subject = ""): SearchedMail {
  return {
    subject: `${words[Math.abs(number) % words.length]} ${subject}`,
    body: `${words[Math.abs(number + 1) % words.length]} message ${number}`,
    from: { name: "Ann Lee", address: `ann${Math.abs(number) % 3}@example.org` },
    to: [{ address: "me@in.example" }],
    cc: number % 2 === 0 ? [{ name: "Bob", address: "bob@example.org" }] : [],
    date: day(number),
    hasAttachment: number % 3 === 0,
  };
}

/** Text that could be syntax of our query language or of the index, between any other text. */
const piece = fc.oneof(
  fc.constantFrom(
    ...words,
    "from:",
    "to:",
    "subject:",
    "has:attachment",
    "before:2026-01-05",
    "after:",
    "newer_than:1m",
    "older_than:",
    "-",
    "(",
    ")",
    "{",
    "}",
    "OR",
    "NOT",
    "NEAR(",
    "*",
    "^",
    "{subject} :",
    '"',
    "“",
    "'';--",
    "\0",
    "%",
  ),
  fc.string({ maxLength: 12 }),
  anyText(8),
);
const anyQuery = fc
  .array(fc.tuple(piece, fc.constantFrom("", " ", "  ")), { maxLength: 12 })
  .map((pieces) => pieces.flat().join(""));

describe("searches of any kind", () => {
  let mailbox: SearchedMailbox;
  let reader: MailReader;

  beforeAll(async () => {
    mailbox = openSearchedMailbox();
    reader = createMailReader({ database: mailbox.database, objects: createFakeObjects() });
    await mailbox.add(Array.from({ length: 30 }, (_, number) => mailOf(number)));
  });

  afterAll(() => mailbox.close());

  it("accept any text as a query and as a sender", async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery, fc.option(fc.string()), async (query, from) => {
        const found = await reader.search({ query, limit: 5, ...(from !== null && { from }) });
        expect(found.hits.length).toBe(Math.min(found.total, 5));
      }),
      { numRuns: 400 },
    );
  });

  it.each([
    ["ranked", 10_000],
    ["by date", 11],
  ])(
    "return each message once while mail arrives between their pages: %s",
    async (_, mostRanked) => {
      const find = mailSearcher(mailbox.database, {
        mostCounted: mostRanked,
        mostRanked,
        rankedAtOnce: 1_000,
        manyIds: 20_000,
      });
      const search = (query: string, limit: number, cursor?: string) =>
        find(
          { query, limit, ...(cursor !== undefined && { cursor }) },
          readQuery(query, new Date()),
        );
      const query = fc.constantFrom(
        "",
        "lamp",
        "会议 OR lamp",
        "to:bob",
        "-table",
        "lamp from:ann1",
        "lamp OR to:bob",
        "{has:attachment -table}",
        "mess",
      );
      const arrival = fc.record({
        number: fc.integer({ min: -40, max: 400 }),
        word: fc.constantFrom(...words),
      });
      await fc.assert(
        fc.asyncProperty(
          query,
          fc.integer({ min: 1, max: 5 }),
          fc.array(fc.array(arrival, { maxLength: 3 }), { maxLength: 4 }),
          async (text, limit, arrivals) => {
            const present = await reader.search({ query: text, limit: 1_000 });
            const walked: number[] = [];
            const later = [...arrivals];
            let page = await search(text, limit);
            while (page.nextCursor !== undefined) {
              walked.push(...page.ids);
              const arrived = later.shift() ?? [];
              await mailbox.add(arrived.map(({ number, word }) => mailOf(number, word)));
              page = await search(text, limit, page.nextCursor);
            }
            walked.push(...page.ids);
            expect(new Set(walked).size).toBe(walked.length);
            const emailIds = await mailbox.emailIdsOf(walked);
            expect(emailIds).toEqual(
              expect.arrayContaining(present.hits.map(({ emailId }) => emailId)),
            );
          },
        ),
        { numRuns: 40 },
      );
    },
  );
});
