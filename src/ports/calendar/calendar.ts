import type { ChangeMaker } from "../files/file-changes.ts";
import type { CheckedCalendar } from "./calendar-objects.ts";

/** The time of an event. The end is exclusive, as in RFC 5545. Dates are `YYYY-MM-DD`. */
export type EventTime =
  | { allDay: true; start: string; end: string }
  | { allDay: false; start: Date; end: Date };

export interface CalendarEvent {
  eventId: string;
  title: string;
  time: EventTime;
  /** IANA name of the event's own zone. Absent for all-day events and for times in UTC. */
  timeZone?: string;
  /** `assistant` only if the UID has our MAC and the ledger has confirmed it. */
  origin: "assistant" | "user";
  /** False if the event is marked as free or is cancelled. */
  blocks: boolean;
}

/** A range of at most 366 days. */
export interface EventRange {
  from: Date;
  to: Date;
  /** IANA name of the zone for all-day events and floating times. */
  timeZone: string;
}

export interface EventList {
  /** Sorted by start, at most 5 000. */
  events: readonly CalendarEvent[];
  /** True if more events exist. */
  truncated: boolean;
  /** Events in the calendar that could not be read. */
  skipped: number;
}

export type EventScope = "this" | "all";

export interface NewEvent {
  title: string;
  time: EventTime;
  /** IANA name of the event's own zone. */
  timeZone: string;
  /** An RRULE's value. */
  recurrence: string | undefined;
}

export interface EventChanges {
  title: string | undefined;
  time: EventTime | undefined;
  /** IANA name of the event's new zone. Without it the event keeps its own. */
  timeZone: string | undefined;
}

/** The creator of an event. The same key from the same principal identifies the same event. */
export interface EventMaker {
  principal: string;
  idempotencyKey: string | undefined;
  /** The call that creates it. Without a key the event is named after the call, which therefore creates it once. */
  callId?: string;
}

/** The current state of an event. */
export interface FoundEvent {
  event: CalendarEvent;
  /** Passed to `update` and `remove`, which change only this version. */
  version: string;
  /** True if it belongs to a series. */
  repeats: boolean;
  /** Size of the object that a change copies for undo. */
  bytes: number;
  /** The addresses of organizer and attendees, to whom the server may send a message about a change. */
  invited: readonly string[];
}

export interface CalendarOptions {
  signal?: AbortSignal;
}

/** The scope of a change, and its conditions. */
export interface EventWrite {
  scope: EventScope;
  timeZone: string;
  version: string;
  /** The change can be undone if its maker is known. */
  by?: ChangeMaker;
}

/**
 * The one dedicated calendar. `timeZone` is the reader's. Errors: those of its store (`unavailable`, `auth`, ...),
 * `not_found` for any id of another calendar, `invalid_input` for an invalid event, `conflict` if the event changed
 * meanwhile.
 */
export interface Calendar {
  /**
   * Tests the connection.
   * @throws {ToolError} with the problem
   */
  check(options?: CalendarOptions): Promise<CheckedCalendar>;
  /** Returns its name and its default time zone. */
  about(options?: CalendarOptions): Promise<{ name: string; timeZone: string }>;
  list(range: EventRange, options?: CalendarOptions): Promise<EventList>;
  find(eventId: string, timeZone: string, options?: CalendarOptions): Promise<FoundEvent>;
  /** Checks a new event without creating it. `earlier` is the event that the same idempotency key created before. */
  preview(
    event: NewEvent,
    maker: EventMaker,
    options?: CalendarOptions,
  ): Promise<{ earlier: CalendarEvent | undefined; first: EventTime }>;
  create(event: NewEvent, maker: EventMaker, options?: CalendarOptions): Promise<CalendarEvent>;
  /** Returns the event before and after the change, without changing it. */
  previewUpdate(
    eventId: string,
    changes: EventChanges,
    options: CalendarOptions & { scope: EventScope; timeZone: string },
  ): Promise<{ before: FoundEvent; after: CalendarEvent }>;
  /**
   * Returns the event, without deleting it.
   * @throws {ToolError} `invalid_input` if it cannot be deleted alone
   */
  previewRemoval(
    eventId: string,
    options: CalendarOptions & { scope: EventScope; timeZone: string },
  ): Promise<FoundEvent>;
  update(
    eventId: string,
    changes: EventChanges,
    options: CalendarOptions & EventWrite,
  ): Promise<CalendarEvent>;
  remove(eventId: string, options: CalendarOptions & EventWrite): Promise<void>;
  /** Returns whether an undo copy of this many bytes fits into this caller's space. */
  keepsMore(principal: string, bytes: number): Promise<boolean>;
}
