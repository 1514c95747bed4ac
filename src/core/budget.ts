import { randomId } from "./digest.ts";
import type { Risk } from "./risk.ts";
import { type SlidingMinute, createSlidingMinute } from "./sliding-minute.ts";
import { ToolError } from "./tool-error.ts";

/** One call as the budgets count it. Joining an open ticket, an answer round and `check_approval` are not counted. */
export interface Spending {
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
  spend(spending: Spending): Promise<void> | undefined;
  /** For a call that was counted as one of low risk and is not. */
  raise(spending: Spending): Promise<void>;
  /** For a call of high risk that failed before it came to a person: it remains a call and no more. */
  notAsked(spending: Spending): Promise<void>;
}

export interface BudgetLimits {
  callsPerMinute: number;
  callsPerTurn: number;
}

/** Requests to a person in one turn: PRODUCT section 3. More than a person reads with care between two sentences. */
const highPerTurn = 5;

/** Without a trace id, a turn is over when a client has not called for so long. Milliseconds. */
export const idleGapMs = 60_000;

/** A turn with a trace id has no end of its own: what is older counts no more. Milliseconds. */
export const longestTurnMs = 3_600_000;

/** Turns that are told apart for one principal: a client may make up as many ids as it likes, and gains nothing by it. */
const maxTurns = 64;

/** A call of medium or high risk, with what only the process knows that it came to. */
export interface SharedSpending {
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
  left: { minute: number; turn: number; high: number };
}

export type Limit = "minute" | "turn" | "high";

/** Where calls of medium and high risk are counted, for all replicas and by the store's own clock. */
export interface Spendings {
  /**
   * Counts the call, in one step, or says what is used up. A call of high risk that is identical to one which was counted
   * half a minute ago or less is not counted: it joins that one's request.
   */
  spend(spending: SharedSpending): Promise<{ limit: Limit; retryAfterMs: number } | undefined>;
  /** From now on the call of high risk that was counted last with this digest is one of medium risk. */
  notAsked(spending: { principal: string; digest: string }): Promise<void>;
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

/** Everything that this process has counted for one principal. */
interface Account {
  low: SlidingMinute;
  acting: SlidingMinute;
  turns: Map<string, Turn>;
}

/** Calls of low risk are counted in this process only. `now`: a clock in milliseconds that only goes forward. */
export function createBudget(settings: {
  limits: BudgetLimits;
  spendings: Spendings;
  now?: () => number;
}): Budget {
  const { limits, spendings, now = () => performance.now() } = settings;
  // As many as there are tokens.
  const accounts = new Map<string, Account>();

  function accountOf(principal: string): Account {
    let account = accounts.get(principal);
    if (account === undefined) {
      account = { low: createSlidingMinute(), acting: createSlidingMinute(), turns: new Map() };
      accounts.set(principal, account);
    }
    return account;
  }

  function turnOf({ turns }: Account, { turn: traceId, client }: Spending, at: number): Turn {
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

  function spendLow(spending: Spending): undefined {
    const at = now();
    const account = accountOf(spending.principal);
    const turn = turnOf(account, spending, at);
    if (account.low.count(at) + account.acting.count(at) >= limits.callsPerMinute) {
      const freeInMs = Math.min(account.low.freeInMs(at), account.acting.freeInMs(at));
      throw exceeded("minute", limits, freeInMs);
    }
    if (turn.low + turn.acting >= limits.callsPerTurn) {
      throw exceeded("turn", limits, endsInMs(turn, spending.turn, at));
    }
    account.low.add(at);
    turn.low += 1;
    turn.lastAt = at;
  }

  async function spendShared(spending: Spending, risk: "medium" | "high"): Promise<void> {
    const { principal, client, digest } = spending;
    const at = now();
    const account = accountOf(principal);
    const turn = turnOf(account, spending, at);
    const isTraced = spending.turn !== undefined;
    const left = {
      minute: limits.callsPerMinute - account.low.count(at),
      turn: limits.callsPerTurn - turn.low,
      high: highPerTurn,
    };
    // Before anything is awaited: calls of low risk that come meanwhile see it.
    account.acting.add(at);
    turn.acting += 1;
    let usedUp: { limit: Limit; retryAfterMs: number } | undefined;
    let isCounted = false;
    try {
      usedUp = await spendings.spend({
        principal,
        client: isTraced ? undefined : client,
        turn: (turn.id ??= randomId("turn")),
        goesOnWithinMs: at - turn.startedAt + idleGapMs,
        risk,
        digest,
        left,
      });
      isCounted = usedUp === undefined;
    } finally {
      if (isCounted) turn.lastAt = at;
      else {
        account.acting.takeBack();
        turn.acting -= 1;
      }
    }
    if (usedUp !== undefined) throw exceeded(usedUp.limit, limits, usedUp.retryAfterMs);
  }

  return {
    spend: (spending) =>
      spending.risk === "low" ? spendLow(spending) : spendShared(spending, spending.risk),
    raise: async (spending) => {
      if (spending.risk === "low") return;
      const account = accountOf(spending.principal);
      const turn = turnOf(account, spending, now());
      account.low.takeBack();
      turn.low = Math.max(0, turn.low - 1);
      await spendShared(spending, spending.risk);
    },
    notAsked: async ({ risk, principal, digest }) => {
      // The caller gets the call's own error; at worst one request fewer is left for this turn.
      if (risk === "high") await spendings.notAsked({ principal, digest }).catch(() => undefined);
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

function exceeded(limit: Limit, limits: BudgetLimits, retryAfterMs: number): ToolError {
  const details = { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)) };
  switch (limit) {
    case "minute":
      return new ToolError(
        "budget_exceeded",
        `At most ${limits.callsPerMinute} calls a minute are allowed, and they are used up. Nothing was done.`,
        { ...details, hint: "Wait, and ask for more with fewer calls." },
      );
    case "turn":
      return new ToolError(
        "budget_exceeded",
        `At most ${limits.callsPerTurn} calls are allowed for one turn, and they are used up. Nothing was done.`,
        {
          ...details,
          hint: "Tell the user what is done and what is missing, and go on when the user says so.",
        },
      );
    case "high":
      return new ToolError(
        "budget_exceeded",
        `At most ${highPerTurn} calls that need the user's approval are allowed for one turn, and they are used up. Nothing was done, and the user was not asked.`,
        {
          ...details,
          hint: "Tell the user what still has to be asked, and go on when the user says so.",
        },
      );
  }
}
