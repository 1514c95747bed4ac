import type { MailSearch } from "../../ports/mail-reader.ts";
import type { Database, Row } from "./database.ts";
import { type Position, readCursor, searchKey, writeCursor } from "./mail-cursor.ts";
import { numberOf, textOf } from "./mail-row.ts";
import { type Condition, type Filter, manyIds, searchFilter } from "./search-filter.ts";
import type { SearchQuery } from "./search-query.ts";
import { ftsAny, ftsQuery } from "./search-text.ts";

export interface SearchLimits {
  /** What is counted at most: bm25 looks at every hit, so that beyond this a search goes by date. More than two pages. */
  mostRanked: number;
  manyIds: number;
}

const ownLimits: SearchLimits = { mostRanked: 10_000, manyIds };
/** Ranked at one go and remembered, so that the following pages cost nothing and cannot shift. */
const rankedAtOnce = 1_000;
const searchesRemembered = 32;

/** A word in the subject weighs most, then one in the sender's name, the summary, the body. */
const score = "bm25(mail_words, 8.0, 5.0, 2.0, 1.0)";

export interface FoundIds {
  ids: readonly number[];
  total: number;
  totalIsLowerBound: boolean;
  nextCursor: string | undefined;
}

type DatePosition = Extract<Position, { by: "date" }>;
type RankPosition = Extract<Position, { by: "rank" }>;

interface Page {
  ids: readonly number[];
  next?: Position;
}

/** The words of a search, as the index takes them; empty where it has none. */
interface Words {
  all: string;
  /** Those with a hit in subject or sender, and the others. */
  head: string;
  rest: string;
}

/** Finds the ids of one page. Every other fact of a message is read by its id. */
export function mailSearcher(database: Database, limits: SearchLimits = ownLimits) {
  const remembered = new Map<string, readonly number[]>();
  const filterOf = searchFilter(database, limits.manyIds);

  return async function find(search: MailSearch, query: SearchQuery): Promise<FoundIds> {
    const key = searchKey(search);
    const position = search.cursor === undefined ? undefined : readCursor(search.cursor, key);
    const words = wordsOf(query);
    const filter = await filterOf(search, query);
    const [counted, page] =
      position === undefined
        ? await firstPage(key, words, filter, search.limit)
        : await Promise.all([
            count(words, filter),
            position.by === "date"
              ? byDate(search.limit, position, (at, most) => datePage(words, filter, at, most))
              : byRank(key, words, filter, search.limit, position),
          ]);
    return {
      ids: page.ids,
      total: Math.min(counted, limits.mostRanked),
      totalIsLowerBound: counted > limits.mostRanked,
      nextCursor: page.next === undefined ? undefined : writeCursor(key, page.next),
    };
  };

  /**
   * Counts, and ranks or takes the newest, in one statement: the words with a beginning among them are put together anew each
   * time that they are asked for, and a filter's ids as well.
   */
  async function firstPage(
    key: string,
    words: Words,
    filter: Filter,
    limit: number,
  ): Promise<[counted: number, page: Page]> {
    const isList = words.all === "";
    const isMore = `n > ${limits.mostRanked}`;
    // Looking for them twice costs more than some scores in vain.
    const isRankedAtOnce = !isList && filter.most <= 2 * limits.mostRanked;
    const all = candidatesOf(words.all, filter, { score: isRankedAtOnce ? score : "NULL" });
    const found = isRankedAtOnce ? all : ordered(all, limits.mostRanked + 1);
    const isAll = isList && filter.ofMail.sql === "";
    // As many as the rest of a page can need beside those of the head. Of all mail the index itself gives them sooner.
    const newest = isAll
      ? ordered(all, limit + 1)
      : { sql: "SELECT id FROM found ORDER BY id DESC LIMIT ?", args: [2 * limit + 1] };
    const columns = isList
      ? [idList(newest, "newest", "true")]
      : [
          idList(newest, "newest", isMore),
          idList(ordered(candidatesOf(words.head, filter), limit + 1), "head", isMore),
          idList(rankedFound(words.all, filter, isRankedAtOnce), "ranked", `NOT ${isMore}`),
        ];
    const { rows } = await database.read({
      sql: `WITH found AS ${isAll ? "NOT " : ""}MATERIALIZED (${found.sql}) SELECT n, (SELECT max(mail_id) FROM mail) AS last_mail_id,
        ${columns.map(({ sql }) => sql).join(", ")} FROM (SELECT count(*) AS n FROM found)`,
      args: [...found.args, ...columns.flatMap(({ args }) => args)],
    });
    const row = rows[0] ?? {};
    const counted = numberOf(row, "n") ?? 0;
    if (isList) return [counted, cut(idsOf(row, "newest"), limit, startOf("all"))];
    if (counted > limits.mostRanked)
      return [counted, headFirst(idsOf(row, "head"), idsOf(row, "newest"), limit)];
    const lastMailId = numberOf(row, "last_mail_id") ?? 0;
    const start: RankPosition = { by: "rank", offset: 0, lastMailId };
    const ranked = idsOf(row, "ranked");
    remember(key, start, ranked);
    return [counted, rankPage(ranked, limit, start)];
  }

  async function count(words: Words, filter: Filter): Promise<number> {
    const { sql, args } = candidatesOf(words.all, filter);
    const { rows } = await database.read({
      sql: `SELECT count(*) AS n FROM (${sql} LIMIT ${limits.mostRanked + 1})`,
      args,
    });
    return numberOf(rows[0] ?? {}, "n") ?? 0;
  }

  function datePage(
    words: Words,
    filter: Filter,
    { part, before }: DatePosition,
    most: number,
  ): Promise<number[]> {
    const expression = part === "head" ? words.head : part === "rest" ? words.rest : words.all;
    const range = { ...filter, below: Math.min(before, filter.below) };
    return read(ordered(candidatesOf(expression, range), most));
  }

  /** Mail that arrived after the first page changes nothing: the order is remembered, or that mail is left out. */
  async function byRank(
    key: string,
    words: Words,
    filter: Filter,
    limit: number,
    position: RankPosition,
  ): Promise<Page> {
    const wanted = position.offset + limit + 1;
    const known = remembered.get(memoryKey(key, position));
    if (known !== undefined && (known.length >= wanted || known.length < rankedAtOnce))
      return rankPage(known, limit, position);
    const arrived =
      "EXISTS (SELECT 1 FROM mail WHERE mail.search_id = mail_words.rowid AND mail.mail_id <= ?)";
    const { sql, args } = candidatesOf(words.all, filter, { score });
    const ids = await read(
      ranked(
        { sql: `${sql} AND ${arrived}`, args: [...args, position.lastMailId] },
        wanted > rankedAtOnce ? limits.mostRanked : rankedAtOnce,
      ),
    );
    remember(key, position, ids);
    return rankPage(ids, limit, position);
  }

  function remember(key: string, position: RankPosition, ids: readonly number[]): void {
    const name = memoryKey(key, position);
    remembered.delete(name);
    remembered.set(name, ids);
    const [oldest] = remembered.keys();
    if (remembered.size > searchesRemembered && oldest !== undefined) remembered.delete(oldest);
  }

  async function read(condition: Condition): Promise<number[]> {
    const { sql, args } = idList(condition, "ids", "true");
    const { rows } = await database.read({ sql: `SELECT ${sql}`, args });
    return idsOf(rows[0] ?? {}, "ids");
  }
}

function wordsOf({ groups, without }: SearchQuery): Words {
  const words = ftsQuery(groups);
  if (words === "") return { all: "", head: "", rest: "" };
  const not = without.length === 0 ? "" : ` NOT (${ftsAny(without)})`;
  const head = `({subject sender} : (${words}))`;
  return {
    all: `(${words})${not}`,
    head: `${head}${not}`,
    rest: `((${words}) NOT ${head})${not}`,
  };
}

/** Ids that have the words and pass the filter. Dates are ranges of ids, which the index itself knows. */
function candidatesOf(words: string, filter: Filter, also = { score: "NULL" }): Condition {
  const { from, below } = filter;
  const { sql, args } = words === "" ? filter.ofMail : filter.ofHit;
  const [id, place] =
    words === ""
      ? ["search_id", "mail WHERE search_id IS NOT NULL"]
      : ["rowid", "mail_words WHERE mail_words MATCH ?"];
  const range: [string, number][] = [
    [`${id} >= ?`, from],
    [`${id} < ?`, below],
  ];
  const bounds = range.filter(([, bound]) => Number.isFinite(bound));
  return {
    sql: `SELECT ${id} AS id, ${also.score} AS score FROM ${place}${bounds.map(([bound]) => ` AND ${bound}`).join("")}${sql}`,
    args: [...(words === "" ? [] : [words]), ...bounds.map(([, bound]) => bound), ...args],
  };
}

function ordered({ sql, args }: Condition, most: number): Condition {
  return { sql: `${sql} ORDER BY id DESC LIMIT ?`, args: [...args, most] };
}

/** What was found, best first. The filter is not asked again: what it leaves is known. */
function rankedFound(words: string, filter: Filter, hasScores: boolean): Condition {
  if (hasScores) return ranked({ sql: "SELECT id, score FROM found", args: [] }, rankedAtOnce);
  const { sql, args } = candidatesOf(words, { ...filter, ofHit: { sql: "", args: [] } }, { score });
  const isFiltered = filter.ofHit.sql !== "";
  const isFound = isFiltered ? " AND +mail_words.rowid IN (SELECT id FROM found)" : "";
  return ranked({ sql: `${sql}${isFound}`, args }, rankedAtOnce);
}

/** Of equals the newest first, so that every look has the same order. */
function ranked({ sql, args }: Condition, most: number): Condition {
  return { sql: `${sql} ORDER BY score, id DESC LIMIT ?`, args: [...args, most] };
}

/** A column with a list of ids: one value instead of a thousand rows on the way between threads. */
function idList({ sql, args }: Condition, name: string, when: string): Condition {
  return {
    sql: `CASE WHEN ${when} THEN (SELECT json_group_array(id) FROM (${sql})) END AS ${name}`,
    args,
  };
}

function idsOf(row: Row, column: string): number[] {
  const ids: unknown = JSON.parse(textOf(row, column) ?? "[]");
  return Array.isArray(ids) ? ids.map(Number) : [];
}

function memoryKey(key: string, { lastMailId }: RankPosition): string {
  return `${key}.${lastMailId}`;
}

function rankPage(ranked: readonly number[], limit: number, position: RankPosition): Page {
  const ids = ranked.slice(position.offset, position.offset + limit);
  const offset = position.offset + ids.length;
  return { ids, ...(offset < ranked.length && { next: { ...position, offset } }) };
}

/** A page by date, of one id more where there are more. */
function cut(ids: readonly number[], limit: number, position: DatePosition): Page {
  if (ids.length <= limit) return { ids };
  const page = ids.slice(0, limit);
  return { ids: page, next: { ...position, before: page.at(-1) ?? position.before } };
}

/** The first page of a search by date: its head, and where that ends the newest of the others. */
function headFirst(head: readonly number[], newest: readonly number[], limit: number): Page {
  if (head.length > limit) return cut(head, limit, startOf("head"));
  const others = newest.filter((id) => !head.includes(id));
  const rest = cut(others, limit - head.length, startOf("rest"));
  return { ...rest, ids: [...head, ...rest.ids] };
}

/** The next ids by date, newest first; a search by words gives its head first. */
async function byDate(
  limit: number,
  position: DatePosition,
  fetch: (at: DatePosition, most: number) => Promise<number[]>,
): Promise<Page> {
  const page = cut(await fetch(position, limit + 1), limit, position);
  if (page.next !== undefined || position.part !== "head") return page;
  const rest = await byDate(limit - page.ids.length, startOf("rest"), fetch);
  return { ...rest, ids: [...page.ids, ...rest.ids] };
}

function startOf(part: DatePosition["part"]): DatePosition {
  return { by: "date", part, before: Number.MAX_SAFE_INTEGER };
}
