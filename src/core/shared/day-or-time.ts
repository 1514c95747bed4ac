/** A date stands for its beginning in UTC, and so does a time without an offset. Undefined for anything but ISO 8601. */
export function dayOrTime(value: string): Date | undefined {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const isTime =
    /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})?$/.test(
      value,
    );
  const hasOffset = /(?:[Zz]|[+-]\d{2}:?\d{2})$/.test(value);
  // Date.parse makes 2 March of 30 February.
  const [year = 0, month = 0, day = 0] = value.slice(0, 10).split("-").map(Number);
  const isDay = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
  const time =
    isDay && (isDate || isTime) ? Date.parse(isDate || hasOffset ? value : `${value}Z`) : NaN;
  return Number.isNaN(time) ? undefined : new Date(time);
}
