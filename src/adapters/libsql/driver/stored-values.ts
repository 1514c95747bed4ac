// Checks for stored values, which may have been changed by hand or by a faulty program.

export function storedText(value: unknown): string {
  if (typeof value !== "string") throw damaged("text");
  return value;
}

export function storedInteger(value: unknown): number {
  if (typeof value !== "number" || !Number.isInteger(value)) throw damaged("number");
  return value;
}

/** Converts milliseconds since 1970. */
export function storedTime(value: unknown): Date {
  return new Date(storedInteger(value));
}

export function storedBytes(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw damaged("bytes");
  return value;
}

export function storedRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw damaged("object");
  return Object.fromEntries(Object.entries(value));
}

export function storedOneOf<Value extends string>(values: readonly Value[], value: unknown): Value {
  const found = values.find((known) => known === value);
  if (found === undefined) throw damaged(`value: ${String(value)}`);
  return found;
}

export function damaged(what: string): TypeError {
  return new TypeError(`A stored row has no valid ${what}.`);
}
