import { callDigest } from "../shared/digest.ts";
import { type ErrorKind, ToolError } from "../tool/tool-error.ts";

/** A call that fails this often in a row counts as a loop. */
const failuresInARow = 5;

/** A stopped call may be tried again after this time, because its cause may be gone. Milliseconds. */
const stopsForMs = 60_000;

/** Failures further apart than this are not a loop. Milliseconds. */
const forgottenAfterMs = 5 * 60_000;

/** Calls remembered per caller. A loop repeats itself, so the oldest calls can be dropped. */
const maxCalls = 64;

/** Errors that are no failures of the call itself: a person or a limit refuses it for a known time. */
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
 * Stops callers that repeat a failing call. State is kept per process, because a loop costs only this process's time.
 * Any success that may have changed something clears all counts.
 */
export interface RepeatedFailureGuard {
  /** Throws `budget_exceeded`, with the reason, for a call that failed too often in the same way. */
  assertNotRepeating(call: Identity): void;
  /**
   * Counts the failure and returns the error for the caller: the call's own, or the reason why it is stopped.
   * @param digest empty for a call whose arguments were not readable
   */
  failed(call: UnreadCall, digest: string, error: ToolError): ToolError;
  succeeded(call: Identity, acted: boolean): void;
}

interface Identity {
  principal: string;
  /** SHA-256 over tool and parsed arguments. */
  digest: string;
}

interface UnreadCall {
  principal: string;
  tool: string;
  arguments: unknown;
}

/** Creates the guard. `now` is a monotonic clock in milliseconds. */
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
      `This call has failed ${known.count} times in a row in the same way, so it was not tried again. The last time: ${known.kind}: ${known.message}`,
      {
        hint: "Change the arguments, do something else first, or tell the user about the error.",
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
    // Deleting first moves the key to the end, so the oldest call comes first.
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
      // `assertNotRepeating` already stopped calls with readable arguments.
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

/** Returns a digest of unparsed arguments. They may be nested too deeply to serialize. */
function digestOfUnread({ tool, arguments: args }: UnreadCall): string {
  try {
    return callDigest(tool, args ?? null);
  } catch {
    return callDigest(tool, "unreadable");
  }
}
