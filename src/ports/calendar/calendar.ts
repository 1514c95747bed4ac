/** When something takes place. The end is exclusive, as in RFC 5545; dates are `YYYY-MM-DD`. */
export type EventTime =
  | { allDay: true; start: string; end: string }
  | { allDay: false; start: Date; end: Date };

export interface CalendarEvent {
  eventId: string;
  title: string;
  time: EventTime;
  /** IANA name of the zone that it keeps its hour in; absent for whole days, and where it is written in UTC. */
  timeZone?: string;
  /** `assistant` only where the UID carries our MAC and the ledger has confirmed it. */
  origin: "assistant" | "user";
  /** False where it takes no time: free, or cancelled. */
  blocks: boolean;
}

/** At most 366 days. */
export interface EventRange {
  from: Date;
  to: Date;
  /** IANA name: whose days all-day events and floating times are. */
  timeZone: string;
}

export interface EventList {
  /** By start; at most 5 000. */
  events: readonly CalendarEvent[];
  /** True where there were more. */
  truncated: boolean;
  /** Events in the calendar that could not be read. */
  skipped: number;
}

export type EventScope = "this" | "all";

export interface NewEvent {
  title: string;
  time: EventTime;
  /** IANA name: the zone that the event keeps its hour in. */
  timeZone: string;
  /** An RRULE's value. */
  recurrence: string | undefined;
}

export interface EventChanges {
  title: string | undefined;
  time: EventTime | undefined;
  /** IANA name of the event's new zone; without it an event keeps its own. */
  timeZone: string | undefined;
}

/** Who makes an event; the same key by the same principal is the same event. */
export interface EventMaker {
  principal: string;
  idempotencyKey: string | undefined;
}

/** An event as it stands. */
export interface FoundEvent {
  event: CalendarEvent;
  /** For `update` and `remove`: they change this version and no other. */
  version: string;
  /** Whether it is one of a series. */
  repeats: boolean;
}

export interface CalendarOptions {
  signal?: AbortSignal;
}

/**
 * The one dedicated calendar. `timeZone` is the reader's. Errors: those of its store (`unavailable`, `auth`, ...), and
 * `not_found` for any id that is not in it, `invalid_input` for what cannot be an event, `conflict` where it changed meanwhile.
 */
export interface Calendar {
  /** Tries the connection; throws what is wrong with it. */
  check(options?: CalendarOptions): Promise<void>;
  /** Its name, and the zone that is meant where nobody says one. */
  about(options?: CalendarOptions): Promise<{ name: string; timeZone: string }>;
  list(range: EventRange, options?: CalendarOptions): Promise<EventList>;
  find(eventId: string, timeZone: string, options?: CalendarOptions): Promise<FoundEvent>;
  /** Checks a new event without making it: `earlier` is what the same idempotency key has made before. */
  preview(
    event: NewEvent,
    maker: EventMaker,
    options?: CalendarOptions,
  ): Promise<{ earlier: CalendarEvent | undefined; first: EventTime }>;
  create(event: NewEvent, maker: EventMaker, options?: CalendarOptions): Promise<CalendarEvent>;
  /** The event before and after, without changing it. */
  previewUpdate(
    eventId: string,
    changes: EventChanges,
    options: CalendarOptions & { scope: EventScope; timeZone: string },
  ): Promise<{ before: FoundEvent; after: CalendarEvent }>;
  update(
    eventId: string,
    changes: EventChanges,
    options: CalendarOptions & { scope: EventScope; timeZone: string; version: string },
  ): Promise<CalendarEvent>;
  remove(
    eventId: string,
    options: CalendarOptions & { scope: EventScope; timeZone: string; version: string },
  ): Promise<void>;
}
