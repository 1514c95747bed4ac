import { type AuditEvent, type AuditRecord, auditJson, listed } from "../../../core/audit/audit.ts";
import type { ChainedEvent, ChainPlace } from "../../../core/audit/audit-chain.ts";
import type { Log } from "../../../core/shared/log.ts";
import { toStoredEvent } from "./audit-row.ts";
import type { Database } from "../driver/database.ts";
import { createEventLines, type EventLines } from "./event-lines.ts";

/**
 * Milliseconds that a queued event waits for others. Half of the guaranteed 100 ms, because the commit needs time too.
 */
const groupWithin = 50;
/** Milliseconds until queued events are retried after a database failure. */
const retryAfter = 1_000;
/** Events in one statement. Larger groups would hold the lock for too long. */
const maxGroup = 500;
/** Buffer bytes for a typical group. */
const groupBytes = 128 * 1024;
/** Number of queued events from which on new calls wait. */
const fullFrom = 2_000;
/** Limit on events that are queued while the database is unavailable: some megabytes. */
const maxKept = 10_000;

/** Events that are written atomically, in order. */
interface Entry {
  /** In the form that the writer accepts. */
  lines: EventLines;
  /** Set for an event whose caller waits, to which a failure is reported. Other events are kept for a retry. */
  waiting?: { resolve: () => void; reject: (error: unknown) => void };
}

export interface StoredAuditRecord extends AuditRecord {
  /** Returns the position of this process's last event. Undefined before the first. */
  written(): ChainPlace | undefined;
  /**
   * Returns events, oldest first.
   * @param page `after` is an event number, 0 for the beginning. `limit` is 1 to 1000.
   */
  readEvents(page: { after: number; limit: number }): Promise<readonly ChainedEvent[]>;
}

/** Creates the audit record in libSQL, which queues and groups events. audit-writer.ts chains them. */
export function createAuditRecord(
  database: Database,
  { key, keyId, log }: { key: Uint8Array; keyId: string; log: Log },
): StoredAuditRecord {
  let entries: Entry[] = [];
  /** The last entry, if it accepts further events. */
  let open: EventLines | undefined;
  /** Events of this turn of the event loop, which are written as lines after the answers of their calls. */
  let fresh: AuditEvent[] = [];
  /** Events in all entries, and fresh ones. */
  let behind = 0;
  /**
   * Number of entries to write now. Later ones wait for their own time, because each group costs a disk sync, and a
   * steady stream would never end.
   */
  let due = 0;
  let written: ChainPlace | undefined;
  let draining: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dropped = 0;
  // A copy, because sending a view would also send the buffer around it.
  const macKey = new Uint8Array(key);

  function toLines(): void {
    const events = fresh;
    fresh = [];
    for (const event of events) {
      const line = lineOf(event);
      if (open !== undefined && open.count < maxGroup && open.add(line)) continue;
      open = createEventLines(line, groupBytes);
      entries.push({ lines: open });
    }
  }

  async function drain(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    try {
      while (due > 0 || behind >= maxGroup) {
        toLines();
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
    toLines();
    for (const { waiting } of entries) waiting?.reject(error);
    entries = entries.filter(({ waiting }) => waiting === undefined);
    open = undefined;
    due = 0;
    behind = countOf(entries);
    if (behind > 0) {
      log.warn("events of the audit record are queued until the database is available", {
        count: behind,
      });
      drainWithin(retryAfter);
    }
  }

  /** Writes all events that are queued now. */
  function drainNow(): Promise<void> {
    toLines();
    if (entries.length === 0) return Promise.resolve();
    due = entries.length;
    return (draining ??= drain());
  }

  function drainWithin(ms: number): void {
    // An unreferenced timer is enough, because the process flushes the record before it ends.
    timer ??= setTimeout(() => {
      timer = undefined;
      drainNow().catch(() => undefined);
    }, ms).unref();
  }

  return {
    append: (event) =>
      new Promise((resolve, reject) => {
        toLines();
        open = undefined;
        behind += 1;
        entries.push({ lines: createEventLines(lineOf(event), 0), waiting: { resolve, reject } });
        drainNow().catch(() => undefined);
      }),
    enqueue: (event) => {
      if (behind >= maxKept) {
        if (dropped % 1_000 === 0)
          log.error("queue of audit events is full; events are dropped", { dropped });
        dropped += 1;
        return;
      }
      if (fresh.push(event) === 1) setImmediate(toLines);
      behind += 1;
      drainWithin(groupWithin);
    },
    backpressure: () => (behind < fullFrom ? undefined : drainNow()),
    // Also writes events that were queued meanwhile, because the process is about to end.
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
