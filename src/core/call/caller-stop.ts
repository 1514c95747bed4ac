import { type Cancellation, LazySignal } from "../shared/lazy-signal.ts";
import { ToolError } from "../tool/tool-error.ts";

/**
 * The reason of a signal whose caller asked to end the running call. With any other reason the caller only stopped
 * waiting, for example because it disconnected or its own time limit was over, and a change continues.
 */
class StoppedByCaller extends Error {
  override readonly name = "StoppedByCaller";
}

/** Returns the reason for a signal, from the reason that a client gave. */
export function reasonOfCancel(given: unknown): unknown {
  // The SDKs of clients also cancel a call that is slower than their own timeout. No person asked for that.
  return typeof given === "string" && !/tim(?:e|ed)[\s-]?out/i.test(given)
    ? new StoppedByCaller("The caller cancelled the call.")
    : undefined;
}

/** Returns whether the caller asked to end a running call. */
export function isStopped(signal: Cancellation | undefined): boolean {
  return signal?.aborted === true && signal.reason instanceof StoppedByCaller;
}

/** Checks that the caller did not end a call before it began. @throws ToolError `cancelled` */
export function assertNotStopped(signal: Cancellation): void {
  if (isStopped(signal))
    throw new ToolError("cancelled", "The call was cancelled before it began. Nothing was done.");
}

/** Returns the cancellation for a signal of the SDK, whose reason is the text that the client gave. */
export function cancellationOf(signal: AbortSignal): Cancellation {
  const cancellation = new LazySignal();
  const abort = (): void => cancellation.abort(reasonOfCancel(signal.reason));
  if (signal.aborted) abort();
  // The SDK drops the signal with its request, so the listener stays.
  else signal.addEventListener("abort", abort, { once: true });
  return cancellation;
}
