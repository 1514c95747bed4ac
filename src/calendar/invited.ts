import { lines } from "./content-lines.ts";
import type { EventSeries } from "./event.ts";
import { valueOf } from "./values.ts";

/** Limit on the lines with attendees that are read. Of a larger meeting, only the first people are named. */
const maxPeople = 200;
/** Characters of a line with an address. */
const maxLineCharacters = 2_000;

/**
 * Returns the addresses of the people in an event: the organizer and the attendees of all its occurrences. Empty without
 * attendees. A calendar server may send them a message about each change (RFC 6638, section 3.2).
 */
export function invitedTo({ main, replacements }: EventSeries): readonly string[] {
  const events = [...(main === undefined ? [] : [main]), ...replacements];
  const named = (name: string): string[] =>
    events
      .flatMap(({ component }) => lines(component, name))
      .slice(0, maxPeople)
      .flatMap((line) => addressIn(line.text.slice(0, maxLineCharacters), name));
  const attendees = named("ATTENDEE");
  return attendees.length === 0 ? [] : [...new Set([...named("ORGANIZER"), ...attendees])];
}

/** Returns the address of a line. Empty for a line that cannot be parsed, so that the other people are still named. */
function addressIn(text: string, name: string): string[] {
  try {
    return [valueOf({ raw: "", text, name }).replace(/^mailto:/i, "")];
  } catch {
    return [];
  }
}
