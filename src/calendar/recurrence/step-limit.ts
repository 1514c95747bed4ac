/**
 * Limit on steps per event, each about half a microsecond. They are enough for the days of a thousand years, and real
 * events need fewer.
 */
const stepsOfEvent = 400_000;

/** Limits the steps that an untrusted file can cause. */
export interface StepLimit {
  /** Remaining steps. Below 0 when the limit is reached. */
  readonly left: number;
  /** @throws {Error} if more steps are spent than remain */
  spend(steps: number): void;
}

/** Creates a limit whose steps also count against `whole`. Exceeding `whole` throws no error. */
export function createStepLimit(steps = stepsOfEvent, whole?: { left: number }): StepLimit {
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
