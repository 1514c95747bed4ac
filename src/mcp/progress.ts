import type { TellProgress } from "../core/tool/tool.ts";
import type { CallContext } from "./call-context.ts";

/** Limit on notifications about a run. More would be noise. */
const maxNotifications = 1_000;

/**
 * How often a waiting caller with a progress token is notified: well below the timeout of every client. Milliseconds.
 */
const waitingEveryMs = 5_000;

/** The progress notifications of one call. Their values increase, as the protocol requires. */
export interface CallProgress {
  /** Passes on the progress of the run. Values that do not increase are dropped. */
  tell: TellProgress;
  /** Notifies the caller that a person has not decided. Nothing is sent after the run reported progress. */
  waiting(): void;
}

/** Returns the progress of a call. Undefined if the client gave no token. */
export function progressTo(ctx: CallContext): CallProgress | undefined {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let waited = 0;
  let last = -Infinity;
  let count = 0;
  function notify(values: { progress: number; total?: number; message?: string }): void {
    const params = { progressToken, ...values };
    // A disconnected client needs no progress. The call itself notices through its signal.
    ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  }
  return {
    tell: ({ progress, total }) => {
      // The values of the wait came first.
      const value = waited + progress;
      if (!Number.isFinite(value) || value <= last || count >= maxNotifications) return;
      last = value;
      count += 1;
      const hasTotal = total !== undefined && Number.isFinite(total);
      notify({ progress: value, ...(hasTotal && { total: waited + total }) });
    },
    waiting: () => {
      if (count > 0) return;
      waited += 1;
      last = waited;
      notify({ progress: waited, message: "Waiting for the user's decision" });
    },
  };
}

/** Does work during which a caller waits for a person, and may be notified of that. */
export async function whileWaiting<T>(
  progress: CallProgress | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (progress === undefined) return await work();
  const timer = setInterval(() => progress.waiting(), waitingEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
