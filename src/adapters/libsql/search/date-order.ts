import { idsAround } from "../mail/mail-order.ts";
import { textOf } from "../mail/mail-row.ts";
import type { Row } from "../driver/statement.ts";
import type { Position } from "./mail-cursor.ts";
import { type Filter, lookedUp, type SqlFragment } from "./search-filter.ts";
import { ordered } from "./search-plan.ts";

export type DatePosition = Extract<Position, { kind: "date" }>;

/** A message of a result. The date is null if the ids have the order of the dates. */
type Dated = readonly [id: number, date: number | null];

export interface ResultPage {
  ids: readonly number[];
  next?: Position;
}

/** The date of the message with the id of the enclosing select. */
export const dateOfId = "(SELECT date FROM mail WHERE search_id = id)";

/**
 * Selects the newest, the newest first. A message that is displaced by `n` ids has a higher id than at most `n` later
 * messages. Therefore `displaced` more messages are read by id, and then ordered by date.
 * @param displaced the largest number of ids by which a message is displaced
 */
export function newestFirst(found: SqlFragment, most: number, displaced: number): SqlFragment {
  if (displaced === 0) {
    const { sql, args } = ordered(found, most);
    return { sql: `SELECT id, NULL AS date FROM (${sql})`, args };
  }
  const { sql, args } = ordered(found, most + displaced);
  return {
    sql: `SELECT id, date FROM (SELECT id, ${dateOfId} AS date FROM (${sql})) ORDER BY date DESC, id DESC LIMIT ?`,
    args: [...args, most],
  };
}

/** Returns a column with a list of ids: one value instead of a thousand rows between threads. */
export function idList(
  { sql, args }: SqlFragment,
  name: string,
  when: string,
  value = "id",
): SqlFragment {
  return {
    sql: `CASE WHEN ${when} THEN (SELECT json_group_array(${value}) FROM (${sql})) END AS ${name}`,
    args,
  };
}

/** Returns a column with a list of the messages that `newestFirst` selects. */
export function datedList(found: SqlFragment, name: string, when: string): SqlFragment {
  return idList(found, name, when, "json_array(id, date)");
}

export function idsOf(row: Row, column: string): number[] {
  return listOf(row, column).map(Number);
}

export function datedOf(row: Row, column: string): Dated[] {
  // `datedList` wrote this type.
  return listOf(row, column).map((one) => one as Dated);
}

function listOf(row: Row, column: string): unknown[] {
  const list: unknown = JSON.parse(textOf(row, column) ?? "[]");
  return Array.isArray(list) ? list : [];
}

/** Limits a filter to messages after a position, which are earlier. */
export function earlier(filter: Filter, { before, date }: DatePosition, displaced: number): Filter {
  if (date === undefined) return { ...filter, below: Math.min(before, filter.below) };
  const { from } = idsAround(new Date(date));
  const add = ({ sql, args }: SqlFragment, column: string): SqlFragment => {
    const known = lookedUp("mail", column, "(known.date, known.search_id) < (?, ?)");
    return {
      sql: `${sql} AND (+${column} < ? OR ${known})`,
      args: [...args, from, date, before],
    };
  };
  return {
    ...filter,
    below: Math.min(from + displaced + 1, filter.below),
    mailCondition: add(filter.mailCondition, "mail.search_id"),
    hitCondition: add(filter.hitCondition, "mail_words.rowid"),
  };
}

/** Cuts a page by date, which has one message more if others follow. */
export function cut(newest: readonly Dated[], limit: number, position: DatePosition): ResultPage {
  const page = newest.slice(0, limit);
  const ids = page.map(([id]) => id);
  if (newest.length <= limit) return { ids };
  const [before, date] = page.at(-1) ?? [position.before, position.date ?? null];
  const { kind, part } = position;
  return { ids, next: { kind, part, before, ...(date !== null && { date }) } };
}

/** Returns the first page of a search by date: its head, then the newest of the others. */
export function headFirst(
  head: readonly Dated[],
  newest: readonly Dated[],
  limit: number,
): ResultPage {
  const page = cut(head, limit, startOf("head"));
  if (page.next !== undefined) return page;
  const others = newest.filter(([id]) => !page.ids.includes(id));
  const rest = cut(others, limit - page.ids.length, startOf("rest"));
  return { ...rest, ids: [...page.ids, ...rest.ids] };
}

/** Returns the next ids by date, newest first. A search by words starts with its head. */
export async function byDate(
  limit: number,
  position: DatePosition,
  fetch: (at: DatePosition, most: number) => Promise<Dated[]>,
): Promise<ResultPage> {
  const page = cut(await fetch(position, limit + 1), limit, position);
  if (page.next !== undefined || position.part !== "head") return page;
  const rest = await byDate(limit - page.ids.length, startOf("rest"), fetch);
  return { ...rest, ids: [...page.ids, ...rest.ids] };
}

export function startOf(part: DatePosition["part"]): DatePosition {
  return { kind: "date", part, before: Number.MAX_SAFE_INTEGER };
}
