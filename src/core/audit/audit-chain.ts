import { type AuditEvent, auditJson, auditMac, listed } from "./audit.ts";

/** A place in the chain: an event's number, from 1 and without gaps, and its MAC. */
export interface ChainPlace {
  seq: number;
  mac: string;
}

/** An event with its place. */
export interface ChainedEvent extends ChainPlace {
  /** Names the key of the MAC. */
  keyId: string;
  event: AuditEvent;
}

/** A row as it was found: without `event` where it is not one that this program writes. */
export type ChainRow = ChainPlace & { keyId: string; event: AuditEvent | undefined };

/** The keys that are at hand, by their names. */
export type AuditKeys = ReadonlyMap<string, Uint8Array>;

/** Where the chain is broken. */
export interface ChainBreak {
  /** The event that it was noticed at. */
  seq: number;
  /** One sentence without a full stop. */
  what: string;
}

export interface ChainCheck {
  /** The events in order, each once. */
  add(found: ChainRow): ChainBreak | undefined;
  /** The last event that was added, or what the chain began behind. */
  readonly last: ChainPlace & { at?: Date };
  readonly count: number;
  /** Events whose key is not at hand, by the key's name: only their order was checked. */
  readonly unchecked: ReadonlyMap<string, number>;
}

/**
 * Follows the chain event by event. It goes on behind a break with what stands there, so that every place is found and one
 * damage is told once.
 */
export function createChainCheck(keys: AuditKeys, from: ChainPlace): ChainCheck {
  const unchecked = new Map<string, number>();
  let last: ChainCheck["last"] = { seq: from.seq, mac: from.mac };
  let count = 0;

  function problemOf(found: ChainRow): string | undefined {
    const { seq, mac, keyId, event } = found;
    if (seq <= from.seq) return `event ${seq} stands before the place where the log begins`;
    const key = keys.get(keyId);
    if (key === undefined) unchecked.set(keyId, (unchecked.get(keyId) ?? 0) + 1);
    if (seq !== last.seq + 1) return `${missing(last.seq + 1, seq - 1)}${after(last)}`;
    if (event === undefined) return `event ${seq} was changed: it is not one that can be read`;
    if (key === undefined || mac === auditMac(key, last.mac, seq, auditJson(listed(event))))
      return undefined;
    return `event ${seq} of ${event.at.toISOString()} was changed, put in or moved`;
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

/** `event 4 is missing`, `events 4 to 6 are missing`. */
export function missing(first: number, end: number): string {
  return first === end ? `event ${first} is missing` : `events ${first} to ${end} are missing`;
}

function after({ seq, at }: ChainCheck["last"]): string {
  return at === undefined ? "" : `, after event ${seq} of ${at.toISOString()}`;
}
