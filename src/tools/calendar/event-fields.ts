import { z } from "zod";
import type { GivenContent } from "../../core/flow/ledger.ts";
import { shownName } from "../../core/shared/text/visible.ts";
import { ours, untrustedText } from "../../core/tool/untrusted-text.ts";
import type { EffectFound, IfShown, Line } from "../../core/tool/tool.ts";
import type { FoundEvent } from "../../ports/calendar/calendar.ts";

/** A time as the calendar tools accept and return it. */
export const start = z
  .string()
  .max(40)
  .describe("ISO 8601 with offset or timeZone; YYYY-MM-DD if all-day");
/** The same field, for a list whose other fields already explain the form. */
export const startAsAbove = z.string().max(40).describe("As in create_event");
export const end = z.string().max(40).describe("Exclusive");
export const timeZone = z.string().max(60).optional().describe("IANA name");
export const eventId = z.string().max(400).describe("From get_events_details");
export const scope = z.enum(["this", "all"]).default("this").describe("One occurrence or all");

/** The fields of an event in every calendar tool's output. */
export const eventFields = {
  id: ours(z.string()).describe("The event"),
  title: untrustedText(z.string()).describe("Its title"),
  start: ours(z.string()).describe("Start"),
  end: ours(z.string()).describe("End, exclusive"),
  allDay: z.boolean().describe("Whole days"),
  origin: z.enum(["assistant", "user"]).describe("Who made it"),
};

/** Returns the private item of an event in an output. */
export function givenEvent({
  id,
  title,
  origin,
}: {
  id: string;
  title: string;
  origin: "assistant" | "user";
}): GivenContent {
  const writtenBy = origin === "assistant" ? "assistant" : "unknown";
  return { kind: "event", id, writtenBy, verified: false, texts: [title] };
}

/**
 * Returns the headline that names one of the user's events, for a caller that received its title from
 * get_events_details.
 * @param headline returns the headline with this name of the event
 */
function ifTitleShown(
  { event: { eventId: id, title }, invited }: Pick<FoundEvent, "event" | "invited">,
  headline: (name: string) => string,
): IfShown {
  return {
    headline: headline(`the event ${shownName(title)}`),
    list: "events",
    item: { id, title },
    ...(invited.length > 0 && { withheld: invitedPeople }),
  };
}

const invitedPeople = "the list of invited people";

/**
 * Returns what a client's dialog shows about a change of an existing event. Titles of the user's events and the invited
 * people are no facts that a client can read at low risk.
 * @param headline returns the headline with a name of the event
 * @param facts those of the person that the dialog may show too
 */
export function changeForClient<Args>(
  found: Pick<FoundEvent, "event" | "invited">,
  headline: (name: string) => string,
  {
    mentions,
    facts,
    own,
  }: { mentions: readonly (keyof Args & string)[]; facts: readonly Line[]; own: readonly Line[] },
): EffectFound<Args>["forClient"] {
  const hasInvited = found.invited.length > 0;
  if (found.event.origin === "assistant") {
    if (!hasInvited) return "all";
    const name = `the event ${shownName(found.event.title)}`;
    return { headline: headline(name), mentions, facts: own, withheld: invitedPeople };
  }
  return {
    headline: headline("an event of yours"),
    mentions,
    facts,
    withheld: hasInvited ? "its title, with the invited people," : "its title",
    ifShown: ifTitleShown(found, headline),
  };
}

export const rangeFields = {
  truncated: z.boolean().describe("More exist than fit"),
  skipped: z.int().describe("Events that could not be read"),
};

export function rangeNotices(range: { truncated: boolean; skipped: number }): string[] {
  return [
    ...(range.truncated ? ["More events exist than fit. Request a shorter range."] : []),
    ...(range.skipped > 0
      ? [
          `${range.skipped === 1 ? "1 event" : `${range.skipped} events`} could not be read or expanded, and may be in this range.`,
        ]
      : []),
  ];
}
