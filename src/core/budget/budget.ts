import { type ChannelsHere, whereToResume } from "../approvals/directions.ts";
import { randomId } from "../shared/digest.ts";
import type { Risk } from "../policy/risk.ts";
import {
  type BudgetLimits,
  type UsedUp,
  callsPerHour,
  exceeded,
  highPerHour,
} from "./budget-exceeded.ts";
import { type SlidingWindow, createSlidingWindow } from "./sliding-window.ts";

/**
 * One call as the budgets count it. Joining an open request, answering a dialog and `check_approval` are not counted.
 */
export interface Charge {
  principal: string;
  /** The name that the client gives itself. It only separates turns without a trace id. */
  client: string;
  risk: Risk;
  /** The trace id of `traceparent`, if the client sends one. */
  turn: string | undefined;
  /** SHA-256 over tool and parsed arguments. */
  digest: string;
}

/** Counts all calls against the rate limits and the limits on approval requests. */
export interface Budget {
  /**
   * Counts the call. At a limit it throws or rejects with `budget_exceeded` and the time of the next try, and the call
   * is not counted. A low-risk call is counted synchronously, and any other call returns a promise.
   */
  spend(charge: Charge): Promise<void> | undefined;
  /** Counts a call at its higher risk after it was counted as low risk. */
  raise(charge: Charge): Promise<void>;
  /**
   * Stops counting the approval request of a high-risk call that failed before a person saw the request. The call stays
   * counted.
   */
  refundApproval(charge: Charge): Promise<void>;
}

/** A turn without a trace id ends when its client is silent for this long. Milliseconds. */
const idleGapMs = 60_000;

/** A turn with a trace id has no end, so its calls are not counted any more after this time. Milliseconds. */
export const longestTurnMs = 3_600_000;

/** Turns remembered per caller. A client that invents trace ids gains nothing, because of the hourly limits. */
const maxTurns = 64;

/** A medium-risk or high-risk call, with what this process has left of each limit. */
export interface SharedCharge {
  principal: string;
  /** Undefined if the call has a trace id. */
  client: string | undefined;
  /** The trace id, or the name of a new turn if the client has no current one. */
  turn: string;
  /** A call within this time after the client's newest one belongs to the same turn. Milliseconds. */
  sameTurnWithinMs: number;
  risk: "medium" | "high";
  digest: string;
  /** Remaining calls of each limit after low-risk calls are subtracted. */
  left: { minute: number; turn: number; high: number; hour: number; highHour: number };
}

/** Counts medium-risk and high-risk calls across all replicas, by the store's clock. */
export interface BudgetStore {
  /**
   * Counts the call atomically, or returns the exhausted limits. A high-risk call is not counted if an identical one
   * was counted within `joinsWithinMs`.
   */
  spend(charge: SharedCharge): Promise<UsedUp | undefined>;
  /** Counts the newest high-risk call with this digest as medium risk from now on. */
  refundApproval(charge: { principal: string; digest: string }): Promise<void>;
  /** Returns how long ago a person renewed this caller's turn and hour, in milliseconds. Undefined if never. */
  renewedAgoMs(principal: string): Promise<Renewal>;
}

/**
 * When a person's decision last reset the counts. An approval in any channel resets the turn, which a client could also
 * do with a new trace id. Only a decision outside the client resets the hour: on the page, in Telegram or in a
 * terminal.
 */
export interface Renewal {
  turn: number | undefined;
  hour: number | undefined;
}

/** Longest time from counting a call to opening its request, which identical calls then join. Milliseconds. */
export const joinsWithinMs = 30_000;

interface Turn {
  id: string | undefined;
  startedAt: number;
  lastAt: number;
  low: number;
  acting: number;
}

/** Calls within a minute and an hour. */
interface Counts {
  minute: SlidingWindow;
  hour: SlidingWindow;
}

/** The counts of one caller in this process. */
interface Account {
  low: Counts;
  acting: Counts;
  /** Start of the counted hour, in milliseconds of the monotonic clock. */
  hourSince: number;
  turns: Map<string, Turn>;
}

const newCounts = (): Counts => ({
  minute: createSlidingWindow(1_000),
  hour: createSlidingWindow(60_000),
});

/**
 * Creates the budget. Low-risk calls are counted in this process only. `now` is a monotonic clock in milliseconds.
 * `clock` is the time of day, for messages.
 */
export function createBudget(settings: {
  limits: BudgetLimits;
  store: BudgetStore;
  here: ChannelsHere;
  now?: () => number;
  clock?: () => Date;
}): Budget {
  const { limits, store, here, now = () => performance.now(), clock = () => new Date() } = settings;
  // Bounded by the number of configured tokens.
  const accounts = new Map<string, Account>();

  function accountOf(principal: string): Account {
    let account = accounts.get(principal);
    if (account === undefined) {
      account = { low: newCounts(), acting: newCounts(), hourSince: now(), turns: new Map() };
      accounts.set(principal, account);
    }
    return account;
  }

  function turnOf({ turns }: Account, { turn: traceId, client }: Charge, at: number): Turn {
    const key = traceId ?? `client ${client}`;
    const known = turns.get(key);
    if (known !== undefined && !isOver(known, traceId, at)) return known;
    // Deleting first moves the key to the end, so the oldest turn comes first.
    turns.delete(key);
    const turn = { id: traceId, startedAt: at, lastAt: at, low: 0, acting: 0 };
    turns.set(key, turn);
    for (const [oldest] of turns) if (turns.size > maxTurns) turns.delete(oldest);
    return turn;
  }

  const goOnFor = ({ principal }: Charge): string => whereToResume(here, principal);

  /** Drops counts from before a person renewed them. Resolves with true if there were any. */
  async function renewed(principal: string, usedUp: UsedUp): Promise<boolean> {
    // The limit per minute ends sooner than a person could answer.
    if (Object.keys(usedUp).every((limit) => limit === "minute")) return false;
    const account = accountOf(principal);
    const { turn, hour } = await store.renewedAgoMs(principal);
    const at = now();
    let isNew = false;
    for (const [key, { startedAt }] of account.turns) {
      if (turn !== undefined && startedAt < at - turn) isNew = account.turns.delete(key);
    }
    if (hour !== undefined && account.hourSince < at - hour) {
      account.low.hour = createSlidingWindow(60_000);
      account.acting.hour = createSlidingWindow(60_000);
      account.hourSince = at;
      isNew = true;
    }
    return isNew;
  }

  /** Returns the exhausted limits. Undefined if the call fits. */
  function lowUsedUp(
    { low, acting }: Account,
    turn: Turn,
    charge: Charge,
    at: number,
  ): UsedUp | undefined {
    const count = (which: keyof Counts): number => low[which].count(at) + acting[which].count(at);
    const noMinute = count("minute") >= limits.callsPerMinute;
    const noHour = count("hour") >= callsPerHour(limits);
    const noTurn = turn.low + turn.acting >= limits.callsPerTurn;
    if (!noMinute && !noHour && !noTurn) return undefined;
    const freeIn = (which: keyof Counts): number =>
      Math.min(low[which].freeInMs(at), acting[which].freeInMs(at));
    return {
      ...(noMinute && { minute: freeIn("minute") }),
      ...(noHour && { hour: freeIn("hour") }),
      ...(noTurn && { turn: endsInMs(turn, charge.turn, at) }),
    };
  }

  /** Counts a low-risk call, or returns the exhausted limits without counting it. */
  function tryLow(charge: Charge): UsedUp | undefined {
    const at = now();
    const account = accountOf(charge.principal);
    const turn = turnOf(account, charge, at);
    const usedUp = lowUsedUp(account, turn, charge, at);
    if (usedUp !== undefined) return usedUp;
    account.low.minute.add(at);
    account.low.hour.add(at);
    turn.low += 1;
    turn.lastAt = at;
    return undefined;
  }

  async function tryLowAnew(charge: Charge, before: UsedUp): Promise<void> {
    const usedUp = (await renewed(charge.principal, before)) ? tryLow(charge) : before;
    if (usedUp !== undefined)
      throw exceeded(usedUp, limits, { at: clock(), goOn: goOnFor(charge) });
  }

  function spendLow(charge: Charge): Promise<void> | undefined {
    const usedUp = tryLow(charge);
    return usedUp && tryLowAnew(charge, usedUp);
  }

  async function tryShared(charge: Charge, risk: "medium" | "high"): Promise<UsedUp | undefined> {
    const { principal, client, digest } = charge;
    const at = now();
    const account = accountOf(principal);
    const turn = turnOf(account, charge, at);
    const { acting } = account;
    const left = {
      minute: limits.callsPerMinute - account.low.minute.count(at),
      turn: limits.callsPerTurn - turn.low,
      high: limits.highPerTurn,
      hour: callsPerHour(limits) - account.low.hour.count(at),
      highHour: highPerHour(limits),
    };
    // Counted before the first `await`, so that concurrent low-risk calls see it.
    const counted = [acting.minute, acting.hour];
    for (const window of counted) window.add(at);
    turn.acting += 1;
    let isCounted = false;
    try {
      const usedUp = await store.spend({
        principal,
        client: charge.turn === undefined ? client : undefined,
        turn: (turn.id ??= randomId("turn")),
        sameTurnWithinMs: at - turn.startedAt + idleGapMs,
        risk,
        digest,
        left,
      });
      isCounted = usedUp === undefined;
      return usedUp;
    } finally {
      if (isCounted) turn.lastAt = at;
      else {
        for (const window of counted) window.removeNewest();
        turn.acting -= 1;
      }
    }
  }

  async function spendShared(charge: Charge, risk: "medium" | "high"): Promise<void> {
    let usedUp = await tryShared(charge, risk);
    if (usedUp !== undefined && (await renewed(charge.principal, usedUp))) {
      usedUp = await tryShared(charge, risk);
    }
    if (usedUp === undefined) return;
    const endsWhenQuietInMs = charge.turn === undefined ? idleGapMs : undefined;
    throw exceeded(usedUp, limits, { at: clock(), goOn: goOnFor(charge), endsWhenQuietInMs });
  }

  return {
    spend: (charge) =>
      charge.risk === "low" ? spendLow(charge) : spendShared(charge, charge.risk),
    raise: async (charge) => {
      if (charge.risk === "low") return;
      const account = accountOf(charge.principal);
      const turn = turnOf(account, charge, now());
      account.low.minute.removeNewest();
      account.low.hour.removeNewest();
      turn.low = Math.max(0, turn.low - 1);
      await spendShared(charge, charge.risk);
    },
    refundApproval: async ({ risk, principal, digest }) => {
      // The caller gets the call's own error. At worst this turn has one request fewer.
      if (risk === "high") await store.refundApproval({ principal, digest }).catch(() => undefined);
    },
  };
}

function isOver(turn: Turn, traceId: string | undefined, at: number): boolean {
  return traceId === undefined
    ? at - turn.lastAt >= idleGapMs
    : at - turn.startedAt >= longestTurnMs;
}

function endsInMs(turn: Turn, traceId: string | undefined, at: number): number {
  return traceId === undefined ? turn.lastAt + idleGapMs - at : turn.startedAt + longestTurnMs - at;
}
