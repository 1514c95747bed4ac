import { ToolError } from "../tool/tool-error.ts";

/** What a person allows. The limits of an hour follow from those of a turn. */
export interface BudgetLimits {
  callsPerMinute: number;
  callsPerTurn: number;
  highPerTurn: number;
}

/**
 * Turns' worth of calls that a caller has an hour, whatever it calls its turns. Ten full turns are more than a person follows
 * in an hour; of requests for approval four, because each of them takes the person's attention.
 */
const turnsAnHour = { calls: 10, high: 4 } as const;

export const callsPerHour = ({ callsPerTurn }: BudgetLimits): number =>
  callsPerTurn * turnsAnHour.calls;
export const highPerHour = ({ highPerTurn }: BudgetLimits): number =>
  highPerTurn * turnsAnHour.high;

/** `high`, `highHour`: of calls that need approval, in a turn and in an hour. */
export type Limit = "minute" | "turn" | "high" | "hour" | "highHour";

/** How long each limit that is used up keeps a call waiting, whatever else is called meanwhile. Milliseconds. */
export type UsedUp = Partial<Record<Limit, number>>;

const ofTurn: readonly Limit[] = ["turn", "high"];

/**
 * Returns the refusal for a call over some limit: it names the one that lasts longest, as no call is possible before.
 * @param goOn the answer of `whereToResume`
 * @param endsWhenQuietInMs until the turn is over where nothing is called; undefined where that does not end it
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
      ? `, and at ${clockTime(at, quietMs)} if nothing is called until then`
      : "";
  return new ToolError(
    "budget_exceeded",
    `${sentences[limit](limits)} Nothing was done${isHigh(limit) ? ", and the user was not asked" : ""}. The next one is possible at ${clockTime(at, waitMs)}${sooner}.`,
    { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)), hint: hintOf(limit, goOn) },
  );
}

const isHigh = (limit: Limit): boolean => limit === "high" || limit === "highHour";

const sentences: Readonly<Record<Limit, (limits: BudgetLimits) => string>> = {
  minute: ({ callsPerMinute }) =>
    `At most ${callsPerMinute} calls a minute are allowed, and they are used up.`,
  turn: ({ callsPerTurn }) =>
    `At most ${callsPerTurn} calls are allowed for one turn, and they are used up.`,
  high: ({ highPerTurn }) =>
    `At most ${highPerTurn} calls that need the user's approval are allowed for one turn, and they are used up.`,
  hour: (limits) =>
    `At most ${callsPerHour(limits)} calls an hour are allowed, and they are used up.`,
  highHour: (limits) =>
    `At most ${highPerHour(limits)} calls that need the user's approval are allowed an hour, and they are used up.`,
};

function hintOf(limit: Limit, goOn: string): string {
  if (limit === "minute") return "Wait, and ask for more with fewer calls.";
  const what = isHigh(limit) ? "what still has to be asked" : "what is done and what is missing";
  const there = ofTurn.includes(limit) ? "" : " there";
  return `Tell the user ${what}. The user can reset this limit ${goOn}. An approval${there} resets it too.`;
}

/** `14:02:10 UTC`, never too early: the caller's time zone is not known here. */
function clockTime(at: Date, inMs: number): string {
  const second = Math.ceil((at.getTime() + inMs) / 1000) * 1000;
  return `${new Date(second).toISOString().slice(11, 19)} UTC`;
}
