import type { AuditEvent } from "../../core/audit/audit.ts";
import type { RecentChange } from "../files/recent-changes.ts";

/** An event with what a diary tells beside it. */
export interface DiaryEvent {
  event: AuditEvent;
  /** What its request had asked for, where it belongs to one. */
  asked?: string;
  undo?: RecentChange["undo"];
}

/** What happened, for people. Errors: `unavailable`. */
export interface Diary {
  /** Newest first. `principal`: only that one's. */
  events(range: { from: Date; principal?: string; limit: number }): Promise<readonly DiaryEvent[]>;
}
