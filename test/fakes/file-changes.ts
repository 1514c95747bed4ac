import type { FileChange, FileChanges, PlannedChange } from "../../src/ports/files/file-changes.ts";

interface Row extends PlannedChange {
  state: FileChange["state"] | "dropped";
  left: string | undefined;
  until: Date;
  isOriginal: boolean;
  isEvicted: boolean;
  keptBytes: number | undefined;
}

/** The changes of files in memory, with a clock that the test may own. */
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
          state === "dropped" ? [] : [{ ...row, state, isOver: row.until <= clock() }],
      );
  return {
    plan: async (change, keepMs) => {
      const until = new Date(clock().getTime() + keepMs);
      const { key, replaces } = change;
      const isOurs = [...rows.values()].some(
        (row) => row.key === key && row.left === replaces && row.undoes === undefined,
      );
      rows.set(change.undoId, {
        ...change,
        state: "planned",
        left: undefined,
        until,
        isOriginal: replaces !== undefined && !isOurs,
        isEvicted: false,
        keptBytes: undefined,
      });
      return until;
    },
    made: (undoId, left, keptBytes) =>
      update(undoId, { state: "made", left, ...(keptBytes !== undefined && { keptBytes }) }),
    drop: (undoId) => update(undoId, { state: "dropped" }),
    find: async (undoId) => living((row) => row.undoId === undoId)[0],
    undoing: async (undoId) => living(({ undoes }) => undoes === undoId),
    over: async (limit) =>
      [...rows.values()]
        .filter(({ until }) => until <= clock())
        .toSorted((a, b) => a.until.getTime() - b.until.getTime())
        .slice(0, limit),
    kept: async (principal) => {
      const copies = [...rows.values()]
        .filter((row) => row.principal === principal && !row.isEvicted && row.until > clock())
        .flatMap(({ undoId, key, keptBytes: bytes, isOriginal }) =>
          bytes === undefined ? [] : [{ undoId, key, bytes, isOriginal }],
        );
      return {
        bytes: copies.reduce((sum, { bytes }) => sum + bytes, 0),
        evictable: copies.filter(({ isOriginal }) => !isOriginal),
      };
    },
    evicted: (undoId) => update(undoId, { isEvicted: true }),
    forget: async (undoId) => void rows.delete(undoId),
    known: async (undoIds) => new Set(undoIds.filter((undoId) => rows.has(undoId))),
  };
}
