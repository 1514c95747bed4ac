/**
 * `mail.search_id`, also the row id in the full-text index, is the second of the message's date. The newest hits of a
 * search are therefore at one end of the index, and a range of dates is a range of ids. The index stores the distance of
 * two messages for each of their words: ids with four more bits made it an eighth larger.
 *
 * A message whose second is taken gets the next free one within a minute. If that minute is full, it follows the last
 * message of the next hour, else of the next three days, and so on. `mail.displaced` has the seconds by which its id is
 * too high.
 */

/** Seconds in which the next free one is looked for. */
const nearSeconds = 64;
/** Seconds after whose last message another one is placed. Ascending. */
const windows = [12, 18, 24, 30].map((bits) => 2 ** bits);

/** The latest second that fits. */
const lastSecond = 2 ** 33 - 1;

/** Returns the second of the first ids for messages of this date or later. */
export function firstSecondAt(date: Date): number {
  return Math.min(Math.ceil(date.getTime() / 1000), lastSecond);
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
    (SELECT near.search_id + 1 FROM mail AS near WHERE near.search_id >= base AND near.search_id < base + ${nearSeconds - 1}
      AND NOT ${isTaken("near.search_id + 1")} ORDER BY near.search_id LIMIT 1),
    (SELECT last + 1 FROM (SELECT value AS span, (SELECT max(other.search_id) FROM mail AS other
      WHERE other.search_id >= base AND other.search_id < base + value) AS last FROM json_each(?))
      WHERE last + 1 < base + span ORDER BY span LIMIT 1)) AS next
    FROM (SELECT cast(? AS integer) AS base)))`;

export function placeArguments(date: Date): [string, number] {
  return [JSON.stringify(windows), Math.min(Math.floor(date.getTime() / 1000), lastSecond)];
}
