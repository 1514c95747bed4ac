import { type AuditEvent, type AuditLog, auditJson, listed } from "../../../core/audit/audit.ts";
import type { ChainedEvent, ChainPlace } from "../../../core/audit/audit-chain.ts";
import type { Log } from "../../../core/shared/log.ts";
import { toStoredEvent } from "./audit-row.ts";
import type { Database } from "../driver/database.ts";
import { createEventLines, type EventLines } from "./event-lines.ts";

/** Milliseconds that a noted event waits for others: half of what is promised, the rest is for the commit. */
const groupWithin = 50;
/** Milliseconds until noted events are tried again after the database failed. */
const retryAfter = 1_000;
/** Events in one statement: enough to keep up, few enough to leave the lock to others. */
const maxGroup = 500;
/** Room for the most of them. */
const groupBytes = 128 * 1024;
/** With so many events behind, new calls wait. */
const fullFrom = 2_000;
/** Refusals are still noted while the database is away and calls wait, but not for ever: some megabytes. */
const maxKept = 10_000;

/** Events that are written together or not at all, in the order in which they came. */
interface Entry {
  /** As the writer takes them. */
  lines: EventLines;
  /** Only somebody who waits is told of a failure, for one event; what was noted is kept for the next try. */
  waiting?: { resolve: () => void; reject: (error: unknown) => void };
}

export interface StoredAuditLog extends AuditLog {
  /** Where this process last added an event; undefined while it has not. */
  written(): ChainPlace | undefined;
  /** Oldest first, behind event number `after` (0: from the beginning). `limit`: 1 to 1000. */
  readEvents(page: { after: number; limit: number }): Promise<readonly ChainedEvent[]>;
}

/** The audit log in libSQL: what waits to be written, in groups. How they are chained is in audit-writer.ts. */
export function createAuditLog(
  database: Database,
  { key, keyId, log }: { key: Uint8Array; keyId: string; log: Log },
): StoredAuditLog {
  let entries: Entry[] = [];
  /** Takes what is noted; undefined while the last of `entries` is no place for it. */
  let open: EventLines | undefined;
  /** Events in all of them. */
  let behind = 0;
  /**
   * How many entries are to be written at once. The others wait for their own time: in a steady stream there is always one
   * more, and each group costs a wait for the disk.
   */
  let due = 0;
  let written: ChainPlace | undefined;
  let draining: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dropped = 0;
  // Sent with each group: of its own, as a view would take along all that lies around it.
  const macKey = new Uint8Array(key);

  async function drain(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    try {
      while (due > 0 || behind >= maxGroup) {
        open = undefined;
        const group = nextGroup();
        const events = group.map(({ lines }) => lines.text()).join("\n");
        written = await database.addEvents({ key: macKey, keyId, events });
        entries = entries.slice(group.length);
        due = Math.max(0, due - group.length);
        behind -= countOf(group);
        for (const { waiting } of group) waiting?.resolve();
      }
    } catch (error) {
      giveUp(error);
      throw error;
    } finally {
      draining = undefined;
    }
  }

  function nextGroup(): Entry[] {
    let events = 0;
    let end = 0;
    for (const { lines } of entries) {
      events += lines.count;
      if (end > 0 && events > maxGroup) break;
      end += 1;
    }
    return entries.slice(0, end);
  }

  function giveUp(error: unknown): void {
    for (const { waiting } of entries) waiting?.reject(error);
    entries = entries.filter(({ waiting }) => waiting === undefined);
    open = undefined;
    due = 0;
    behind = countOf(entries);
    if (behind > 0) {
      log.warn("events of the audit log wait for the database", { count: behind });
      drainWithin(retryAfter);
    }
  }

  /** Writes all that is there now. */
  function drainNow(): Promise<void> {
    if (entries.length === 0) return Promise.resolve();
    due = entries.length;
    return (draining ??= drain());
  }

  function drainWithin(ms: number): void {
    // Not what keeps a process alive: whoever ends it flushes.
    timer ??= setTimeout(() => {
      timer = undefined;
      drainNow().catch(() => undefined);
    }, ms).unref();
  }

  return {
    append: (event) =>
      new Promise((resolve, reject) => {
        open = undefined;
        behind += 1;
        entries.push({ lines: createEventLines(lineOf(event), 0), waiting: { resolve, reject } });
        drainNow().catch(() => undefined);
      }),
    enqueue: (event) => {
      if (behind >= maxKept) {
        if (dropped % 1_000 === 0) log.error("the audit log drops events", { dropped });
        dropped += 1;
        return;
      }
      const line = lineOf(event);
      if (open === undefined || open.count >= maxGroup || !open.add(line)) {
        open = createEventLines(line, groupBytes);
        entries.push({ lines: open });
      }
      behind += 1;
      drainWithin(groupWithin);
    },
    backpressure: () => (behind < fullFrom ? undefined : drainNow()),
    // What came meanwhile, too: nothing else would write it before the process ends.
    flush: async () => {
      while (behind > 0) await drainNow();
    },
    written: () => written,
    readEvents: async ({ after, limit }) => {
      const { rows } = await database.read({
        sql: "SELECT * FROM audit WHERE seq > ? ORDER BY seq LIMIT ?",
        args: [after, limit],
      });
      return rows.map(toStoredEvent);
    },
  };
}

function lineOf(event: AuditEvent): string {
  return `${event.at.getTime()}${auditJson(listed(event))}`;
}

function countOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { lines }) => sum + lines.count, 0);
}
