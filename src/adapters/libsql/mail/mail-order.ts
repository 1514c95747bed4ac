/**
 * `mail.search_id`, also the row id in the full-text index, is the minute of the message's date. The newest hits of a
 * search are therefore near one end of the index, and a range of dates is a range of ids. The index stores the distance
 * of two messages for each of their words: the seconds of the dates made it an eighth larger.
 *
 * A message whose minute is taken gets the next free one within an hour. If that hour is full, it follows the last
 * message of the next four hours, else of the next 17, and so on. `mail.displaced` has the minutes by which its id is
 * too high. See date-order.ts for the order of such messages.
 */

/** Milliseconds of one id. Days begin with an id of their own. */
const idMs = 60_000;
/** Ids in which the next free one is looked for. */
const nearIds = 64;
/** Ids after whose last message another one is placed. Ascending. */
const windows = [8, 10, 12, 18, 24, 30].map((bits) => 2 ** bits);

/** The latest minute that fits. */
const lastId = 2 ** 28 - 1;

/** The ids around a date. */
export interface IdsAround {
  /** Messages before this id are earlier than the date. */
  from: number;
  /** Messages from this id are of the date or later, unless they are displaced. */
  below: number;
}

/** Returns the ids around a date. They are equal if the date is the beginning of a minute. */
export function idsAround(date: Date): IdsAround {
  const place = date.getTime() / idMs;
  return { from: Math.min(Math.floor(place), lastId), below: Math.min(Math.ceil(place), lastId) };
}

/** Returns the condition that another row of `mail` has an id. */
const isTaken = (id: string): string =>
  `EXISTS (SELECT 1 FROM mail AS taken WHERE taken.search_id = ${id} AND taken.mail_id <> mail.mail_id)`;

/**
 * The place of a row of `mail` in the order, as a list of `search_id` and `displaced`. The arguments are
 * `placeArguments`.
 */
export const place = `(SELECT next, nullif(next - base, 0) FROM (SELECT base, coalesce(
    iif(${isTaken("base")}, NULL, base),
    (SELECT near.search_id + 1 FROM mail AS near WHERE near.search_id >= base AND near.search_id < base + ${nearIds - 1}
      AND NOT ${isTaken("near.search_id + 1")} ORDER BY near.search_id LIMIT 1),
    (SELECT last + 1 FROM (SELECT value AS span, (SELECT max(other.search_id) FROM mail AS other
      WHERE other.search_id >= base AND other.search_id < base + value) AS last FROM json_each(?))
      WHERE last + 1 < base + span ORDER BY span LIMIT 1)) AS next
    FROM (SELECT cast(? AS integer) AS base)))`;

export function placeArguments(date: Date): [string, number] {
  return [JSON.stringify(windows), idsAround(date).from];
}
