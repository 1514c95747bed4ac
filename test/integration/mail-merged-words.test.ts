import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { mainMigrations, openDatabase } from "../../src/adapters/libsql/driver/database.ts";
import { mergeManyWords, mergeWords } from "../../src/adapters/libsql/search/merged-words.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { startHrana } from "../servers/hrana.ts";

const newFile = () => ({ url: pathToFileURL(join(temporaryDirectory(), "words.db")).href });
const query = (sql: string) => ({ sql, args: [] });

function openIndex({ url, token }: { url: string; token?: string } = newFile()) {
  const database = openDatabase({
    url,
    migrations: mainMigrations,
    log: quietLog,
    ...(token !== undefined && { authToken: token }),
  });
  /** Enters `count` messages, each in a commit and so in a segment of its own. */
  const enter = async (from: number, count: number): Promise<void> => {
    for (let at = from; at < from + count; at += 1) {
      const numbers = `WITH n (i) AS (SELECT ${at * 10_000} UNION ALL SELECT i + 1 FROM n WHERE i < ${at * 10_000} + 4000)`;
      await database.write([
        query(
          `INSERT INTO mail_words (rowid, body) ${numbers} SELECT i, 'common word' || i FROM n`,
        ),
      ]);
    }
  };
  const segments = async (): Promise<number[]> => {
    const { rows } = await database.read(
      query("SELECT count(*) AS pages FROM mail_words_idx GROUP BY segid ORDER BY segid"),
    );
    return rows.map(({ pages }) => Number(pages));
  };
  const hits = async (words: string): Promise<number> => {
    const { rows } = await database.read({
      sql: "SELECT count(*) AS hits FROM mail_words WHERE mail_words MATCH ?",
      args: [words],
    });
    return Number(rows[0]?.["hits"]);
  };
  return { database, enter, segments, hits };
}

it("the index of many new messages becomes one segment", async () => {
  const { database, enter, segments, hits } = openIndex();
  await enter(0, 7);
  expect((await segments()).length).toBeGreaterThan(1);
  await mergeManyWords(database);
  expect(await segments()).toHaveLength(1);
  expect(await hits("common")).toBe(7 * 4001);
  expect(await hits('"common word50003"')).toBe(1);
  await database.close();
});

it("the index of a database server is merged too", async () => {
  const server = await startHrana(join(temporaryDirectory(), "server.db"));
  onTestFinished(() => server.close());
  const { database, enter, segments, hits } = openIndex(server);
  await enter(0, 7);
  await mergeManyWords(database);
  expect(await segments()).toHaveLength(1);
  expect(await hits("common")).toBe(7 * 4001);
  await database.close();
});

it("a few new messages do not rewrite a large index", async () => {
  const { database, enter, segments } = openIndex();
  await enter(0, 20);
  await mergeWords(database);
  await enter(20, 1);
  const before = await segments();
  await mergeManyWords(database);
  expect(await segments()).toEqual(before);
  await database.close();
});

it("a merge pauses while searches of its process follow each other", async () => {
  const { database, enter, segments, hits } = openIndex();
  await enter(0, 20);
  const seen: number[][] = [];
  const pause = async (): Promise<void> => {
    if (seen.length < 3) seen.push(await segments());
  };
  await Promise.all([mergeWords(database, { pause }), hits("common")]);
  expect(seen).toHaveLength(3);
  expect(new Set(seen.map(String)).size).toBe(1);
  expect(seen[0]?.length).toBeGreaterThan(1);
  expect(await segments()).toHaveLength(1);
  await database.close();
});

it("a merge ends in a process that always searches", async () => {
  const { database, enter, segments, hits } = openIndex();
  await enter(0, 20);
  let pauses = 0;
  const pause = async (): Promise<void> => {
    pauses += 1;
    await hits("common");
  };
  await Promise.all([mergeWords(database, { pause }), hits("common")]);
  expect(pauses).toBeGreaterThanOrEqual(5);
  expect(await segments()).toHaveLength(1);
  await database.close();
});

it("the words of a deleted message leave an index of one segment", async () => {
  const { database, enter, segments, hits } = openIndex();
  await enter(0, 3);
  await mergeWords(database);
  await database.write([query("DELETE FROM mail_words WHERE rowid = 10003")]);
  await mergeWords(database);
  expect(await segments()).toHaveLength(1);
  const found = await database.read(
    query("SELECT count(*) AS n FROM mail_vocab WHERE term IN ('word10003', 'word10004')"),
  );
  expect(found.rows[0]?.["n"]).toBe(1);
  expect(await hits("common")).toBe(3 * 4001 - 1);
  await database.close();
});
