/**
 * Steps that one event may take, each about half a microsecond: a thousand years of days. An event that needs more is not a
 * calendar's.
 */
const stepsOfEvent = 400_000;

/** Counts the work that strangers' files cause. */
export interface Work {
  /** What is left; below 0 when it is spent. */
  readonly left: number;
  /** @throws Error when more is spent than there was */
  spend(steps: number): void;
}

/** Returns work of its own, which also counts as that of the whole it is a part of. The whole may run out without an error. */
export function createWork(steps = stepsOfEvent, whole?: { left: number }): Work {
  let left = steps;
  return {
    get left() {
      return left;
    },
    spend: (spent) => {
      left -= spent;
      if (whole !== undefined) whole.left -= spent;
      if (left < 0) throw new Error("the event is too complicated");
    },
  };
}
