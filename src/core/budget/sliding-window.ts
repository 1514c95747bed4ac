/** Sixty full slots and the one that has just begun, so no call is forgotten too early. */
const slotCount = 61;

/** Counts the calls of the last sixty slots. Needs 61 counters for any number of calls. */
export interface SlidingWindow {
  add(atMs: number): void;
  /** Removes the newest call from the count. */
  removeNewest(): void;
  count(atMs: number): number;
  /** Milliseconds until the oldest call leaves the window. Infinity if the window is empty. */
  freeInMs(atMs: number): number;
}

/**
 * Creates a window of a minute (`slotMs` 1 000) or an hour (60 000). Times are milliseconds of a monotonic clock.
 * @param slotMs the window's precision, in milliseconds
 */
export function createSlidingWindow(slotMs: number): SlidingWindow {
  const slots = new Uint32Array(slotCount);
  let newest = 0;
  let total = 0;

  const slotOf = (slot: number): number => slots[slot % slotCount] ?? 0;

  function moveTo(atMs: number): number {
    const slot = Math.floor(atMs / slotMs);
    for (const end = Math.min(slot, newest + slotCount); newest < end;) {
      newest += 1;
      total -= slotOf(newest);
      slots[newest % slotCount] = 0;
    }
    return (newest = Math.max(newest, slot));
  }

  function change(slot: number, by: number): void {
    slots[slot % slotCount] = slotOf(slot) + by;
    total += by;
  }

  return {
    add: (atMs) => change(moveTo(atMs), 1),
    removeNewest: () => {
      for (let slot = newest; total > 0 && slot >= 0; slot -= 1) {
        if (slotOf(slot) > 0) return change(slot, -1);
      }
    },
    count: (atMs) => (moveTo(atMs), total),
    freeInMs: (atMs) => {
      moveTo(atMs);
      for (let slot = Math.max(0, newest - slotCount + 1); slot <= newest; slot += 1) {
        if (slotOf(slot) > 0) return (slot + slotCount) * slotMs - atMs;
      }
      return Infinity;
    },
  };
}
