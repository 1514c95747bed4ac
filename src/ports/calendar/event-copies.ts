import type { ChangeMaker } from "../files/file-changes.ts";
import type { CalendarObject } from "./calendar-objects.ts";

/** A change of one object of the calendar, with its present version. */
export interface EventChange {
  before: CalendarObject;
  /** Undefined for a deletion. */
  after: string | undefined;
  by: ChangeMaker;
  /** Makes the change. */
  make: () => Promise<void>;
  /** Returns the etag after the change, if the server has the object. */
  etagAfter: () => Promise<string | undefined>;
}

/** Copies of calendar objects, byte for byte, from which undo restores them. */
export interface EventCopies {
  /** Returns whether a copy of this size fits into the caller's space, without the copies that may be removed early. */
  hasRoom(principal: string, bytes: number): Promise<boolean>;
  /** Copies the object and then changes it. A failed copy prevents the change. */
  changing(change: EventChange): Promise<void>;
}
