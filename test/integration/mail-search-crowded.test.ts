import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mailSearcher } from "../../src/adapters/libsql/search/mail-search.ts";
import { readQuery } from "../../src/adapters/libsql/search/search-query.ts";
import { openSearchedMailbox, type SearchedMail, type SearchedMailbox } from "./searched-mail.ts";

const midnight = Date.UTC(2026, 4, 2);
/** More messages than the ids of an hour. Most of them get ids of the next day. */
const crowd = 100;

function mailAt(ms: number, subject: string): SearchedMail {
  const [from, to, cc] = [{ address: "ann@shop.example" }, [], []];
  return { subject, body: "lamp", from, to, cc, date: new Date(ms), hasAttachment: false };
}

describe("a search of messages of which many have the same minute", () => {
  let mailbox: SearchedMailbox;

  beforeAll(async () => {
    mailbox = openSearchedMailbox();
    const later = Array.from({ length: 5 }, (_, at) => mailAt(midnight + 30_000, `later ${at}`));
    const many = Array.from({ length: crowd }, (_, at) => mailAt(midnight - 1_000, `last ${at}`));
    const first = Array.from({ length: 20 }, (_, at) => mailAt(midnight, `first ${at}`));
    const old = [mailAt(midnight - 86_401_000, "old")];
    for (const some of [later, many, first, old]) await mailbox.add(some);
  });

  afterAll(() => mailbox.close());

  async function found(query: string, limit = 50): Promise<string[]> {
    const find = mailSearcher(mailbox.database);
    const subjects: string[] = [];
    let cursor: string | undefined;
    do {
      const search = { query, limit, ...(cursor !== undefined && { cursor }) };
      const page = await find(search, readQuery(query, new Date()));
      const { rows } = await mailbox.database.read({
        sql: "SELECT subject FROM json_each(?) JOIN mail ON search_id = value ORDER BY key",
        args: [JSON.stringify(page.ids)],
      });
      subjects.push(...rows.map(({ subject }) => String(subject)));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return subjects;
  }

  const counts = (subjects: readonly string[]) =>
    Object.fromEntries(
      ["old", "last", "first", "later"].map((word) => [
        word,
        subjects.filter((subject) => subject.startsWith(word)).length,
      ]),
    );

  it.each(["", "lamp ", "-draft "])("has exact dates: %j", async (words) => {
    expect(counts(await found(`${words}before:2026-05-02`))).toEqual({
      old: 1,
      last: crowd,
      first: 0,
      later: 0,
    });
    expect(counts(await found(`${words}after:2026-05-02`))).toEqual({
      old: 0,
      last: 0,
      first: 20,
      later: 5,
    });
    expect(counts(await found(`${words}after:2026-05-01 before:2026-05-02`))).toEqual({
      old: 0,
      last: crowd,
      first: 0,
      later: 0,
    });
    expect(counts(await found(`${words}(before:2026-05-01 OR subject:later)`))).toMatchObject({
      old: 1,
      last: 0,
      later: 5,
    });
  });

  // Only one message has the id of its minute.
  it("keeps the order of messages that are seconds apart", async () => {
    const at = midnight + 3_600_000;
    const apart = [40, 0, 20, 0, 41].map((seconds, index) =>
      mailAt(at + seconds * 1_000, `apart ${index}`),
    );
    for (const one of apart) await mailbox.add([one]);
    expect(await found("subject:apart")).toEqual([4, 0, 2, 3, 1].map((index) => `apart ${index}`));
  });

  it.each([50, 7, 3])("lists messages by their dates in pages of %i", async (limit) => {
    const dates = await Promise.all(
      (await found("", limit)).map(async (subject) => {
        const { rows } = await mailbox.database.read({
          sql: "SELECT date FROM mail WHERE subject = ?",
          args: [subject],
        });
        return Number(rows[0]?.["date"]);
      }),
    );
    expect(dates).toEqual(dates.toSorted((one, other) => other - one));
    expect(await found("-draft", limit)).toEqual(await found("", 200));
  });

  it("has each message once, page by page", async () => {
    const areAll = (subjects: readonly string[]) => {
      expect(subjects).toHaveLength(crowd + 31);
      expect(new Set(subjects).size).toBe(crowd + 31);
      expect(subjects.at(-1)).toBe("old");
    };
    areAll(await found("", 7));
    // Above a limit, ids order the list.
    const displaced = "UPDATE mail SET displaced = 2000 WHERE subject = 'last 99'";
    await mailbox.database.write([{ sql: displaced, args: [] }]);
    areAll(await found("", 7));
    expect(counts(await found("before:2026-05-02"))).toMatchObject({
      old: 1,
      last: crowd,
      first: 0,
    });
  });
});
