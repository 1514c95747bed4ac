import type { AuditEvent } from "../../core/audit/audit.ts";
import type { RecentChange } from "../files/recent-changes.ts";

/** An event with further facts for the activity list. */
export interface DiaryEvent {
  event: AuditEvent;
  /** The headline of the approval request, if the event belongs to one. */
  asked?: string;
  undo?: RecentChange["undo"];
}

/** The activity list for people. Errors: `unavailable`. */
export interface Diary {
  /**
   * Returns events, newest first.
   * @param range `principal` limits them to one caller
   */
  events(range: { from: Date; principal?: string; limit: number }): Promise<readonly DiaryEvent[]>;
}
