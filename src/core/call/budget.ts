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

/** One call as the budgets count it. Joining an open ticket, an answer round and `check_approval` are not counted. */
export interface Charge {
  principal: string;
  /** The client's own word: it only tells apart turns that have no trace id. */
  client: string;
  risk: Risk;
  /** The trace id of `traceparent`, where the client sends one. */
  turn: string | undefined;
  /** Over tool and parsed arguments. */
  digest: string;
}

/** The one place where calls are counted against the limits of PRODUCT section 3. */
export interface Budget {
  /**
   * Throws or rejects with `budget_exceeded`, with when to try again: then nothing was counted. A call of low risk is counted
   * before this returns; for any other there is something to wait for.
   */
  spend(spending: Charge): Promise<void> | undefined;
  /** For a call that was counted as one of low risk and is not. */
  raise(spending: Charge): Promise<void>;
  /** For a call of high risk that failed before it came to a person: it remains a call and no more. */
  refundApproval(spending: Charge): Promise<void>;
}

/** Without a trace id, a turn is over when a client has not called for so long. Milliseconds. */
const idleGapMs = 60_000;

/** A turn with a trace id has no end of its own: what is older counts no more. Milliseconds. */
export const longestTurnMs = 3_600_000;

/** Turns that are told apart for one principal: a client may make up as many ids as it likes, and gains nothing by it. */
const maxTurns = 64;

/** A call of medium or high risk, with what only the process knows that it came to. */
export interface SharedCharge {
  principal: string;
  /** Undefined where there is a trace id. */
  client: string | undefined;
  /** The trace id, or the name of a new turn for where none goes on. */
  turn: string;
  /** The client's newest call within this time belongs to the same turn. Milliseconds. */
  goesOnWithinMs: number;
  risk: "medium" | "high";
  digest: string;
  /** What is left of each limit after the calls of low risk. */
  left: { minute: number; turn: number; high: number; hour: number; highHour: number };
}

/** Where calls of medium and high risk are counted, for all replicas and by the store's own clock. */
export interface BudgetStore {
  /**
   * Counts the call, in one step, or says what is used up. A call of high risk that is identical to one which was counted
   * half a minute ago or less is not counted: it joins that one's request.
   */
  spend(spending: SharedCharge): Promise<UsedUp | undefined>;
  /** From now on the call of high risk that was counted last with this digest is one of medium risk. */
  refundApproval(spending: { principal: string; digest: string }): Promise<void>;
  /** How long ago this caller's turn, and its hour, were started anew; milliseconds, undefined where they were not. */
  renewedAgoMs(principal: string): Promise<Renewal>;
}

/**
 * A person's approval starts a turn anew, through whatever channel: a client could as well make up a new turn. The hour, which
 * no client can evade, starts anew only by what a client program cannot say: a yes at the page, in Telegram or at the terminal,
 * or "go on" there.
 */
export interface Renewal {
  turn: number | undefined;
  hour: number | undefined;
}

/** So long one call may take to open its request, which identical ones then join. Milliseconds. */
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

/** Everything that this process has counted for one principal. */
interface Account {
  low: Counts;
  acting: Counts;
  /** When the counting of the hour began. */
  hourSince: number;
  turns: Map<string, Turn>;
}

const newCounts = (): Counts => ({
  minute: createSlidingWindow(1_000),
  hour: createSlidingWindow(60_000),
});

/**
 * Calls of low risk are counted in this process only. `now`: a clock in milliseconds that only goes forward; `clock`: the time
 * of day, for what is said.
 */
export function createBudget(settings: {
  limits: BudgetLimits;
  spendings: BudgetStore;
  here: ChannelsHere;
  now?: () => number;
  clock?: () => Date;
}): Budget {
  const {
    limits,
    spendings,
    here,
    now = () => performance.now(),
    clock = () => new Date(),
  } = settings;
  // As many as there are tokens.
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
    // Set anew and not overwritten, so that the oldest stands first.
    turns.delete(key);
    const turn = { id: traceId, startedAt: at, lastAt: at, low: 0, acting: 0 };
    turns.set(key, turn);
    for (const [oldest] of turns) if (turns.size > maxTurns) turns.delete(oldest);
    return turn;
  }

  const goOnFor = ({ principal }: Charge): string => whereToResume(here, principal);

  /** Forgets what was counted before a person started it anew. True where there was such a thing. */
  async function renewed(principal: string, usedUp: UsedUp): Promise<boolean> {
    // A minute is over sooner than anybody could ask.
    if (Object.keys(usedUp).every((limit) => limit === "minute")) return false;
    const account = accountOf(principal);
    const { turn, hour } = await spendings.renewedAgoMs(principal);
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

  function lowUsedUp({ low, acting }: Account, turn: Turn, spending: Charge, at: number): UsedUp {
    const count = (which: keyof Counts): number => low[which].count(at) + acting[which].count(at);
    const freeIn = (which: keyof Counts): number =>
      Math.min(low[which].freeInMs(at), acting[which].freeInMs(at));
    return {
      ...(count("minute") >= limits.callsPerMinute && { minute: freeIn("minute") }),
      ...(count("hour") >= callsPerHour(limits) && { hour: freeIn("hour") }),
      ...(turn.low + turn.acting >= limits.callsPerTurn && {
        turn: endsInMs(turn, spending.turn, at),
      }),
    };
  }

  /** What is used up, and then nothing was counted; undefined where the call was. */
  function tryLow(spending: Charge): UsedUp | undefined {
    const at = now();
    const account = accountOf(spending.principal);
    const turn = turnOf(account, spending, at);
    const usedUp = lowUsedUp(account, turn, spending, at);
    if (Object.keys(usedUp).length > 0) return usedUp;
    account.low.minute.add(at);
    account.low.hour.add(at);
    turn.low += 1;
    turn.lastAt = at;
    return undefined;
  }

  async function tryLowAnew(spending: Charge, before: UsedUp): Promise<void> {
    const usedUp = (await renewed(spending.principal, before)) ? tryLow(spending) : before;
    if (usedUp !== undefined)
      throw exceeded(usedUp, limits, { at: clock(), goOn: goOnFor(spending) });
  }

  function spendLow(spending: Charge): Promise<void> | undefined {
    const usedUp = tryLow(spending);
    return usedUp && tryLowAnew(spending, usedUp);
  }

  async function tryShared(spending: Charge, risk: "medium" | "high"): Promise<UsedUp | undefined> {
    const { principal, client, digest } = spending;
    const at = now();
    const account = accountOf(principal);
    const turn = turnOf(account, spending, at);
    const { acting } = account;
    const left = {
      minute: limits.callsPerMinute - account.low.minute.count(at),
      turn: limits.callsPerTurn - turn.low,
      high: limits.highPerTurn,
      hour: callsPerHour(limits) - account.low.hour.count(at),
      highHour: highPerHour(limits),
    };
    // Before anything is awaited: calls of low risk that come meanwhile see it.
    const counted = [acting.minute, acting.hour];
    for (const window of counted) window.add(at);
    turn.acting += 1;
    let isCounted = false;
    try {
      const usedUp = await spendings.spend({
        principal,
        client: spending.turn === undefined ? client : undefined,
        turn: (turn.id ??= randomId("turn")),
        goesOnWithinMs: at - turn.startedAt + idleGapMs,
        risk,
        digest,
        left,
      });
      isCounted = usedUp === undefined;
      return usedUp;
    } finally {
      if (isCounted) turn.lastAt = at;
      else {
        for (const window of counted) window.takeBack();
        turn.acting -= 1;
      }
    }
  }

  async function spendShared(spending: Charge, risk: "medium" | "high"): Promise<void> {
    let usedUp = await tryShared(spending, risk);
    if (usedUp !== undefined && (await renewed(spending.principal, usedUp))) {
      usedUp = await tryShared(spending, risk);
    }
    if (usedUp === undefined) return;
    const endsWhenQuietInMs = spending.turn === undefined ? idleGapMs : undefined;
    throw exceeded(usedUp, limits, { at: clock(), goOn: goOnFor(spending), endsWhenQuietInMs });
  }

  return {
    spend: (spending) =>
      spending.risk === "low" ? spendLow(spending) : spendShared(spending, spending.risk),
    raise: async (spending) => {
      if (spending.risk === "low") return;
      const account = accountOf(spending.principal);
      const turn = turnOf(account, spending, now());
      account.low.minute.takeBack();
      account.low.hour.takeBack();
      turn.low = Math.max(0, turn.low - 1);
      await spendShared(spending, spending.risk);
    },
    refundApproval: async ({ risk, principal, digest }) => {
      // The caller gets the call's own error; at worst one request fewer is left for this turn.
      if (risk === "high")
        await spendings.refundApproval({ principal, digest }).catch(() => undefined);
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
