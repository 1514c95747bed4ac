import { type Cancellation, LazySignal } from "../../src/core/shared/lazy-signal.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { reasonOfCancel } from "../../src/core/call/caller-stop.ts";
import { createTimeoutQueue } from "../../src/core/call/timeout-queue.ts";
import { withDeadline } from "../../src/core/call/deadline.ts";
import { ToolError } from "../../src/core/tool/tool-error.ts";

let timeouts = createTimeoutQueue(1_000);
const settings = {
  caller: { signal: undefined },
  timeouts: { set: (onTimeout: () => void) => timeouts.set(onTimeout) },
};
const reading = { ...settings, name: "read_thing", acts: false };
const acting = { ...settings, name: "do_thing", acts: true };
const never = (): Promise<never> => new Promise(() => undefined);

/** The error of the work. A handler is added immediately, because the work may fail before the test awaits it. */
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );

/** Fails when the signal says so, as a well-behaved client of a server does. */
function untilAborted(signal: () => Cancellation): Promise<never> {
  const aborted = signal();
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(new Error("aborted"));
    if (aborted.aborted) fail();
    aborted.addEventListener("abort", fail);
  });
}

describe("a tool's work under a timeout", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    timeouts = createTimeoutQueue(1_000);
  });
  afterEach(() => void vi.useRealTimers());

  it("returns the work's result, and its timer ends", async () => {
    expect(await withDeadline(reading, async () => 5)).toBe(5);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("has its whole time, regardless of earlier work, and ends no other's", async () => {
    const first = failure(withDeadline(reading, never));
    await vi.advanceTimersByTimeAsync(400);
    const ended: string[] = [];
    const second = failure(withDeadline(acting, never)).then((error) => ended.push(String(error)));
    expect(await withDeadline(reading, async () => "quick")).toBe("quick");
    await vi.advanceTimersByTimeAsync(600);
    expect(await first).toMatchObject({ kind: "timeout" });
    await vi.advanceTimersByTimeAsync(399);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await second;
    expect(ended.join()).toContain("do_thing did not answer in time");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("may throw before it begins", async () => {
    const error = await failure(
      withDeadline(reading, () => {
        throw new TypeError("immediately");
      }),
    );
    expect(error).toMatchObject({ kind: "internal" });
  });

  it.each([
    ["reads", reading, "none", "Nothing was done."],
    [
      "acts",
      acting,
      "unknown",
      "The effect may have happened: check the target before calling again.",
    ],
  ])("is a timeout if it hangs, for a tool that %s", async (...row) => {
    const [, settings, sideEffects, words] = row;
    const error = failure(withDeadline(settings, never));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await error).toMatchObject({ kind: "timeout", sideEffects });
    expect(String(await error)).toContain(words);
  });

  it("aborts the work's signal at the timeout", async () => {
    let seen: Cancellation | undefined;
    const error = failure(
      withDeadline(acting, (signal) => {
        seen = signal();
        return never();
      }),
    );
    expect(seen?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await error).toMatchObject({ kind: "timeout" });
    expect(seen?.aborted).toBe(true);
  });

  it("is cancelled with its caller if it only reads", async () => {
    const caller = new AbortController();
    const settings = { ...reading, caller };
    const error = failure(withDeadline(settings, untilAborted));
    caller.abort();
    expect(await error).toMatchObject({ kind: "cancelled", sideEffects: "none" });
  });

  it("is not cancelled half-way if it acts", async () => {
    const caller = new AbortController();
    let seen: Cancellation | undefined;
    const work = withDeadline({ ...acting, caller }, async (signal) => {
      seen = signal();
      caller.abort();
      await Promise.resolve();
      return "done";
    });
    expect(await work).toBe("done");
    expect(seen?.aborted).toBe(false);
  });

  // A running change of an upstream server could not be cancelled.
  it("is cancelled if it acts and is interruptible, but only if its caller asks for that", async () => {
    const caller = new LazySignal();
    const work = { ...acting, caller: { signal: caller }, isInterruptible: true };
    const error = failure(withDeadline(work, untilAborted));
    caller.abort(reasonOfCancel("The user pressed stop."));
    expect(await error).toMatchObject({
      kind: "cancelled",
      sideEffects: "unknown",
      message: expect.stringContaining("check the target before calling again") as string,
    });
  });

  it.each([
    ["disconnected", undefined],
    ["had its own timeout", reasonOfCancel("McpError: MCP error -32001: Request timed out")],
  ])("is finished if it is interruptible and its caller %s", async (_how, reason) => {
    const caller = new LazySignal();
    const settings = { ...acting, caller: { signal: caller }, isInterruptible: true };
    const work = withDeadline(settings, async (signal) => {
      const seen = signal();
      caller.abort(reason);
      await Promise.resolve();
      return seen.aborted;
    });
    expect(await work).toBe(false);
  });

  it.each([
    ["reads", reading, "none"],
    ["acts", acting, "unknown"],
  ])("is internal if it throws unexpectedly, for a tool that %s", async (...row) => {
    const [, settings, sideEffects] = row;
    const cause = new TypeError("x is not a function");
    const error = await failure(withDeadline(settings, () => Promise.reject(cause)));
    expect(error).toMatchObject({ kind: "internal", sideEffects, cause });
    expect(String(error)).not.toContain("x is not a function");
  });

  it("passes our own errors on", async () => {
    const error = new ToolError("conflict", "It changed. Nothing was done.");
    await expect(withDeadline(acting, () => Promise.reject(error))).rejects.toBe(error);
  });
});
