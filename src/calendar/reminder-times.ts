import { ianaZone, utcToWall, utcZone, wallToUtc } from "../core/shared/time-zone.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import { checkedRule } from "./new-event.ts";
import { occurrences } from "./recurrence/recurrence.ts";
import { type Moment, readRule } from "./values.ts";
import { createStepLimit } from "./recurrence/step-limit.ts";

/** More than clocks are ever put back. Milliseconds. */
const clocksPutBackMs = 3 * 3_600_000;

/** The times of a reminder. */
export interface ReminderTimes {
  startAt: Date;
  /** IANA name. */
  timeZone: string;
  /** An RRULE's value, as `reminderRule` returned it. */
  recurrence: string | undefined;
}

/**
 * Checks the recurrence rule of a reminder.
 * @throws {ToolError} `invalid_input`
 */
export function reminderRule(recurrence: string, { startAt, timeZone }: ReminderTimes): string {
  return checkedRule(recurrence, startOf({ startAt, timeZone }));
}

/**
 * Returns the first time after `after`. Undefined if there is none.
 * @throws {ToolError} `invalid_input` if the rule is too complicated
 */
export function nextReminder(times: ReminderTimes, after: Date): Date | undefined {
  const { startAt, recurrence } = times;
  if (recurrence === undefined) return startAt > after ? startAt : undefined;
  const start = startOf(times);
  const { zone } = start;
  const rule = readRule(recurrence, start);
  try {
    // After clocks are put back, a later time may have an earlier wall clock.
    const from = utcToWall(after.getTime(), zone) - clocksPutBackMs;
    for (const wall of occurrences(rule, start.wall, from, undefined, createStepLimit())) {
      const at = wall === undefined ? undefined : wallToUtc(wall, zone);
      if (at !== undefined && at > after.getTime()) return new Date(at);
    }
    return undefined;
  } catch (cause) {
    throw new ToolError(
      "invalid_input",
      "recurrence: it is too complicated. No reminder was stored.",
      { cause },
    );
  }
}

function startOf({ startAt, timeZone }: Pick<ReminderTimes, "startAt" | "timeZone">) {
  const zone = ianaZone(timeZone) ?? utcZone;
  const wall = utcToWall(startAt.getTime(), zone);
  return { kind: "zoned", wall, zone } as const satisfies Moment;
}
