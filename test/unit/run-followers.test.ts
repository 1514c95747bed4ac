import { describe, expect, it } from "vitest";
import { createRunFollowers } from "../../src/core/approvals/run-followers.ts";
import { cancellationOf, isStopped, reasonOfCancel } from "../../src/core/call/caller-stop.ts";
import { LazySignal } from "../../src/core/shared/lazy-signal.ts";
import { withReason } from "../../src/mcp/lost-arguments.ts";

const stop = reasonOfCancel("stop");

/** Starts a run that two callers wait for. Returns whether it was stopped, and the progress that each received. */
function followed() {
  const followers = createRunFollowers();
  const told: string[] = [];
  const callers = ["first", "second"].map((name) => {
    const signal = new LazySignal();
    const progress = ({ progress: value }: { progress: number }): void =>
      void told.push(`${name} ${value}`);
    let leave = (): void => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    const waiting = followers.follow("ap_1", { signal, progress }, () => left);
    return { signal, leave, waiting };
  });
  let isRunStopped = (): boolean => false;
  let tell = (_value: number): void => undefined;
  let end = (): void => undefined;
  const run = followers.run("ap_1", ({ signal, progress }) => {
    isRunStopped = () => isStopped(signal);
    tell = (value) => progress({ progress: value });
    return new Promise<void>((resolve) => (end = resolve));
  });
  return { followers, callers, told, run, isRunStopped, tell, end };
}

describe("the callers that wait for a run", () => {
  it("get its progress until they leave", async () => {
    const { callers, told, tell } = followed();
    tell(1);
    callers[0]?.leave();
    await callers[0]?.waiting;
    tell(2);
    expect(told).toEqual(["first 1", "second 1", "second 2"]);
  });

  it("stop it only if the last of them asks for that", () => {
    const { callers, isRunStopped } = followed();
    callers[0]?.signal.abort(stop);
    expect(isRunStopped()).toBe(false);
    callers[1]?.signal.abort(stop);
    expect(isRunStopped()).toBe(true);
  });

  it("do not stop it by leaving", () => {
    const { callers, isRunStopped } = followed();
    callers[0]?.signal.abort(stop);
    callers[1]?.signal.abort();
    expect(isRunStopped()).toBe(false);
  });

  it("do not stop the run of another request, nor a later run", async () => {
    const { followers, callers, run, end, isRunStopped } = followed();
    const other = new LazySignal();
    void followers.follow("ap_2", { signal: other }, () => new Promise(() => undefined));
    other.abort(stop);
    expect(isRunStopped()).toBe(false);
    for (const { signal } of callers) signal.abort(stop);
    end();
    await run;
    await followers.run("ap_1", async ({ signal }) => {
      expect(signal.aborted).toBe(false);
      await Promise.resolve();
    });
  });
});

describe("the cancellation of a request of the SDK", () => {
  it("asks to stop with the text of a client, also an empty one", () => {
    const empty = withReason({ method: "notifications/cancelled", params: { requestId: 1 } });
    expect(empty.params).toEqual({ requestId: 1, reason: "" });
    const given = { method: "notifications/cancelled", params: { requestId: 1, reason: "no" } };
    expect(withReason([given])).toEqual([given]);
    for (const reason of ["", "no"]) {
      const cancelled = new AbortController();
      const cancellation = cancellationOf(cancelled.signal);
      cancelled.abort(reason);
      expect(isStopped(cancellation)).toBe(true);
    }
  });

  it.each([new Error("Connection closed"), undefined, "SdkError: Request timed out"])(
    "does not ask to stop with the reason %s",
    (reason) => {
      const ended = new AbortController();
      const cancellation = cancellationOf(ended.signal);
      ended.abort(reason);
      expect(cancellation.aborted).toBe(true);
      expect(isStopped(cancellation)).toBe(false);
      expect(cancellationOf(AbortSignal.abort(reason)).aborted).toBe(true);
    },
  );
});
