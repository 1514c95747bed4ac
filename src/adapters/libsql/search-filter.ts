import type { MailSearch } from "../../ports/mail-reader.ts";
import type { Database, Row, SqlValue } from "./database.ts";
import { firstIdAt } from "./mail-order.ts";
import { foldedCase, numberOf, textOf } from "./mail-row.ts";
import type { SearchQuery } from "./search-query.ts";
import { ftsAny } from "./search-text.ts";

export interface Condition {
  sql: string;
  args: SqlValue[];
}

/** What a message must be beside having the words and not having others. */
export interface Filter {
  /** The range of ids that its dates leave: from, and below. */
  from: number;
  below: number;
  /** On a row of `mail`, what it must not have included. Both begin with AND, or are empty. */
  ofMail: Condition;
  /** On a row of `mail_words`. */
  ofHit: Condition;
  /** So many messages at most pass it; infinite where nobody knows. */
  most: number;
}

/** Messages that an index knows. */
interface Known {
  /** A table with `search_id`, as the index has it; `indexed` names the one that is looked up by `search_id`. */
  table: string;
  indexed: string;
  /** What a row of the table must meet; a plus before its column keeps it from choosing the index. */
  where: (plus: string) => Condition;
  /** How many they are; where they are many, that is all that is known. */
  count: number;
  isMany: boolean;
}

/**
 * From so many ids on, and a twelfth of all mail, each candidate is looked up, while fewer are collected once: both cost about a
 * third of a microsecond an id. Looking up ends when enough are found, which is the sooner the more there are.
 */
export const manyIds = 20_000;

const lastId = Number.MAX_SAFE_INTEGER;

/** Reads what a search says beside its words; looks into the database for people and how much mail they have. */
export function searchFilter(database: Database, fewestMany: number) {
  const many = `${fewestMany} + (SELECT coalesce(max(mail_id), 0) / 12 FROM mail)`;

  return async function filterOf(search: MailSearch, query: SearchQuery): Promise<Filter> {
    const from = [...(search.from === undefined ? [] : [[search.from]]), ...query.from];
    const attachments = [search.hasAttachment, query.hasAttachment].filter(
      (wanted) => wanted !== undefined,
    );
    const range = {
      from: Math.max(-Infinity, ...firstIds([search.after, query.after])),
      below: Math.min(Infinity, ...firstIds([search.before, query.before])),
    };
    const [inRange, parts] = await Promise.all([
      mostIn(range),
      Promise.all([
        ...from.map((who) => sentBy(who, true)),
        ...query.notFrom.map((who) => sentBy([who], false)),
        ...query.to.map(async (who) => part(await sentTo(who), true)),
        ...query.notTo.map(async (who) => part(await sentTo([who]), false)),
        ...attachments.map(async (wanted) => part(await attached(), wanted)),
      ]),
    ]);
    return {
      ...range,
      ofMail: allOf([...parts.map(({ on }) => on("mail.search_id")), ...unwanted(query)]),
      ofHit: allOf(parts.map(({ on }) => on("mail_words.rowid"))),
      most: Math.min(inRange, ...parts.map(({ most }) => most)),
    };
  };

  /** Each message has one sender: where a word fits most of them, the others say it sooner. */
  async function sentBy(who: readonly string[], isWanted: boolean): Promise<Part> {
    const fitting = await senders(who, "> 0");
    const others = fitting.isMany ? await senders(who, "= 0") : fitting;
    return others.isMany || !fitting.isMany ? part(fitting, isWanted) : part(others, !isWanted);
  }

  async function senders(who: readonly string[], fits: "> 0" | "= 0"): Promise<Known> {
    return {
      table: "mail",
      indexed: "INDEXED BY mail_with_sender",
      ...(await people("sender_id", { of: "mail_senders", in: "mail" }, who, fits)),
    };
  }

  async function sentTo(who: readonly string[]): Promise<Known> {
    return {
      table: "mail_sent_to",
      indexed: "",
      ...(await people("recipient_id", { of: "mail_recipients", in: "mail_sent_to" }, who, "> 0")),
    };
  }

  async function people(
    id: string,
    table: { of: string; in: string },
    who: readonly string[],
    fits: "> 0" | "= 0",
  ) {
    const any = who.map(() => `instr(folded, ?) ${fits}`).join(fits === "> 0" ? " OR " : " AND ");
    const { rows } = await database.read({
      sql: `WITH who (id) AS MATERIALIZED (SELECT ${id} FROM ${table.of} WHERE ${any})
        SELECT (SELECT json_group_array(id) FROM who) AS ids,
          ${counted(`${table.in} WHERE ${id} IN (SELECT id FROM who)`)}`,
      args: who.map(foldedCase),
    });
    const [row = {}] = rows;
    const ids = textOf(row, "ids") ?? "[]";
    return {
      ...countOf(row),
      where: (plus: string): Condition => ({
        sql: `${plus}${id} IN (SELECT value FROM json_each(?))`,
        args: [ids],
      }),
    };
  }

  function counted(rows: string): string {
    return `${many} AS many, (SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ${many})) AS count`;
  }

  async function mostIn({ from, below }: Pick<Filter, "from" | "below">): Promise<number> {
    if (!Number.isFinite(from) && !Number.isFinite(below)) return Infinity;
    const { rows } = await database.read({
      sql: `SELECT ${counted("mail WHERE search_id >= ? AND search_id < ?")}`,
      args: [Math.max(-lastId, from), Math.min(below, lastId)],
    });
    const { count, isMany } = countOf(rows[0] ?? {});
    return isMany ? Infinity : count;
  }

  async function attached(): Promise<Known> {
    const { rows } = await database.read({
      sql: `SELECT ${counted("mail WHERE attachment_count > 0")}`,
      args: [],
    });
    return {
      table: "mail",
      indexed: "INDEXED BY mail_with_attachment",
      where: () => ({ sql: "attachment_count > 0", args: [] }),
      ...countOf(rows[0] ?? {}),
    };
  }
}

interface Part {
  /** The condition on a column with ids. */
  on: (column: string) => Condition;
  most: number;
}

function countOf(row: Row): Pick<Known, "count" | "isMany"> {
  const count = numberOf(row, "count") ?? 0;
  return { count, isMany: count >= (numberOf(row, "many") ?? 0) };
}

/** That a message is, or is not, one of these. */
function part(known: Known, isWanted: boolean): Part {
  const not = isWanted ? "" : "NOT ";
  return {
    most: isWanted && !known.isMany ? known.count : Infinity,
    on: (column) => (known.isMany ? lookUp : collect)(known, column, not),
  };
}

function lookUp({ table, indexed, where }: Known, column: string, not: string): Condition {
  const { sql, args } = where("+known.");
  return {
    sql: `${not}EXISTS (SELECT 1 FROM ${table} AS known ${indexed} WHERE known.search_id = ${column} AND ${sql})`,
    args,
  };
}

function collect({ table, where }: Known, column: string, not: string): Condition {
  const { sql, args } = where("");
  // The plus keeps SQLite from looking up the words once for each of these ids.
  const plus = column.startsWith("mail_words") ? "+" : "";
  return {
    sql: `${plus}${column} ${not}IN (SELECT search_id FROM ${table} WHERE ${sql} AND search_id IS NOT NULL)`,
    args,
  };
}

/** Where there are words, these are part of the expression; without, the index has no expression for all others. */
function unwanted({ without }: SearchQuery): Condition[] {
  if (without.length === 0) return [];
  const sql = "mail.search_id NOT IN (SELECT rowid FROM mail_words WHERE mail_words MATCH ?)";
  return [{ sql, args: [ftsAny(without)] }];
}

/** The range of what the driver takes: a date may lie anywhere. */
function firstIds(dates: readonly (Date | undefined)[]): number[] {
  return dates
    .filter((date) => date !== undefined)
    .map((date) => Math.max(-lastId, Math.min(firstIdAt(date), lastId)));
}

function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => ` AND ${sql}`).join(""),
    args: conditions.flatMap(({ args }) => args),
  };
}
