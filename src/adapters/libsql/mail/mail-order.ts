/**
 * `mail.search_id`, which is also the row id in the index of words: the message's date in seconds in the upper bits, a
 * running number in the lower 20. So the newest hits of any search are at one end of the index, and a range of dates is a
 * range of ids. Stays below 2^53 until the year 2242.
 */
export const slotsPerSecond = 2 ** 20;

/** The latest second that still fits. */
const lastSecond = 2 ** 33 - 1;

/** The least id that a message of this date, or a later one, can have. */
export function firstIdAt(date: Date): number {
  const second = Math.min(Math.ceil(date.getTime() / 1000), lastSecond);
  return second * slotsPerSecond;
}

/** The least id of the second in which this date lies. */
export function firstIdIn(date: Date): number {
  const second = Math.min(Math.floor(date.getTime() / 1000), lastSecond);
  return second * slotsPerSecond;
}
