import { callDigest } from "../shared/digest.ts";
import { type ErrorKind, ToolError } from "../tool/tool-error.ts";

/** The same call failing so often in a row is a loop: two tries are an accident, three a habit, and more teach nothing. */
const failuresInARow = 5;

/** A stopped call gets one more try after so long, as what was wrong may have been mended. Milliseconds. */
const stopsForMs = 60_000;

/** Failures further apart than this are no loop. Milliseconds. */
const forgottenAfterMs = 5 * 60_000;

/** Calls that are remembered for one principal; a loop repeats itself, so the oldest can go. */
const maxCalls = 64;

/** Answers that are no failure of the call: a person or a limit stands behind them, and says when it may go on. */
const noFailures: readonly ErrorKind[] = [
  "approval_required",
  "budget_exceeded",
  "cancelled",
  "denied",
  "forbidden",
];

interface Failures {
  kind: ErrorKind;
  message: string;
  count: number;
  lastAt: number;
}

/**
 * Finds callers that repeat a failing call. In this process only: what a loop costs is this process's time. Another call is
 * another matter, and any success that may have changed something lets everything be tried again.
 */
export interface RepeatedFailureGuard {
  /** Throws `budget_exceeded`, with the reason, for a call that has failed too often in the same way. */
  assertNotRepeating(call: Identity): void;
  /**
   * Counts the failure, and gives what the caller is told: the error, or why the call is not tried any more. `digest`: empty
   * for a call that could not be read.
   */
  failed(call: UnreadCall, digest: string, error: ToolError): ToolError;
  succeeded(call: Identity, acted: boolean): void;
}

interface Identity {
  principal: string;
  /** Over tool and parsed arguments. */
  digest: string;
}

interface UnreadCall {
  principal: string;
  tool: string;
  arguments: unknown;
}

/** `now`: a clock in milliseconds that only goes forward. */
export function createRepeatedFailureGuard(
  now: () => number = () => performance.now(),
): RepeatedFailureGuard {
  const callers = new Map<string, Map<string, Failures>>();

  function stopped({ principal, digest }: Identity): ToolError | undefined {
    const known = callers.get(principal)?.get(digest);
    if (known === undefined || known.count < failuresInARow) return undefined;
    const leftMs = known.lastAt + stopsForMs - now();
    if (leftMs <= 0) return undefined;
    return new ToolError(
      "budget_exceeded",
      `This very call has failed ${known.count} times in a row in the same way, so it was not tried again. The last time: ${known.kind}: ${known.message}`,
      {
        hint: "Repeating it does not help. Change the arguments, do something else first, or tell the user what is in the way.",
        retryAfterSeconds: Math.ceil(leftMs / 1000),
      },
    );
  }

  function count({ principal, digest }: Identity, { kind, message }: ToolError): void {
    if (noFailures.includes(kind)) return;
    const calls = callers.get(principal) ?? new Map<string, Failures>();
    callers.set(principal, calls);
    const lastAt = now();
    const before = calls.get(digest);
    const goesOn = before?.kind === kind && lastAt - before.lastAt < forgottenAfterMs;
    // Set anew and not overwritten, so that the oldest stands first.
    calls.delete(digest);
    calls.set(digest, { kind, message, count: goesOn ? before.count + 1 : 1, lastAt });
    for (const [oldest] of calls) if (calls.size > maxCalls) calls.delete(oldest);
  }

  return {
    assertNotRepeating: (call) => {
      const error = stopped(call);
      if (error !== undefined) throw error;
    },
    failed: (call, known, error) => {
      const isUnread = known === "";
      const identity = {
        principal: call.principal,
        digest: isUnread ? digestOfUnread(call) : known,
      };
      // One that could be read was stopped before it was tried.
      const loop = isUnread ? stopped(identity) : undefined;
      if (loop === undefined) count(identity, error);
      return loop ?? error;
    },
    succeeded: ({ principal, digest }, acted) => {
      if (acted) callers.delete(principal);
      else callers.get(principal)?.delete(digest);
    },
  };
}

/** The arguments may be nested more deeply than anybody can read. */
function digestOfUnread({ tool, arguments: args }: UnreadCall): string {
  try {
    return callDigest(tool, args ?? null);
  } catch {
    return callDigest(tool, "unreadable");
  }
}
