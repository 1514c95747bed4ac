import type { MailSearch } from "../../ports/mail-reader.ts";
import type { Database, SqlValue } from "./database.ts";
import { type Position, readCursor, searchKey, writeCursor } from "./mail-cursor.ts";
import { firstIdAt } from "./mail-order.ts";
import { foldedCase, numberOf } from "./mail-row.ts";
import type { SearchQuery } from "./search-query.ts";
import { ftsAny, ftsQuery } from "./search-text.ts";

/** What is counted at most: bm25 looks at every hit, so that beyond this a search goes by date. */
const mostRanked = 10_000;
/** Ranked at one go and remembered, so that the following pages cost nothing and cannot shift. */
const rankedAtOnce = 1_000;
const searchesRemembered = 32;

/** A word in the subject weighs most, then one in the sender's name, the summary, the body. */
const rank = "bm25(mail_words, 8.0, 5.0, 2.0, 1.0)";

export interface FoundIds {
  ids: readonly number[];
  total: number;
  totalIsLowerBound: boolean;
  nextCursor: string | undefined;
}

type DatePosition = Extract<Position, { by: "date" }>;

interface Page {
  ids: readonly number[];
  next?: Position;
}

interface Condition {
  sql: string;
  args: SqlValue[];
}

/** One condition: on the row of a message, and on the id of a hit. */
interface Part {
  ofMail: Condition;
  ofHit: Condition;
}

/** What a message must be beside having the words, and the range of ids that its dates leave: from, and below. */
interface Filter extends Part {
  from: number;
  below: number;
}

/** A condition that only the row of the message can tell. */
function rowMust(sql: string, ...args: SqlValue[]): Part {
  const ofHit = `EXISTS (SELECT 1 FROM mail WHERE mail.search_id = mail_words.rowid AND ${sql})`;
  return { ofMail: { sql, args }, ofHit: { sql: ofHit, args } };
}

/**
 * A condition that an index answers: the ids that meet it are collected once, and each hit is looked up there. The plus keeps
 * SQLite from looking up the words once for each of these ids.
 */
function idMustBe(is: "IN" | "NOT IN", sql: string, ...args: SqlValue[]): Part {
  const ids = `(SELECT search_id FROM mail WHERE ${sql} AND search_id IS NOT NULL)`;
  return {
    ofMail: { sql: is === "IN" ? sql : `NOT (${sql})`, args },
    ofHit: { sql: `+mail_words.rowid ${is} ${ids}`, args },
  };
}

function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => ` AND ${sql}`).join(""),
    args: conditions.flatMap(({ args }) => args),
  };
}

/** Finds the ids of one page. Every other fact of a message is read by its id. */
export function mailSearcher(database: Database) {
  const remembered = new Map<string, readonly number[]>();

  return async function find(search: MailSearch, query: SearchQuery): Promise<FoundIds> {
    const key = searchKey(search);
    const position = search.cursor === undefined ? undefined : readCursor(search.cursor, key);
    const filter = await filters(search, query);
    const fts = ftsQuery(query.groups);
    const counted = await count(fts, filter);
    const total = Math.min(counted, mostRanked);
    const totals = { total, totalIsLowerBound: counted > mostRanked };
    if (counted === 0) return { ids: [], ...totals, nextCursor: undefined };
    const page =
      fts === ""
        ? await byDate(search.limit, position?.by === "date" ? position : startOf("all"), (...at) =>
            listPage(filter, ...at),
          )
        : position?.by === "date" || (position === undefined && counted > mostRanked)
          ? await byDate(search.limit, position ?? startOf("head"), (...at) =>
              hitPage(fts, filter, ...at),
            )
          : await byRank(key, fts, filter, search.limit, position);
    const next = page.next === undefined ? undefined : writeCursor(key, page.next);
    return { ids: page.ids, ...totals, nextCursor: next };
  };

  async function filters(search: MailSearch, query: SearchQuery): Promise<Filter> {
    const parts: Part[] = [];
    const from = [...(search.from === undefined ? [] : [search.from]), ...query.from];
    for (const who of from) parts.push(await sentBy(who, "IN"));
    for (const who of query.notFrom) parts.push(await sentBy(who, "NOT IN"));
    for (const who of query.to) parts.push(sentTo(who, "EXISTS"));
    for (const who of query.notTo) parts.push(sentTo(who, "NOT EXISTS"));
    if (query.without.length > 0) {
      const words = "(SELECT rowid FROM mail_words WHERE mail_words MATCH ?)";
      const args = [ftsAny(query.without)];
      parts.push({
        ofMail: { sql: `mail.search_id NOT IN ${words}`, args },
        ofHit: { sql: `+mail_words.rowid NOT IN ${words}`, args },
      });
    }
    for (const wanted of [search.hasAttachment, query.hasAttachment]) {
      if (wanted !== undefined)
        parts.push(idMustBe(wanted ? "IN" : "NOT IN", "mail.attachment_count > 0"));
    }
    const after = [search.after, query.after].filter((date) => date !== undefined);
    const before = [search.before, query.before].filter((date) => date !== undefined);
    return {
      from: Math.max(-Number.MAX_SAFE_INTEGER, ...after.map(firstIdAt)),
      below: Math.min(Number.MAX_SAFE_INTEGER, ...before.map(firstIdAt)),
      ofMail: allOf(parts.map(({ ofMail }) => ofMail)),
      ofHit: allOf(parts.map(({ ofHit }) => ofHit)),
    };
  }

  async function sentBy(who: string, is: "IN" | "NOT IN"): Promise<Part> {
    const { rows } = await database.read({
      sql: "SELECT coalesce(json_group_array(sender_id), '[]') AS ids FROM mail_senders WHERE instr(folded, ?) > 0",
      args: [foldedCase(who)],
    });
    const ids = rows[0]?.["ids"] ?? "[]";
    return idMustBe(is, "mail.sender_id IN (SELECT value FROM json_each(?))", ids);
  }

  /** Recipients are in no index: this looks at each message that the rest of the search leaves. */
  function sentTo(who: string, is: "EXISTS" | "NOT EXISTS"): Part {
    return rowMust(
      `${is} (SELECT 1 FROM json_tree(mail.recipients) AS each_one WHERE each_one.type = 'text'
        AND instr(lower(each_one.value), ?) > 0)`,
      foldedCase(who),
    );
  }

  /** Rows of the index of words that pass the filter, below an id. Dates are ranges of ids, which the index itself knows. */
  function hits(fts: string, { from, ofHit, ...filter }: Filter, below = filter.below): Condition {
    return {
      sql: `mail_words WHERE mail_words MATCH ? AND rowid >= ? AND rowid < ?${ofHit.sql}`,
      args: [fts, from, below, ...ofHit.args],
    };
  }

  function listed({ from, ofMail, ...filter }: Filter, below = filter.below): Condition {
    return {
      sql: `mail WHERE search_id >= ? AND search_id < ?${ofMail.sql}`,
      args: [from, below, ...ofMail.args],
    };
  }

  async function count(fts: string, filter: Filter): Promise<number> {
    const { sql, args } = fts === "" ? listed(filter) : hits(fts, filter);
    const { rows } = await database.read({
      sql: `SELECT count(*) AS n FROM (SELECT 1 FROM ${sql} LIMIT ${mostRanked + 1})`,
      args,
    });
    return rows[0] === undefined ? 0 : (numberOf(rows[0], "n") ?? 0);
  }

  async function idsOf(sql: string, args: readonly SqlValue[]): Promise<number[]> {
    // One value instead of a thousand rows on the way between threads.
    const { rows } = await database.read({
      sql: `SELECT json_group_array(id) AS ids FROM (${sql})`,
      args,
    });
    const ids: unknown = JSON.parse(String(rows[0]?.["ids"] ?? "[]"));
    return Array.isArray(ids) ? ids.map(Number) : [];
  }

  function listPage(filter: Filter, { before }: DatePosition, most: number): Promise<number[]> {
    const { sql, args } = listed(filter, Math.min(before, filter.below));
    return idsOf(`SELECT search_id AS id FROM ${sql} ORDER BY search_id DESC LIMIT ?`, [
      ...args,
      most,
    ]);
  }

  function hitPage(
    fts: string,
    filter: Filter,
    { part, before }: DatePosition,
    most: number,
  ): Promise<number[]> {
    const head = `{subject sender} : (${fts})`;
    const expression = part === "head" ? head : `(${fts}) NOT (${head})`;
    const { sql, args } = hits(expression, filter, Math.min(before, filter.below));
    return idsOf(`SELECT rowid AS id FROM ${sql} ORDER BY rowid DESC LIMIT ?`, [...args, most]);
  }

  async function byRank(
    key: string,
    fts: string,
    filter: Filter,
    limit: number,
    position: Extract<Position, { by: "rank" }> | undefined,
  ): Promise<Page> {
    const offset = position?.offset ?? 0;
    const lastMailId = position?.lastMailId ?? (await newestMailId());
    const wanted = offset + limit + 1;
    const all = await ranked(`${key}.${lastMailId}`, fts, filter, wanted, position?.lastMailId);
    const ids = all.slice(offset, offset + limit);
    const end = offset + ids.length;
    return {
      ids,
      ...(end < all.length && { next: { by: "rank" as const, offset: end, lastMailId } }),
    };
  }

  async function newestMailId(): Promise<number> {
    const { rows } = await database.read({ sql: "SELECT max(mail_id) AS id FROM mail", args: [] });
    return rows[0] === undefined ? 0 : (numberOf(rows[0], "id") ?? 0);
  }

  /** Mail that arrived after the first page changes nothing: the order is remembered, or that mail is left out. */
  async function ranked(
    key: string,
    fts: string,
    filter: Filter,
    wanted: number,
    lastMailId: number | undefined,
  ): Promise<readonly number[]> {
    const known = remembered.get(key);
    if (known !== undefined && (known.length >= wanted || known.length < rankedAtOnce))
      return known;
    const narrowed = lastMailId === undefined ? filter : arrivedBy(lastMailId, filter);
    const { sql, args } = hits(fts, narrowed);
    const ids = await idsOf(`SELECT rowid AS id FROM ${sql} ORDER BY ${rank} LIMIT ?`, [
      ...args,
      wanted > rankedAtOnce ? mostRanked : rankedAtOnce,
    ]);
    remembered.delete(key);
    remembered.set(key, ids);
    const [oldest] = remembered.keys();
    if (remembered.size > searchesRemembered && oldest !== undefined) remembered.delete(oldest);
    return ids;
  }
}

function arrivedBy(lastMailId: number, filter: Filter): Filter {
  const { ofHit } = rowMust("mail.mail_id <= ?", lastMailId);
  const { sql, args } = filter.ofHit;
  return { ...filter, ofHit: { sql: `${sql} AND ${ofHit.sql}`, args: [...args, ...ofHit.args] } };
}

/** The next ids by date, newest first; a search by words gives its best part first. */
async function byDate(
  limit: number,
  position: DatePosition,
  fetch: (at: DatePosition, most: number) => Promise<number[]>,
): Promise<Page> {
  const ids = await fetch(position, limit + 1);
  if (ids.length > limit)
    return { ids: ids.slice(0, limit), next: { ...position, before: ids[limit - 1] ?? 0 } };
  if (position.part !== "head") return { ids };
  const rest = await byDate(limit - ids.length, startOf("rest"), fetch);
  return { ...rest, ids: [...ids, ...rest.ids] };
}

function startOf(part: DatePosition["part"]): DatePosition {
  return { by: "date", part, before: Number.MAX_SAFE_INTEGER };
}
