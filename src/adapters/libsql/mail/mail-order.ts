/**
 * `mail.search_id`, also the row id in the full-text index: the message's date in seconds in the upper bits, a counter
 * in the lower 20. The newest hits of a search are therefore at one end of the index, and a range of dates is a range
 * of ids. They stay below 2^53 until the year 2242.
 */
export const slotsPerSecond = 2 ** 20;

/** The latest second that fits. */
const lastSecond = 2 ** 33 - 1;

/** Returns the least id for messages of this date or later. */
export function firstIdAt(date: Date): number {
  const second = Math.min(Math.ceil(date.getTime() / 1000), lastSecond);
  return second * slotsPerSecond;
}

/** Returns the least id in the second of this date. */
export function firstIdIn(date: Date): number {
  const second = Math.min(Math.floor(date.getTime() / 1000), lastSecond);
  return second * slotsPerSecond;
}
