import { ToolError } from "./tool-error.ts";

export interface DeadlineSettings {
  /** The tool's name, for the sentence. */
  name: string;
  /** True where the work may change something: it is then not cancelled half-way, and a failure leaves it unknown. */
  acts: boolean;
  callerSignal: AbortSignal | undefined;
  /** Milliseconds for the whole of it. */
  timeoutMs: number;
}

/**
 * Runs one piece of a tool's work so that it always answers: within its time, and with a `ToolError` that says whether
 * anything may have happened. Throws `timeout`, `cancelled`, `internal`, or whatever `ToolError` the work throws. The signal
 * is made when the work asks for it: it costs more than a whole call that needs none.
 */
export async function withDeadline<T>(
  settings: DeadlineSettings,
  work: (signal: () => AbortSignal) => Promise<T>,
): Promise<T> {
  const { name, acts } = settings;
  const callerSignal = acts ? undefined : settings.callerSignal;
  const tail = acts ? "It may have happened: look before calling again." : "Nothing was done.";
  const sideEffects = acts ? "unknown" : "none";
  let controller: AbortController | undefined;
  const abort = (): void => controller?.abort();
  const signal = (): AbortSignal => {
    if (controller === undefined) {
      controller = new AbortController();
      if (callerSignal?.aborted === true) controller.abort();
      callerSignal?.addEventListener("abort", abort);
    }
    return controller.signal;
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      abort();
      reject(new ToolError("timeout", `${name} did not answer in time. ${tail}`, { sideEffects }));
    }, settings.timeoutMs);
  });
  try {
    return await Promise.race([work(signal), late]);
  } catch (thrown) {
    if (thrown instanceof ToolError) throw thrown;
    if (callerSignal?.aborted === true) {
      throw new ToolError("cancelled", `${name} was cancelled. ${tail}`);
    }
    throw new ToolError("internal", `${name} failed inside the server. ${tail}`, {
      sideEffects,
      cause: thrown,
    });
  } finally {
    clearTimeout(timer);
    callerSignal?.removeEventListener("abort", abort);
  }
}
