/** Longest name of an object that is taken for one: file systems end there. */
const maxNameLength = 255;
const form = /^(?:\d{8}(?:T\d{6}Z?)?)?$/;

/** `ev_` + base64url(name of the object, key of the occurrence): relative to the calendar, so it names nothing outside. */
export function encodeEventId(name: string, key: string | undefined): string {
  return `ev_${Buffer.from(`${name}\n${key ?? ""}`).toString("base64url")}`;
}

/** Undefined for what we never made, above all for names that would leave the calendar. */
export function decodeEventId(
  eventId: string,
): { name: string; key: string | undefined } | undefined {
  if (!eventId.startsWith("ev_")) return undefined;
  const [name = "", key = "", ...more] = Buffer.from(eventId.slice(3), "base64url")
    .toString()
    .split("\n");
  if (more.length > 0 || encodeEventId(name, key) !== eventId) return undefined;
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (name === "" || name.length > maxNameLength || /[/\\\u0000-\u001F]|^\.\.?$/.test(name)) {
    return undefined;
  }
  return form.test(key) ? { name, key: key === "" ? undefined : key } : undefined;
}

/** What all occurrences of an event have in common; the id itself where it is none of ours. */
export function eventOf(eventId: string): string {
  return decodeEventId(eventId)?.name ?? eventId;
}
