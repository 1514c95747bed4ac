import type { FileChange, FileChanges, PlannedChange } from "../../src/ports/files/file-changes.ts";

interface Row extends PlannedChange {
  state: FileChange["state"] | "dropped";
  etagAfter: string | undefined;
  until: Date;
  isOriginal: boolean;
  isEvicted: boolean;
}

/** No call runs this long. Milliseconds. */
const planLastsMs = 15 * 60_000;

/** Creates a store of file changes in memory, with an optional clock of the test. */
export function createFakeFileChanges(clock: () => Date = () => new Date()): FileChanges {
  const rows = new Map<string, Row>();
  const update = async (undoId: string, fields: Partial<Row>): Promise<void> => {
    const row = rows.get(undoId);
    if (row !== undefined) rows.set(undoId, { ...row, ...fields });
  };
  const living = (condition: (row: Row) => boolean): FileChange[] =>
    [...rows.values()]
      .filter(condition)
      .flatMap(
        ({ state, replaces: _replaces, isOriginal: _isOriginal, keptBytes: _bytes, ...row }) =>
          state === "dropped" ? [] : [{ ...row, state, isExpired: row.until <= clock() }],
      );
  const rowsOf = (principal: string, keepMs: number) =>
    [...rows.values()].flatMap((row) => {
      const { undoId, key, keptBytes: bytes, state, until } = row;
      if (row.principal !== principal || row.isEvicted || bytes === undefined) return [];
      const isStale = until.getTime() - keepMs <= clock().getTime() - planLastsMs;
      const mayGo =
        state === "dropped" ||
        until <= clock() ||
        (!row.isOriginal && (state === "made" || isStale));
      return [{ copy: { undoId, key, bytes }, mayGo }];
    });
  const sum = (copies: readonly { copy: { bytes: number } }[]): number =>
    copies.reduce((bytes, { copy }) => bytes + copy.bytes, 0);
  return {
    plan: async (change, { keepMs, atMost, mayExceed }) => {
      const until = new Date(clock().getTime() + keepMs);
      const { key, principal, replaces, keptBytes = 0 } = change;
      const copies = rowsOf(principal, keepMs);
      if (!mayExceed && sum(copies.filter(({ mayGo }) => !mayGo)) + keptBytes > atMost)
        return undefined;
      const isOurs = [...rows.values()].some(
        (row) => row.key === key && row.etagAfter === replaces && row.undoes === undefined,
      );
      rows.set(change.undoId, {
        ...change,
        state: "planned",
        etagAfter: undefined,
        until,
        isOriginal: replaces !== undefined && !isOurs,
        isEvicted: false,
      });
      let excess = sum(copies) + keptBytes - atMost;
      const evicted = copies.flatMap(({ copy, mayGo }) => {
        if (!mayGo || excess <= 0) return [];
        excess -= copy.bytes;
        return [copy];
      });
      for (const { undoId } of evicted) await update(undoId, { isEvicted: true });
      return { until, evicted: evicted.map(({ undoId, key: of }) => ({ undoId, key: of })) };
    },
    confirm: (undoId, etagAfter) => update(undoId, { state: "made", etagAfter }),
    drop: (undoId) => update(undoId, { state: "dropped" }),
    find: async (undoId) => living((row) => row.undoId === undoId)[0],
    undosOf: async (undoId) => living(({ undoes }) => undoes === undoId),
    expired: async (limit) =>
      [...rows.values()]
        .filter(({ until }) => until <= clock())
        .toSorted((a, b) => a.until.getTime() - b.until.getTime())
        .slice(0, limit),
    copiesOf: async (principal, keepMs) => {
      const copies = rowsOf(principal, keepMs);
      return {
        bytes: sum(copies),
        evictable: copies.filter(({ mayGo }) => mayGo).map(({ copy }) => copy),
      };
    },
    confirmEvicted: (undoId) => update(undoId, { isEvicted: true }),
    forget: async (undoId) => void rows.delete(undoId),
    known: async (undoIds) => new Set(undoIds.filter((undoId) => rows.has(undoId))),
  };
}
