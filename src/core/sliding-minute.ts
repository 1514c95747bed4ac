/** A minute and the second that has only begun: nothing is forgotten too early. */
const slotCount = 61;

/** How many calls there were within the last minute, whatever their number in the memory of 61 counters. */
export interface SlidingMinute {
  add(atMs: number): void;
  /** The newest call does not count after all. */
  takeBack(): void;
  count(atMs: number): number;
  /** Until the oldest call counts no more; without an end where there is none. */
  freeInMs(atMs: number): number;
}

/** A counter a second. Times are milliseconds of a clock that only goes forward. */
export function createSlidingMinute(): SlidingMinute {
  const slots = new Uint32Array(slotCount);
  let newest = 0;
  let total = 0;

  const slotOf = (second: number): number => slots[second % slotCount] ?? 0;

  function moveTo(atMs: number): number {
    const second = Math.floor(atMs / 1000);
    for (const end = Math.min(second, newest + slotCount); newest < end;) {
      newest += 1;
      total -= slotOf(newest);
      slots[newest % slotCount] = 0;
    }
    return (newest = Math.max(newest, second));
  }

  function change(second: number, by: number): void {
    slots[second % slotCount] = slotOf(second) + by;
    total += by;
  }

  return {
    add: (atMs) => change(moveTo(atMs), 1),
    takeBack: () => {
      for (let second = newest; total > 0 && second >= 0; second -= 1) {
        if (slotOf(second) > 0) return change(second, -1);
      }
    },
    count: (atMs) => (moveTo(atMs), total),
    freeInMs: (atMs) => {
      moveTo(atMs);
      for (let second = Math.max(0, newest - slotCount + 1); second <= newest; second += 1) {
        if (slotOf(second) > 0) return (second + slotCount) * 1000 - atMs;
      }
      return Infinity;
    },
  };
}
