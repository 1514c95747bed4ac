/** One object of a calendar collection (RFC 4791): a file with the events of one UID. */
export interface CalendarObject {
  /** The last part of its address, decoded: never a path. */
  name: string;
  /** Opaque version. */
  etag: string;
  text: string;
}

export interface CalendarFacts {
  /** As people see it. */
  name: string;
  /** IANA name or TZID of the calendar's own zone, where the server tells one. */
  timeZone: string | undefined;
}

interface Options {
  signal?: AbortSignal;
}

/**
 * The objects of the one dedicated calendar, wherever they are kept. Nothing outside of it can be named. Errors, all of them:
 * `not_configured`, `auth`, `rate_limited`, `unavailable`, `timeout`, `too_large`; from what changes something also
 * `conflict`, and `sideEffects: "unknown"` where the answer was lost.
 */
export interface CalendarObjects {
  /** Tries the connection; throws what is wrong with it, with the names of calendars that are there. */
  check(options?: Options): Promise<void>;
  facts(options?: Options): Promise<CalendarFacts>;
  /** Every object that may take place between the two instants, and perhaps more. Unchanged objects are the same values again. */
  between(from: Date, to: Date, options?: Options): Promise<readonly CalendarObject[]>;
  /** The names of all objects, whenever they take place. */
  names(options?: Options): Promise<readonly string[]>;
  /** With the very bytes that are kept. Undefined where there is none of that name. */
  get(name: string, options?: Options): Promise<CalendarObject | undefined>;
  /** `conflict` where there is one already. */
  create(name: string, text: string, options?: Options): Promise<void>;
  /** `conflict` where it is not the version that `etag` names, or is gone. */
  replace(name: string, text: string, options: Options & { etag: string }): Promise<void>;
  /** `conflict` where it is not the version that `etag` names. */
  remove(name: string, options: Options & { etag: string }): Promise<void>;
}
