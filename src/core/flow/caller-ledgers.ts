import { onceInATurn } from "../shared/once-in-a-turn.ts";
import { KnownContents } from "./known-contents.ts";
import type { GivenSource, Ledger, LedgerEntry, SentPlace } from "./ledger.ts";
import type { MadeMarks } from "./marks-maker.ts";
import { type Sealer, unpackMarks } from "./packed-marks.ts";
import type { Recording } from "./recording-marks.ts";

/** The items that one caller received, and the texts that it sent to one destination. */
export interface OpenLedger {
  contents: KnownContents;
  /** The oldest first. */
  sent: readonly string[];
  /** The items that cannot be compared. */
  gaps: readonly Gap[];
}

/** An item without marks. */
export interface Gap {
  seq: number;
  source: GivenSource;
  /**
   * `unreadable`: it was written with another key or by another version. `removed`: items of its source,
   * or of all but upstream servers, were removed because the caller received too much.
   */
  why: "unreadable" | "removed";
}

export interface CallerLedgers {
  /**
   * Adds the entries that this process stores, if the caller has sent something before. Most callers only read.
   * @param storing the write, which this function waits for
   */
  add(
    principal: string,
    storing: Promise<readonly LedgerEntry[]>,
    made: readonly MadeMarks[],
  ): Promise<void>;
  /** Adds texts that this process has sent, if no other process sent one in between. The next check reads the others. */
  addSent(principal: string, texts: Recording["sent"], places: readonly SentPlace[]): void;
  /** Reads the entries that other processes added. */
  open(principal: string, destination: string): Promise<OpenLedger>;
}

/**
 * Items that are kept in memory between two checks of one caller, so that a caller that only reads does not fill the
 * memory. If there are more, all are dropped and the next check reads them again.
 */
const mostUnchecked = 500;

/**
 * How often the number of the oldest valid entry is read. Until then, an expired or removed entry is still compared.
 * Milliseconds.
 */
const oldestEveryMs = 1_000;

interface Caller {
  contents: KnownContents;
  /** When the oldest entry was read. */
  oldestAt: number;
  /** The number of the newest entry that was read. */
  read: number;
  /** Entries that this process added, and need not read again. */
  own: Set<number>;
  /** The marks that this process is storing, by their digest. A read may find them before the write has ended. */
  storing: Map<string, MadeMarks>;
  /** Entries that this process added since the last check. */
  unchecked: number;
  /** The items that cannot be compared. A later removal from a source replaces the earlier one. */
  gaps: Map<string, Gap>;
  sent: Map<string, { seq: number; texts: string[] }>;
}

const utf8 = new TextDecoder();

/**
 * Creates the reader of callers' ledgers. It keeps items in memory and reads those of other processes from the store.
 */
export function createCallerLedgers(
  ledger: Ledger,
  {
    sealer,
    mostEarlierTexts,
    now = () => performance.now(),
  }: { sealer: Sealer; mostEarlierTexts: number; now?: () => number },
): CallerLedgers {
  const callers = new Map<string, Caller>();

  function callerOf(principal: string): Caller {
    const known = callers.get(principal) ?? {
      contents: new KnownContents(),
      oldestAt: -Infinity,
      read: 0,
      own: new Set(),
      storing: new Map(),
      unchecked: 0,
      gaps: new Map(),
      sent: new Map(),
    };
    callers.set(principal, known);
    return known;
  }

  async function read(principal: string, destination: string): Promise<OpenLedger> {
    const caller = callerOf(principal);
    caller.unchecked = 0;
    const sent = caller.sent.get(destination) ?? { seq: 0, texts: [] };
    caller.sent.set(destination, sent);
    const found = await ledger.read(principal, {
      given: caller.read,
      sent: sent.seq,
      destination,
    });
    for (const entry of found.entries) {
      // Two concurrent calls may have read the same entries.
      if (entry.seq <= caller.read) continue;
      caller.read = entry.seq;
      if (caller.own.delete(entry.seq)) continue;
      const known = caller.storing.get(entry.digest);
      const marks = known?.marks ?? unpackMarks(entry.marks, sealer);
      if (marks === undefined) caller.gaps.set(...gapOf(entry));
      else caller.contents.add(sourceOf(entry), marks, withHashes(entry, known));
    }
    // An entry that was stored again has a new number, and its old one is never read.
    for (const seq of caller.own) if (seq <= caller.read) caller.own.delete(seq);
    for (const { seq, text } of found.sent) {
      if (seq <= sent.seq) continue;
      sent.seq = seq;
      const opened = sealer.open(text);
      if (opened !== undefined) sent.texts.push(utf8.decode(opened));
    }
    dropOldest(sent.texts);
    if (now() - caller.oldestAt >= oldestEveryMs) await dropOld(principal, caller);
    return {
      contents: caller.contents,
      sent: sent.texts,
      gaps: [...caller.gaps.values()],
    };
  }

  function dropOldest(texts: string[]): void {
    texts.splice(0, texts.length - mostEarlierTexts);
  }

  async function dropOld(principal: string, caller: Caller): Promise<void> {
    caller.oldestAt = now();
    // An entry that this process adds during the read may be missing from the result, and must be kept.
    const newest = Math.max(caller.contents.newest, caller.read);
    const oldest = (await ledger.oldest(principal)) ?? newest + 1;
    caller.contents.dropBefore(oldest);
    for (const [key, { seq }] of caller.gaps) if (seq < oldest) caller.gaps.delete(key);
  }

  /** Waits for a write. A read that finds its marks meanwhile need not decrypt them. */
  async function stored<T>(
    storing: Promise<T>,
    { storing: known }: Pick<Caller, "storing">,
    made: readonly MadeMarks[],
  ): Promise<T> {
    for (const each of made) known.set(each.digest, each);
    try {
      return await storing;
    } finally {
      known.clear();
    }
  }

  return {
    add: async (principal, storing, made) => {
      const before = callers.get(principal);
      const entries = await (before === undefined ? storing : stored(storing, before, made));
      // A check may have begun meanwhile.
      const caller = callers.get(principal);
      if (caller === undefined) return;
      caller.unchecked += entries.length;
      if (caller.unchecked > mostUnchecked) {
        callers.delete(principal);
        return;
      }
      for (const [index, entry] of entries.entries()) {
        const own = made[index];
        if (own === undefined || entry.seq <= caller.read) continue;
        caller.own.add(entry.seq);
        caller.contents.add(sourceOf(entry), own.marks, withHashes(entry, own));
      }
      // A gap in the numbers means entries of other processes. Without a gap, nothing has to be read again.
      while (caller.own.delete(caller.read + 1)) caller.read += 1;
    },

    addSent: (principal, texts, places) => {
      for (const [index, { destination, text }] of texts.entries()) {
        const sent = callers.get(principal)?.sent.get(destination);
        const { seq, before } = places[index] ?? { seq: 0, before: 0 };
        if (sent === undefined || before > sent.seq || seq <= sent.seq) continue;
        sent.seq = seq;
        // The stored text has another character in place of half of one.
        sent.texts.push(utf8.decode(Buffer.from(text)));
        dropOldest(sent.texts);
      }
    },

    open: onceInATurn(read),
  };
}

function gapOf(entry: LedgerEntry): [key: string, gap: Gap] {
  const { seq, kind, id, marks } = entry;
  const why = marks.length === 0 ? "removed" : "unreadable";
  return [why === "removed" ? `${kind} ${id}` : String(seq), { seq, source: sourceOf(entry), why }];
}

function withHashes({ seq, digest }: LedgerEntry, made: MadeMarks | undefined) {
  return { seq, digest, ...(made && { hashes: made.hashes }) };
}

/** Returns the source without the entry's fingerprints, which would otherwise be in memory twice. */
function sourceOf({ kind, id, writtenBy, verified, at }: LedgerEntry): GivenSource {
  return { kind, id, writtenBy, verified, at };
}
