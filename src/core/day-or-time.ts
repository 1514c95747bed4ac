/** A date stands for its beginning in UTC, and so does a time without an offset. Undefined for anything but ISO 8601. */
export function dayOrTime(value: string): Date | undefined {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const isTime =
    /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})?$/.test(
      value,
    );
  const hasOffset = /(?:[Zz]|[+-]\d{2}:?\d{2})$/.test(value);
  const time = isDate || isTime ? Date.parse(isDate || hasOffset ? value : `${value}Z`) : NaN;
  return Number.isNaN(time) ? undefined : new Date(time);
}
