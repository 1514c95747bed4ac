/**
 * Parses an ISO 8601 date or time. A date means its start in UTC, and a time without an offset is UTC. Undefined for
 * any other text.
 */
export function dayOrTime(value: string): Date | undefined {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const isTime =
    /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})?$/.test(
      value,
    );
  const hasOffset = /(?:[Zz]|[+-]\d{2}:?\d{2})$/.test(value);
  // Date.parse turns 30 February into 2 March.
  const [year = 0, month = 0, day = 0] = value.slice(0, 10).split("-").map(Number);
  const isDay = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
  const time =
    isDay && (isDate || isTime) ? Date.parse(isDate || hasOffset ? value : `${value}Z`) : NaN;
  return Number.isNaN(time) ? undefined : new Date(time);
}
