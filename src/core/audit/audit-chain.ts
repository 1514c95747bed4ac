import { type AuditEvent, auditJson, auditMac, listed } from "./audit.ts";

/** A position in the chain: the number of an event, from 1 without gaps, and its MAC. */
export interface ChainPlace {
  seq: number;
  mac: string;
}

/** An event with its position. */
export interface ChainedEvent extends ChainPlace {
  /** The id of the key that made the MAC. */
  keyId: string;
  event: AuditEvent;
}

/** A row as read. `event` is undefined if the row is not in this program's format. */
export type ChainRow = ChainPlace & { keyId: string; event: AuditEvent | undefined };

/** The available keys by id. */
export type AuditKeys = ReadonlyMap<string, Uint8Array>;

/** A place where the chain is broken. */
export interface ChainBreak {
  /** Number of the event at which the break was found. */
  seq: number;
  /** One sentence without a full stop. */
  what: string;
}

export interface ChainCheck {
  /** Adds the next event in order and returns the break before it, if any. */
  add(found: ChainRow): ChainBreak | undefined;
  /** The last added event, or the place before the first. */
  readonly last: ChainPlace & { at?: Date };
  readonly count: number;
  /** Number of events for each missing key. Only their order was checked. */
  readonly unchecked: ReadonlyMap<string, number>;
}

/**
 * Checks the chain event by event. After a break it continues from the row as found, so that each damage is reported
 * once.
 */
export function createChainCheck(keys: AuditKeys, from: ChainPlace): ChainCheck {
  const unchecked = new Map<string, number>();
  let last: ChainCheck["last"] = { seq: from.seq, mac: from.mac };
  let count = 0;

  function problemOf(found: ChainRow): string | undefined {
    const { seq, mac, keyId, event } = found;
    if (seq <= from.seq) return `event ${seq} is before the start of the record`;
    const key = keys.get(keyId);
    if (key === undefined) unchecked.set(keyId, (unchecked.get(keyId) ?? 0) + 1);
    if (seq !== last.seq + 1) return `${missing(last.seq + 1, seq - 1)}${after(last)}`;
    if (event === undefined) return `event ${seq} was changed and cannot be read`;
    if (key === undefined || mac === auditMac(key, last.mac, seq, auditJson(listed(event))))
      return undefined;
    return `event ${seq} of ${event.at.toISOString()} was changed, inserted or moved`;
  }

  return {
    add: (found) => {
      const what = problemOf(found);
      count += 1;
      const { seq, mac, event } = found;
      if (seq > from.seq) last = { seq, mac, ...(event && { at: event.at }) };
      return what === undefined ? undefined : { seq, what };
    },
    get last() {
      return last;
    },
    get count() {
      return count;
    },
    unchecked,
  };
}

/** Formats missing numbers as `event 4 is missing` or `events 4 to 6 are missing`. */
export function missing(first: number, end: number): string {
  return first === end ? `event ${first} is missing` : `events ${first} to ${end} are missing`;
}

function after({ seq, at }: ChainCheck["last"]): string {
  return at === undefined ? "" : `, after event ${seq} of ${at.toISOString()}`;
}
