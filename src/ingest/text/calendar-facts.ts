import { oneLine } from "../../core/shared/text/clean-text.ts";
import { wordTable } from "../../core/shared/text/word-table.ts";

/** Limits for one invitation. An exported calendar has thousands of events. */
const mostEvents = 50;
const mostAttendees = 20;
const valueCharacters = 500;

const whatIsAsked = wordTable<string>({
  REQUEST: "Invitation",
  CANCEL: "Cancelled",
  REPLY: "Answer to an invitation",
  COUNTER: "Another time is proposed",
  DECLINECOUNTER: "The proposed time is declined",
  PUBLISH: "Event",
});

interface Property {
  name: string;
  parameters: string;
  value: string;
}

/** Writes the facts of an invitation (RFC 5545, 5546) as plain lines. Undefined if the text is not a calendar file. */
export function calendarFacts(text: string): string | undefined {
  if (!/^BEGIN:VCALENDAR/im.test(text)) return undefined;
  const properties = propertiesOf(text);
  const method = properties.find(({ name }) => name === "METHOD")?.value.toUpperCase() ?? "PUBLISH";
  const events = eventsOf(properties);
  if (events.length === 0) return undefined;
  const shown = events
    .slice(0, mostEvents)
    .map((event) => [whatIsAsked[method] ?? "Event", ...linesOf(event)].join("\n"));
  const more = events.length - shown.length;
  return [...shown, ...(more > 0 ? [`[${more} more events]`] : [])].join("\n\n");
}

/** Joins folded lines (RFC 5545 3.1) and splits each into name, parameters and value. */
function propertiesOf(text: string): Property[] {
  const lines = text
    .slice(0, 2_000_000)
    .replace(/\r?\n[ \t]/g, "")
    .split(/\r?\n/);
  return lines.flatMap((line) => {
    const match = /^([A-Za-z-]{1,40})((?:;[^:"]*(?:"[^"]*"[^:"]*)*)?):(.*)$/.exec(line);
    if (match === null) return [];
    return [
      { name: (match[1] ?? "").toUpperCase(), parameters: match[2] ?? "", value: match[3] ?? "" },
    ];
  });
}

/** Returns the properties of each event and task, without those of alarms and time zones. */
function eventsOf(properties: readonly Property[]): Property[][] {
  const events: Property[][] = [];
  const open: string[] = [];
  for (const property of properties) {
    const component = property.value.trim().toUpperCase();
    if (property.name === "BEGIN") {
      open.push(component);
      if (component === "VEVENT" || component === "VTODO") events.push([]);
    } else if (property.name === "END") open.pop();
    else if (open.at(-1) === "VEVENT" || open.at(-1) === "VTODO") events.at(-1)?.push(property);
  }
  return events;
}

const labels: readonly (readonly [name: string, label: string])[] = [
  ["SUMMARY", "What"],
  ["DTSTART", "Start"],
  ["DTEND", "End"],
  ["DUE", "Due"],
  ["DURATION", "Duration"],
  ["RRULE", "Repeats"],
  ["RECURRENCE-ID", "Instead of the one at"],
  ["LOCATION", "Where"],
  ["STATUS", "Status"],
  ["URL", "Link"],
];

function linesOf(event: readonly Property[]): string[] {
  const facts = labels.flatMap(([name, label]) => {
    const property = event.find((one) => one.name === name);
    const value = property === undefined ? "" : shown(property);
    return value === "" ? [] : [`${label}: ${value}`];
  });
  const organizer = event.find(({ name }) => name === "ORGANIZER");
  const attendees = event.filter(({ name }) => name === "ATTENDEE");
  const more = attendees.length - mostAttendees;
  const notes = event.find(({ name }) => name === "DESCRIPTION");
  return [
    ...facts,
    ...(organizer === undefined ? [] : [`Organizer: ${personOf(organizer)}`]),
    ...attendees.slice(0, mostAttendees).map((attendee) => `Attendee: ${personOf(attendee)}`),
    ...(more > 0 ? [`and ${more} more attendees`] : []),
    ...(notes === undefined || notes.value.trim() === "" ? [] : ["", unescaped(notes.value)]),
  ];
}

function shown({ name, parameters, value }: Property): string {
  const time = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(?:\d{2})?(Z?))?$/.exec(value.trim());
  if (time === null) {
    const text = name === "RRULE" ? value.replaceAll(";", ", ") : unescaped(value);
    return oneLine(text, valueCharacters);
  }
  const [, year, month, day, hour, minute, utc] = time;
  if (hour === undefined) return `${year}-${month}-${day}`;
  const zone = utc === "Z" ? "UTC" : /;TZID="?([^";:]{1,80})/i.exec(parameters)?.[1];
  return `${year}-${month}-${day} ${hour}:${minute}${zone === undefined ? "" : ` ${oneLine(zone, 80)}`}`;
}

function personOf({ parameters, value }: Property): string {
  const name = /;CN=(?:"([^"]*)"|([^;:]*))/i.exec(parameters);
  const answer = /;PARTSTAT=([A-Z-]+)/i.exec(parameters)?.[1]?.toLowerCase();
  const address = value.trim().replace(/^mailto:/i, "");
  const who = oneLine(name?.[1] ?? name?.[2] ?? "", 200);
  const called = who === "" || who === address ? address : `${who} <${address}>`;
  return oneLine(called, valueCharacters) + (answer === undefined ? "" : ` (${answer})`);
}

/** Removes escapes (RFC 5545 3.3.11). */
function unescaped(value: string): string {
  return value.replace(/\\([nN,;\\])/g, (_, mark: string) => (/n/i.test(mark) ? "\n" : mark));
}
