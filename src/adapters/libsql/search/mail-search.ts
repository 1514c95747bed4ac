import type { MailSearch } from "../../../ports/mail/mail-reader.ts";
import type { Database } from "../driver/database.ts";
import type { Row, Statement } from "../driver/statement.ts";
import { type Position, readCursor, searchKey, writeCursor } from "./mail-cursor.ts";
import { numberOf } from "../mail/mail-row.ts";
import {
  byDate,
  cut,
  datedList,
  datedOf,
  type DatePosition,
  dateOfId,
  earlier,
  headFirst,
  idList,
  idsOf,
  newestFirst,
  type ResultPage,
  startOf,
} from "./date-order.ts";
import { type SqlFragment, type Filter, manyIds, noFilter } from "./search-filter.ts";
import {
  candidatesOf,
  foundBy,
  ordered,
  type SearchPlan,
  type SearchSource,
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

type RankPosition = Extract<Position, { kind: "rank" }>;

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
   * Returns a statement that counts, and ranks or takes the newest. Prefix words and a filter's ids are collected anew
   * for each statement.
   */
  function firstPageStatement(plan: SearchPlan, limit: number): Statement {
    const { worded } = plan;
    const isMore = `n > ${limits.mostRanked}`;
    // Some of the filtered mail has the words. If too many match, they are not ranked and their scores are wasted,
    // which costs as much as a second search.
    const isRankedAtOnce = worded !== undefined && worded.filter.most <= 1.5 * limits.mostRanked;
    const found = isRankedAtOnce
      ? candidatesOf(worded.words.all, worded.filter, { score })
      : ordered(foundBy(plan, "all", mostFound), mostFound);
    // The index finds plain hits a second time faster than it fills a list of them.
    const isFoundAgain = !isRankedAtOnce && (isList(plan) ? plan.sources : [worded]).every(isPlain);
    const most = isList(plan) && isFoundAgain ? limit + 1 : 2 * limit + 1;
    const those = isFoundAgain
      ? foundBy(plan, "all", most + plan.displaced)
      : { sql: "SELECT id FROM found", args: [] };
    const columns = [
      datedList(newestFirst(those, most, plan.displaced), "newest", isList(plan) ? "true" : isMore),
    ];
    if (worded !== undefined) {
      const head = candidatesOf(worded.words.head, worded.filter);
      columns.push(datedList(newestFirst(head, limit + 1, plan.displaced), "head", isMore));
    }
    if (!isList(plan)) {
      const best = rankedFound(plan, isRankedAtOnce, limits.rankedAtOnce);
      columns.push(idList(best, "ranked", `NOT ${isMore}`));
    }
    return {
      sql: `WITH found AS ${isFoundAgain ? "NOT " : ""}MATERIALIZED (${found.sql}) SELECT n, (SELECT max(mail_id) FROM mail) AS last_mail_id,
        ${columns.map(({ sql }) => sql).join(", ")} FROM (SELECT count(*) AS n FROM found)`,
      args: [...found.args, ...columns.flatMap(({ args }) => args)],
    };
  }

  async function firstPage(
    key: string,
    plan: SearchPlan,
    limit: number,
  ): Promise<[counted: number, page: ResultPage]> {
    const { rows } = await database.read(firstPageStatement(plan, limit));
    const row = rows[0] ?? {};
    const counted = numberOf(row, "n") ?? 0;
    const isTooMany = counted > limits.mostRanked;
    if (isList(plan) || (isTooMany && plan.worded === undefined))
      return [counted, cut(datedOf(row, "newest"), limit, startOf("all"))];
    if (isTooMany) return [counted, headFirst(datedOf(row, "head"), datedOf(row, "newest"), limit)];
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
      return ranked(plan, candidatesOf(worded.words.all, narrowed(worded.filter), { score }), most);
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

  async function datePage(plan: SearchPlan, at: DatePosition, most: number) {
    const displaced = at.date === undefined ? 0 : plan.mostDisplaced;
    const narrowed = (filter: Filter): Filter => earlier(filter, at, displaced);
    const found = foundBy(plan, at.part, most + displaced, narrowed);
    const newest = newestFirst(found, most, displaced);
    return datedOf(await read(datedList(newest, "newest", "true")), "newest");
  }

  /** Returns a page by rank. The order is cached, or later mail is left out, so that new mail changes nothing. */
  async function byRank(
    key: string,
    plan: SearchPlan,
    limit: number,
    position: RankPosition,
  ): Promise<ResultPage> {
    const wanted = position.offset + limit + 1;
    const known = remembered.get(memoryKey(key, position));
    if (known !== undefined && (known.length >= wanted || known.length < limits.rankedAtOnce))
      return rankPage(known, limit, position);
    const { lastMailId } = position;
    const most = wanted > limits.rankedAtOnce ? limits.mostRanked : limits.rankedAtOnce;
    const anew = rankedAnew(plan, (filter) => arrived(filter, lastMailId), most);
    const ids = idsOf(await read(idList(anew, "ranked", "true")), "ranked");
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

  async function read({ sql, args }: SqlFragment): Promise<Row> {
    const { rows } = await database.read({ sql: `SELECT ${sql}`, args });
    return rows[0] ?? {};
  }
}

/** Returns whether the index finds the newest hits without further work. It merges the words of a prefix first. */
function isPlain(source: SearchSource | undefined): boolean {
  if (source === undefined || source.words.all.includes("*")) return false;
  const { words, filter } = source;
  return (words.all === "" ? filter.mailCondition : filter.hitCondition).sql === "";
}

/** Returns whether a search is not ranked, so that the newest mail comes first. */
function isList(plan: SearchPlan): boolean {
  return plan.ranking === "";
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
function rankedFound(plan: SearchPlan, hasScores: boolean, most: number): SqlFragment {
  const { worded, ranking } = plan;
  if (hasScores) return ranked(plan, { sql: "SELECT id, score FROM found", args: [] }, most);
  const filter = worded?.filter ?? noFilter;
  const isAll = worded?.filter.hitCondition.sql === "";
  const isFound = isAll ? "" : " AND +mail_words.rowid IN (SELECT id FROM found)";
  const hits = candidatesOf(
    ranking,
    { ...filter, hitCondition: { sql: isFound, args: [] } },
    { score },
  );
  if (worded !== undefined) return ranked(plan, hits, most);
  // Results without the words come after those with them.
  const all = `SELECT id, min(score) AS score FROM (${hits.sql} UNION ALL SELECT id, 0 FROM found) GROUP BY id`;
  return ranked(plan, { sql: all, args: hits.args }, most);
}

/** Orders equal scores by date, newest first, so that every query has the same order. */
function ranked(plan: SearchPlan, { sql, args }: SqlFragment, most: number): SqlFragment {
  const best = `${sql} ORDER BY score, id DESC LIMIT ?`;
  return {
    sql:
      plan.displaced === 0
        ? best
        : `SELECT id FROM (${best}) ORDER BY score, ${dateOfId} DESC, id DESC`,
    args: [...args, most],
  };
}

function memoryKey(key: string, { lastMailId }: RankPosition): string {
  return `${key}.${lastMailId}`;
}

function rankPage(ranked: readonly number[], limit: number, position: RankPosition): ResultPage {
  const last = position.offset === 0 ? -1 : ranked.indexOf(position.after);
  const begin = last === -1 ? position.offset : last + 1;
  const ids = ranked.slice(begin, begin + limit);
  const offset = begin + ids.length;
  const after = ids.at(-1) ?? position.after;
  return { ids, ...(offset < ranked.length && { next: { ...position, offset, after } }) };
}
