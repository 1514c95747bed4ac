import { type AuditEvent, type AuditLog, auditJson, listed } from "../../core/audit.ts";
import type { ChainedEvent, ChainPlace } from "../../core/audit-chain.ts";
import type { Log } from "../../core/log.ts";
import { toStoredEvent } from "./audit-row.ts";
import type { Database } from "./database.ts";

/** Milliseconds that a noted event waits for others: half of what is promised, the rest is for the commit. */
const groupWithin = 50;
/** Milliseconds until noted events are tried again after the database failed. */
const retryAfter = 1_000;
/** Events in one statement: enough to keep up, few enough to leave the lock to others. */
const maxGroup = 500;
/** With so many events behind, new calls wait. */
const fullFrom = 2_000;
/** Refusals are still noted while the database is away and calls wait, but not for ever: some megabytes. */
const maxKept = 10_000;

interface Entry {
  /** As the writer takes it. Made at once: a text that waits costs the collector of garbage a third of an event that does. */
  line: string;
  /** Only somebody who waits is told of a failure; what was noted is kept for the next try. */
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
  const entries: Entry[] = [];
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
      while (entries.length > 0) {
        const group = entries.slice(0, maxGroup);
        const events = group.map(({ line }) => line).join("\n");
        written = await database.addEvents({ key: macKey, keyId, events });
        entries.splice(0, group.length);
        for (const { waiting } of group) waiting?.resolve();
      }
    } catch (error) {
      giveUp(error);
      throw error;
    } finally {
      draining = undefined;
    }
  }

  function giveUp(error: unknown): void {
    const noted = entries.filter(({ waiting }) => waiting === undefined);
    for (const { waiting } of entries) waiting?.reject(error);
    entries.splice(0, entries.length, ...noted);
    if (noted.length > 0) {
      log.warn("events of the audit log wait for the database", { count: noted.length });
      drainWithin(retryAfter);
    }
  }

  function flush(): Promise<void> {
    if (entries.length === 0) return Promise.resolve();
    return (draining ??= drain());
  }

  function drainWithin(ms: number): void {
    // Not what keeps a process alive: whoever ends it flushes.
    timer ??= setTimeout(() => void flush().catch(() => undefined), ms).unref();
  }

  return {
    append: (event) =>
      new Promise((resolve, reject) => {
        entries.push({ line: lineOf(event), waiting: { resolve, reject } });
        flush().catch(() => undefined);
      }),
    note: (event) => {
      if (entries.length < maxKept) {
        entries.push({ line: lineOf(event) });
        drainWithin(groupWithin);
        return;
      }
      if (dropped % 1_000 === 0) log.error("the audit log drops events", { dropped });
      dropped += 1;
    },
    full: () => (entries.length < fullFrom ? undefined : flush()),
    flush,
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
