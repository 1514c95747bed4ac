import type { EventLedger, EventLedgerEntry } from "../../src/ports/calendar/event-ledger.ts";

export interface FakeEventLedger extends EventLedger {
  entries: Map<string, EventLedgerEntry>;
}

export function createFakeEventLedger(): FakeEventLedger {
  const entries = new Map<string, EventLedgerEntry>();
  return {
    entries,
    find: async (uids) =>
      uids.flatMap((uid) => {
        const entry = entries.get(uid);
        return entry === undefined ? [] : [entry];
      }),
    record: async (entry) => {
      if (!entries.has(entry.uid)) entries.set(entry.uid, { ...entry, confirmed: false });
    },
    confirm: async (uid) => {
      const entry = entries.get(uid);
      if (entry !== undefined) entries.set(uid, { ...entry, confirmed: true });
    },
    forget: async (uid) => {
      if (entries.get(uid)?.confirmed === false) entries.delete(uid);
    },
  };
}
