/** One object of a calendar collection (RFC 4791): a file with the events of one UID. */
export interface CalendarObject {
  /** The decoded last segment of its URL, never a path. */
  name: string;
  /** Opaque version. */
  etag: string;
  text: string;
}

export interface CalendarFacts {
  /** The display name. */
  name: string;
  /** IANA name or TZID of the calendar's own zone, if the server reports one. */
  timeZone: string | undefined;
}

export interface CheckedCalendar {
  /** True if the server says that this account may not change the calendar. */
  isReadOnly: boolean;
}

interface Options {
  signal?: AbortSignal;
}

/**
 * The objects of the one dedicated calendar. Objects of other calendars cannot be addressed. Errors of all methods:
 * `not_configured`, `auth`, `rate_limited`, `unavailable`, `timeout`, `too_large`. Changing methods also: `conflict`,
 * and `sideEffects: "unknown"` if the response was lost.
 */
export interface CalendarObjects {
  /**
   * Tests the connection.
   * @throws {ToolError} with the problem and the names of the available calendars
   */
  check(options?: Options): Promise<CheckedCalendar>;
  facts(options?: Options): Promise<CalendarFacts>;
  /**
   * Returns every object that may have an occurrence between the two instants, and possibly others. Later calls return
   * the same JavaScript object for an unchanged one. The text is empty if the server did not return it.
   */
  between(from: Date, to: Date, options?: Options): Promise<readonly CalendarObject[]>;
  /** Returns the names of all objects. */
  names(options?: Options): Promise<readonly string[]>;
  /** Returns an object with its stored bytes. Undefined if the name does not exist. */
  get(name: string, options?: Options): Promise<CalendarObject | undefined>;
  /** @throws {ToolError} `conflict` if it already exists */
  create(name: string, text: string, options?: Options): Promise<void>;
  /** @throws {ToolError} `conflict` if its version is not `etag`, or if it does not exist */
  replace(name: string, text: string, options: Options & { etag: string }): Promise<void>;
  /** @throws {ToolError} `conflict` if its version is not `etag` */
  remove(name: string, options: Options & { etag: string }): Promise<void>;
}
