import type { Fingerprints } from "./fingerprint.ts";
import {
  type GivenSource,
  type Ledger,
  type LedgerEntry,
  type LedgerView,
  ledgerBytes,
} from "./ledger.ts";

/** Bytes of a stored fingerprint. */
const markBytes = 6;

/** The contents that one caller was given, in memory. New ones are read from the database before each comparison. */
export interface CallerLedger extends LedgerView {
  readonly isEmpty: boolean;
}

interface Known {
  entries: LedgerEntry[];
  byMark: Map<number, LedgerEntry[]>;
}

/**
 * Creates the reader of the contents that callers were given. It reads entries of other processes when they are needed,
 * and drops expired entries.
 */
export function createCallerLedgers(
  ledger: Ledger,
  { fingerprints, lastsMs }: { fingerprints: Fingerprints; lastsMs: number },
) {
  const known = new Map<string, Known>();

  function drop(principal: string, entries: readonly LedgerEntry[]): void {
    const byMark = new Map<number, LedgerEntry[]>();
    for (const entry of entries) addTo(byMark, entry);
    known.set(principal, { entries: [...entries], byMark });
  }

  return {
    open: async (
      principal: string,
      destination: string,
    ): Promise<{ view: CallerLedger; sent: readonly string[] }> => {
      const own: Known = known.get(principal) ?? { entries: [], byMark: new Map() };
      known.set(principal, own);
      const seq = own.entries.at(-1)?.seq ?? 0;
      const { entries, sent, now } = await ledger.read(principal, { seq, destination });
      for (const entry of entries) {
        // Two concurrent calls may have read the same entries.
        if (entry.seq <= (own.entries.at(-1)?.seq ?? 0)) continue;
        own.entries.push(entry);
        addTo(own.byMark, entry);
      }
      const kept = stillCounting(own.entries, now.getTime() - lastsMs);
      if (kept.length < own.entries.length) drop(principal, kept);
      return { view: viewOf(known.get(principal)?.byMark ?? new Map(), kept, fingerprints), sent };
    },
  };
}

function viewOf(
  byMark: ReadonlyMap<number, readonly LedgerEntry[]>,
  entries: readonly LedgerEntry[],
  fingerprints: Fingerprints,
): CallerLedger {
  return {
    fingerprints,
    isEmpty: entries.length === 0,
    sourcesOf: (mark) => byMark.get(mark)?.toReversed().map(toSource) ?? [],
  };
}

function toSource({ kind, id, writtenBy, verified, at }: LedgerEntry): GivenSource {
  return { kind, id, writtenBy, verified, at };
}

function addTo(byMark: Map<number, LedgerEntry[]>, entry: LedgerEntry): void {
  for (const mark of entry.marks) {
    const others = byMark.get(mark);
    if (others === undefined) byMark.set(mark, [entry]);
    else others.push(entry);
  }
}

/** Returns the newest entries: none before `since`, which is in milliseconds, and at most `ledgerBytes` together. */
function stillCounting(entries: readonly LedgerEntry[], since: number): readonly LedgerEntry[] {
  let bytes = 0;
  let first = entries.length;
  while (first > 0) {
    const entry = entries[first - 1];
    if (entry === undefined || entry.at.getTime() < since) break;
    bytes += entry.marks.size * markBytes;
    if (bytes > ledgerBytes) break;
    first -= 1;
  }
  return first === 0 ? entries : entries.slice(first);
}
