import type { MailSearch } from "../../../ports/mail/mail-reader.ts";
import type { Database } from "../driver/database.ts";
import type { Row } from "../driver/statement.ts";
import { type Position, readCursor, searchKey, writeCursor } from "./mail-cursor.ts";
import { numberOf, textOf } from "../mail/mail-row.ts";
import { type SqlFragment, type Filter, manyIds, noFilter } from "./search-filter.ts";
import {
  candidatesOf,
  foundBy,
  ordered,
  type SearchPlan,
  score,
  searchPlanner,
} from "./search-plan.ts";
import type { SearchQuery } from "./search-query.ts";

export interface SearchLimits {
  mostCounted: number;
  /**
   * Hits. Larger results are ordered by date, because scoring a hit takes ten times as long as finding it. More than
   * two pages.
   */
  mostRanked: number;
  /** Ids that are ranked at once and cached, so that later pages cost nothing and stay stable. More than a page. */
  rankedAtOnce: number;
  manyIds: number;
}

const ownLimits: SearchLimits = {
  mostCounted: 10_000,
  mostRanked: 5_000,
  rankedAtOnce: 1_000,
  manyIds,
};
const searchesRemembered = 32;

export interface FoundIds {
  ids: readonly number[];
  total: number;
  totalIsLowerBound: boolean;
  nextCursor: string | undefined;
}

type DatePosition = Extract<Position, { kind: "date" }>;
type RankPosition = Extract<Position, { kind: "rank" }>;

interface Page {
  ids: readonly number[];
  next?: Position;
}

/** Creates the search for the ids of one page. All other facts of a message are read by its id. */
export function mailSearcher(database: Database, limits: SearchLimits = ownLimits) {
  const remembered = new Map<string, readonly number[]>();
  const planOf = searchPlanner(database, limits.manyIds);
  /** One more than are counted, to detect that there are more. */
  const mostFound = limits.mostCounted + 1;

  return async function find(search: MailSearch, query: SearchQuery): Promise<FoundIds> {
    const key = searchKey(search, query.asOf);
    const position = search.cursor === undefined ? undefined : readCursor(search.cursor, key);
    const plan = await planOf(search, query.expression);
    const [counted, page] =
      position === undefined
        ? await firstPage(key, plan, search.limit)
        : await Promise.all([
            count(plan),
            position.kind === "date"
              ? byDate(search.limit, position, (at, most) => datePage(plan, at, most))
              : byRank(key, plan, search.limit, position),
          ]);
    return {
      ids: page.ids,
      total: Math.min(counted, limits.mostCounted),
      totalIsLowerBound: counted > limits.mostCounted,
      nextCursor: page.next === undefined ? undefined : writeCursor(key, page.next, query.asOf),
    };
  };

  /**
   * Counts, and ranks or takes the newest, in one statement. Prefix words and a filter's ids are collected anew for
   * each statement.
   */
  async function firstPage(
    key: string,
    plan: SearchPlan,
    limit: number,
  ): Promise<[counted: number, page: Page]> {
    const { worded } = plan;
    const isList = plan.ranking === "";
    const isMore = `n > ${limits.mostRanked}`;
    // Some of the filtered mail has the words. If too many match, they are not ranked and their scores are wasted,
    // which costs as much as a second search.
    const isRankedAtOnce = worded !== undefined && worded.filter.most <= 1.5 * limits.mostRanked;
    const found = isRankedAtOnce
      ? candidatesOf(worded.words.all, worded.filter, { score })
      : ordered(foundBy(plan, "all", mostFound), mostFound);
    const isAll = isList && plan.sources.every(({ filter }) => filter.mailCondition.sql === "");
    // Enough for the rest of a page besides those of the head. For all mail the index itself is faster.
    const newest = isAll
      ? ordered(foundBy(plan, "all", limit + 1), limit + 1)
      : { sql: "SELECT id FROM found ORDER BY id DESC LIMIT ?", args: [2 * limit + 1] };
    const head = worded && ordered(candidatesOf(worded.words.head, worded.filter), limit + 1);
    const columns = [
      idList(newest, "newest", isList ? "true" : isMore),
      ...(head === undefined ? [] : [idList(head, "head", isMore)]),
      ...(isList
        ? []
        : [
            idList(
              rankedFound(plan, isRankedAtOnce, limits.rankedAtOnce),
              "ranked",
              `NOT ${isMore}`,
            ),
          ]),
    ];
    const { rows } = await database.read({
      sql: `WITH found AS ${isAll ? "NOT " : ""}MATERIALIZED (${found.sql}) SELECT n, (SELECT max(mail_id) FROM mail) AS last_mail_id,
        ${columns.map(({ sql }) => sql).join(", ")} FROM (SELECT count(*) AS n FROM found)`,
      args: [...found.args, ...columns.flatMap(({ args }) => args)],
    });
    const row = rows[0] ?? {};
    const counted = numberOf(row, "n") ?? 0;
    if (isList || (counted > limits.mostRanked && worded === undefined))
      return [counted, cut(idsOf(row, "newest"), limit, startOf("all"))];
    if (counted > limits.mostRanked)
      return [counted, headFirst(idsOf(row, "head"), idsOf(row, "newest"), limit)];
    const lastMailId = numberOf(row, "last_mail_id") ?? 0;
    const start: RankPosition = { kind: "rank", offset: 0, lastMailId, after: 0 };
    const ranked = idsOf(row, "ranked");
    remember(key, start, ranked);
    return [counted, rankPage(ranked, limit, start)];
  }

  function rankedAnew(
    plan: SearchPlan,
    narrowed: (filter: Filter) => Filter,
    most: number,
  ): SqlFragment {
    const { worded } = plan;
    if (worded !== undefined)
      return ranked(candidatesOf(worded.words.all, narrowed(worded.filter), { score }), most);
    const found = ordered(foundBy(plan, "all", mostFound, narrowed), mostFound);
    const best = rankedFound(plan, false, most);
    return {
      sql: `WITH found AS MATERIALIZED (${found.sql}) ${best.sql}`,
      args: [...found.args, ...best.args],
    };
  }

  async function count(plan: SearchPlan): Promise<number> {
    const { sql, args } = foundBy(plan, "all", mostFound);
    const { rows } = await database.read({
      sql: `SELECT count(*) AS n FROM (${sql} LIMIT ${mostFound})`,
      args,
    });
    return numberOf(rows[0] ?? {}, "n") ?? 0;
  }

  function datePage(
    plan: SearchPlan,
    { part, before }: DatePosition,
    most: number,
  ): Promise<number[]> {
    const earlier = (filter: Filter): Filter => ({
      ...filter,
      below: Math.min(before, filter.below),
    });
    return read(ordered(foundBy(plan, part, most, earlier), most));
  }

  /** Returns a page by rank. The order is cached, or later mail is left out, so that new mail changes nothing. */
  async function byRank(
    key: string,
    plan: SearchPlan,
    limit: number,
    position: RankPosition,
  ): Promise<Page> {
    const wanted = position.offset + limit + 1;
    const known = remembered.get(memoryKey(key, position));
    if (known !== undefined && (known.length >= wanted || known.length < limits.rankedAtOnce))
      return rankPage(known, limit, position);
    const { lastMailId } = position;
    const most = wanted > limits.rankedAtOnce ? limits.mostRanked : limits.rankedAtOnce;
    const ids = await read(rankedAnew(plan, (filter) => arrived(filter, lastMailId), most));
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

  async function read(condition: SqlFragment): Promise<number[]> {
    const { sql, args } = idList(condition, "ids", "true");
    const { rows } = await database.read({ sql: `SELECT ${sql}`, args });
    return idsOf(rows[0] ?? {}, "ids");
  }
}

/** Limits a filter to messages that existed when the search began. */
function arrived(filter: Filter, lastMailId: number): Filter {
  const of = (column: string): string =>
    ` AND EXISTS (SELECT 1 FROM mail AS known WHERE known.search_id = ${column} AND known.mail_id <= ?)`;
  const add = ({ sql, args }: SqlFragment, column: string): SqlFragment => ({
    sql: sql + of(column),
    args: [...args, lastMailId],
  });
  return {
    ...filter,
    mailCondition: add(filter.mailCondition, "mail.search_id"),
    hitCondition: add(filter.hitCondition, "mail_words.rowid"),
  };
}

/** Returns the results, best first. The filter need not be applied again. */
function rankedFound(
  { worded, ranking }: SearchPlan,
  hasScores: boolean,
  most: number,
): SqlFragment {
  if (hasScores) return ranked({ sql: "SELECT id, score FROM found", args: [] }, most);
  const filter = worded?.filter ?? noFilter;
  const isAll = worded?.filter.hitCondition.sql === "";
  const isFound = isAll ? "" : " AND +mail_words.rowid IN (SELECT id FROM found)";
  const hits = candidatesOf(
    ranking,
    { ...filter, hitCondition: { sql: isFound, args: [] } },
    { score },
  );
  if (worded !== undefined) return ranked(hits, most);
  // Results without the words come after those with them.
  const all = `SELECT id, min(score) AS score FROM (${hits.sql} UNION ALL SELECT id, 0 FROM found) GROUP BY id`;
  return ranked({ sql: all, args: hits.args }, most);
}

/** Orders equal scores by date, newest first, so that every query has the same order. */
function ranked({ sql, args }: SqlFragment, most: number): SqlFragment {
  return { sql: `${sql} ORDER BY score, id DESC LIMIT ?`, args: [...args, most] };
}

/** Returns a column with a list of ids: one value instead of a thousand rows between threads. */
function idList({ sql, args }: SqlFragment, name: string, when: string): SqlFragment {
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
  const last = position.offset === 0 ? -1 : ranked.indexOf(position.after);
  const begin = last === -1 ? position.offset : last + 1;
  const ids = ranked.slice(begin, begin + limit);
  const offset = begin + ids.length;
  const after = ids.at(-1) ?? position.after;
  return { ids, ...(offset < ranked.length && { next: { ...position, offset, after } }) };
}

/** Cuts a page by date, which has one id more if others follow. */
function cut(ids: readonly number[], limit: number, position: DatePosition): Page {
  if (ids.length <= limit) return { ids };
  const page = ids.slice(0, limit);
  return { ids: page, next: { ...position, before: page.at(-1) ?? position.before } };
}

/** Returns the first page of a search by date: its head, then the newest of the others. */
function headFirst(head: readonly number[], newest: readonly number[], limit: number): Page {
  if (head.length > limit) return cut(head, limit, startOf("head"));
  const others = newest.filter((id) => !head.includes(id));
  const rest = cut(others, limit - head.length, startOf("rest"));
  return { ...rest, ids: [...head, ...rest.ids] };
}

/** Returns the next ids by date, newest first. A search by words starts with its head. */
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
  return { kind: "date", part, before: Number.MAX_SAFE_INTEGER };
}
