import { ToolError } from "../tool/tool-error.ts";

/** The limits per minute and per turn, from the settings. Hourly limits are derived from those per turn. */
export interface BudgetLimits {
  callsPerMinute: number;
  callsPerTurn: number;
  highPerTurn: number;
}

/**
 * Hourly limits, in turns. They apply even if a client keeps naming new turns. Ten full turns are more than a person
 * can follow in an hour. For calls that need approval the factor is four, because each takes the person's attention.
 */
const turnsAnHour = { calls: 10, high: 4 } as const;

export const callsPerHour = ({ callsPerTurn }: BudgetLimits): number =>
  callsPerTurn * turnsAnHour.calls;
export const highPerHour = ({ highPerTurn }: BudgetLimits): number =>
  highPerTurn * turnsAnHour.high;

/** `high` and `highHour` limit the calls that need approval, in a turn and in an hour. */
export type Limit = "minute" | "turn" | "high" | "hour" | "highHour";

/** Milliseconds until each exhausted limit admits a call, unless other calls are made before that. */
export type UsedUp = Partial<Record<Limit, number>>;

const ofTurn: readonly Limit[] = ["turn", "high"];

/**
 * Returns the refusal for a call over its limits. The message names the limit that lasts longest.
 * @param goOn the value of `whereToResume`
 * @param endsWhenQuietInMs milliseconds without a call after which the turn ends. Undefined for a turn with a trace id
 */
export function exceeded(
  usedUp: UsedUp,
  limits: BudgetLimits,
  {
    at,
    goOn,
    endsWhenQuietInMs,
  }: { at: Date; goOn: string; endsWhenQuietInMs?: number | undefined },
): ToolError {
  const waits = Object.entries(usedUp) as [Limit, number][];
  const [limit, waitMs] = waits.reduce((one, other) => (other[1] > one[1] ? other : one));
  const others = waits.filter(([name]) => !ofTurn.includes(name)).map(([, wait]) => wait);
  const quietMs =
    endsWhenQuietInMs === undefined ? Infinity : Math.max(endsWhenQuietInMs, ...others);
  const sooner =
    ofTurn.includes(limit) && quietMs < waitMs
      ? `, or at ${clockTime(at, quietMs)} if nothing is called until then`
      : "";
  return new ToolError(
    "budget_exceeded",
    `${sentences[limit](limits)} Nothing was done${isHigh(limit) ? ", and the user was not asked" : ""}. The next one is possible at ${clockTime(at, waitMs)}${sooner}.`,
    { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)), hint: hintOf(limit, goOn) },
  );
}

const isHigh = (limit: Limit): boolean => limit === "high" || limit === "highHour";

const sentences: Readonly<Record<Limit, (limits: BudgetLimits) => string>> = {
  minute: ({ callsPerMinute }) => atMost(callsPerMinute, ["a minute"]),
  turn: ({ callsPerTurn }) => atMost(callsPerTurn, [], ["for one turn"]),
  high: ({ highPerTurn }) => atMost(highPerTurn, [asked(highPerTurn)], ["for one turn"]),
  hour: (limits) => atMost(callsPerHour(limits), ["an hour"]),
  highHour: (limits) => atMost(highPerHour(limits), [asked(highPerHour(limits))], ["an hour"]),
};

const asked = (count: number): string => `that need${count === 1 ? "s" : ""} the user's approval`;

function atMost(count: number, which: readonly string[], when: readonly string[] = []): string {
  const [calls, are, they] = count === 1 ? ["call", "is", "it is"] : ["calls", "are", "they are"];
  const allowed = [count, calls, ...which, are, "allowed", ...when].join(" ");
  return `At most ${allowed}, and ${they} used up.`;
}

function hintOf(limit: Limit, goOn: string): string {
  if (limit === "minute") return "Wait, and get more done with each call.";
  const what = isHigh(limit) ? "what still has to be asked" : "what is done and what is missing";
  const there = ofTurn.includes(limit) ? "" : " there";
  return `Tell the user ${what}. The user can reset this limit ${goOn}. An approval${there} resets it too.`;
}

/** Formats a time as `14:02:10 UTC`, rounded up to the next second. The caller's time zone is unknown here. */
function clockTime(at: Date, inMs: number): string {
  const second = Math.ceil((at.getTime() + inMs) / 1000) * 1000;
  return `${new Date(second).toISOString().slice(11, 19)} UTC`;
}
