import { type Cancellation, LazySignal } from "../shared/lazy-signal.ts";
import { isStopped } from "./caller-stop.ts";
import type { TimeoutQueue } from "./timeout-queue.ts";
import { ToolError } from "../tool/tool-error.ts";

export interface DeadlineSettings {
  /** The tool's name, for error messages. */
  name: string;
  /**
   * True if the work may change something. Such work is not cancelled because its caller left, and its failure leaves
   * the effect unknown.
   */
  acts: boolean;
  /** True if work that changes something ends when its caller asks for that. */
  isInterruptible?: boolean | undefined;
  /** The caller. The signal is read only if the work needs one. */
  caller: { readonly signal: Cancellation | undefined };
  /** Fires at the end of the allowed time. */
  timeouts: TimeoutQueue;
}

/**
 * Runs one piece of a tool's work within its time limit. Creates the signal only when the work asks for it, because a
 * signal costs more than a whole call without one.
 * @throws ToolError `timeout`, `cancelled`, `internal` or the work's own, stating whether anything may have happened
 */
export function withDeadline<T>(
  settings: DeadlineSettings,
  work: (signal: () => LazySignal) => Promise<T>,
): Promise<T> {
  const { name, acts, timeouts, isInterruptible = false } = settings;
  const caller = acts && !isInterruptible ? undefined : settings.caller;
  const sideEffects = acts ? "unknown" : "none";
  let own: LazySignal | undefined;
  const abort = (): void => own?.abort();
  const isCancelled = (): boolean =>
    acts ? isStopped(caller?.signal) : caller?.signal?.aborted === true;
  const cancelled = (): void => {
    if (isCancelled()) own?.abort(caller?.signal?.reason);
  };
  const signal = (): LazySignal => {
    if (own === undefined) {
      own = new LazySignal();
      cancelled();
      caller?.signal?.addEventListener("abort", cancelled);
    }
    return own;
  };

  function explained(thrown: unknown): ToolError {
    if (thrown instanceof ToolError) return thrown;
    const tail = acts
      ? "The effect may have happened: check the target before calling again."
      : "Nothing was done.";
    if (thrown === late)
      return new ToolError("timeout", `${name} did not answer in time. ${tail}`, { sideEffects });
    if (isCancelled())
      return new ToolError("cancelled", `${name} was cancelled. ${tail}`, { sideEffects });
    return new ToolError("internal", `${name} failed inside the server. ${tail}`, {
      sideEffects,
      cause: thrown,
    });
  }

  return new Promise((resolve, reject) => {
    const cancel = timeouts.set(() => {
      failed(late);
      abort();
    });
    function end(): void {
      cancel();
      if (own !== undefined) caller?.signal?.removeEventListener("abort", cancelled);
    }
    function failed(thrown: unknown): void {
      end();
      reject(explained(thrown));
    }
    function done(result: T): void {
      end();
      resolve(result);
    }
    const run = async (): Promise<void> => {
      try {
        done(await work(signal));
      } catch (thrown) {
        failed(thrown);
      }
    };
    void run();
  });
}

const late = Symbol("late");
