import { type AuditEvent, type AuditLog, auditMac } from "../../core/audit.ts";
import type { Log } from "../../core/log.ts";
import { ToolError } from "../../core/tool-error.ts";
import { type StoredEvent, toStoredEvent } from "./audit-row.ts";
import type { Database, Row, Statement } from "./database.ts";
import { storedInteger, storedText } from "./stored-values.ts";

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
/** Each lost race means that another process wrote: with many of them one may lose often, but not so often. */
const maxRaces = 100;

interface Head {
  seq: number;
  mac: string;
}

interface Entry {
  event: AuditEvent;
  /** Only somebody who waits is told of a failure; what was noted is kept for the next try. */
  waiting?: { resolve: () => void; reject: (error: unknown) => void };
}

export interface StoredAuditLog extends AuditLog {
  /** Oldest first, behind event number `after` (0: from the beginning). `limit`: 1 to 1000. */
  readEvents(page: { after: number; limit: number }): Promise<readonly StoredEvent[]>;
}

/**
 * The audit log in libSQL. Many processes add to the one chain: each group of events is one INSERT whose condition is the
 * chain's head as we believe it to be. Not through the query builder, whose loading every call would pay for.
 */
export function createAuditLog(
  database: Database,
  { key, keyId, log }: { key: Uint8Array; keyId: string; log: Log },
): StoredAuditLog {
  const entries: Entry[] = [];
  let head: Head | undefined;
  let draining: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dropped = 0;

  function link(events: readonly AuditEvent[], from: Head): StoredEvent[] {
    let previous = from;
    return events.map((event) => {
      const seq = previous.seq + 1;
      previous = { seq, mac: auditMac(key, previous.mac, seq, event) };
      return { ...previous, keyId, event };
    });
  }

  async function store(events: readonly AuditEvent[]): Promise<void> {
    for (let races = 0; races < maxRaces; races += 1) {
      head ??= toHead((await database.read(readHead)).rows[0]);
      const links = link(events, head);
      // The head comes back in the same transaction: after a lost race there is nothing to ask for again.
      const [added, newest] = await database.write([insertBehind(head, links), readHead]);
      head = toHead(newest?.rows[0]);
      if (added?.rowsAffected === links.length) return;
    }
    throw new ToolError(
      "unavailable",
      "Too many processes write to the audit log. Nothing was recorded.",
    );
  }

  async function drain(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    try {
      while (entries.length > 0) {
        const group = entries.slice(0, maxGroup);
        await store(group.map(({ event }) => event));
        entries.splice(0, group.length);
        for (const { waiting } of group) waiting?.resolve();
      }
    } catch (error) {
      head = undefined;
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
        entries.push({ event: tidied(event), waiting: { resolve, reject } });
        flush().catch(() => undefined);
      }),
    note: (event) => {
      if (entries.length < maxKept) {
        entries.push({ event: tidied(event) });
        drainWithin(groupWithin);
        return;
      }
      if (dropped % 1_000 === 0) log.error("the audit log drops events", { dropped });
      dropped += 1;
    },
    full: () => (entries.length < fullFrom ? undefined : flush()),
    flush,
    readEvents: async ({ after, limit }) => {
      const { rows } = await database.read({
        sql: "SELECT * FROM audit WHERE seq > ? ORDER BY seq LIMIT ?",
        args: [after, limit],
      });
      return rows.map(toStoredEvent);
    },
  };
}

const readHead: Statement = {
  sql: "SELECT seq, mac FROM audit ORDER BY seq DESC LIMIT 1",
  args: [],
};

function toHead(row: Row | undefined): Head {
  if (row === undefined) return { seq: 0, mac: "" };
  return { seq: storedInteger(row["seq"]), mac: storedText(row["mac"]) };
}

/** One statement for any number of events, so that none comes in between and the condition holds for all of them. */
function insertBehind(head: Head, links: readonly StoredEvent[]): Statement {
  const rows = links.map(({ event, ...chained }) => ({
    ...chained,
    ...event,
    at: event.at.getTime(),
  }));
  return {
    sql: `INSERT INTO audit (seq, mac, key_id, type, at, call_id, ticket_id, principal, client, tool, risk, digest, sentence, outcome)
      SELECT value->>'seq', value->>'mac', value->>'keyId', value->>'type', value->>'at', value->>'callId', value->>'ticketId',
        value->>'principal', value->>'client', value->>'tool', value->>'risk', value->>'digest', value->>'sentence',
        value->>'outcome'
      FROM json_each(?)
      WHERE coalesce((SELECT mac FROM audit ORDER BY seq DESC LIMIT 1), '') = ?`,
    args: [JSON.stringify(rows), head.mac],
  };
}

const texts = [
  "callId",
  "ticketId",
  "principal",
  "client",
  "tool",
  "digest",
  "sentence",
  "outcome",
] as const;

/** The MAC is over what can be read back: the database keeps neither NUL nor half a surrogate pair. */
function tidied(event: AuditEvent): AuditEvent {
  const tidy: AuditEvent = { ...event };
  for (const name of texts) {
    const text = tidy[name];
    if (text !== undefined) tidy[name] = text.toWellFormed().replaceAll("\0", "\u{FFFD}");
  }
  return tidy;
}
