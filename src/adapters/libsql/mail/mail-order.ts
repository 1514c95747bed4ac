/**
 * `mail.search_id`, also the row id in the full-text index: the message's date in seconds in the upper bits, a counter
 * in the lower four. The newest hits of a search are therefore at one end of the index, and a range of dates is a range
 * of ids. The index stores the distance of two messages for each of their words, so wider ids would fill half of it.
 */
export const slotsPerSecond = 2 ** 4;

/**
 * A message whose second is full follows the last message of the next minute, else of the next hour, and so on.
 * `mail.displaced` has the seconds by which its id is too high. Numbers of ids, ascending.
 */
const windows = [0, 6, 12, 18, 24, 30].map((bits) => slotsPerSecond * 2 ** bits);

/** The latest second that fits. */
const lastSecond = 2 ** 33 - 1;

/** Returns the second of the first ids for messages of this date or later. */
export function firstSecondAt(date: Date): number {
  return Math.min(Math.ceil(date.getTime() / 1000), lastSecond);
}

/**
 * The place of a row of `mail` in the order, as a list of `search_id` and `displaced`. A message that is in its second
 * already stays there. The arguments are `placeArguments`.
 */
export const place = `(SELECT next, nullif((next - base) / ${slotsPerSecond}, 0) FROM (
    SELECT base, value AS span, CASE WHEN mail.search_id >= base AND mail.search_id < base + ${slotsPerSecond} THEN mail.search_id
      ELSE coalesce((SELECT max(other.search_id) + 1 FROM mail AS other WHERE other.search_id >= base AND other.search_id < base + value), base)
      END AS next FROM (SELECT cast(? AS integer) AS base), json_each(?))
    WHERE next < base + span ORDER BY span LIMIT 1)`;

export function placeArguments(date: Date): [number, string] {
  const second = Math.min(Math.floor(date.getTime() / 1000), lastSecond);
  return [second * slotsPerSecond, JSON.stringify(windows)];
}
