/** A CalDAV server with the users alice and bob, password `secret`. */
export interface CalendarServer {
  name: string;
  url: string;
  /** Path of the folder that alice's calendars are in. */
  home: string;
}
