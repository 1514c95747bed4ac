import { describe, expect, it } from "vitest";
import { LazySignal, signalOf } from "../../src/core/shared/lazy-signal.ts";

describe("a cancellation without a real signal", () => {
  it("notifies each listener that was not removed, once", () => {
    const lazy = new LazySignal();
    const heard: string[] = [];
    const listeners = ["first", "second", "third", "fourth"].map((name) => () => {
      heard.push(name);
    });
    for (const listener of listeners) lazy.addEventListener("abort", listener);
    for (const listener of [listeners[0]!, listeners[2]!])
      lazy.removeEventListener("abort", listener);
    lazy.abort("by the caller");
    lazy.abort("again");
    expect(heard).toEqual(["second", "fourth"]);
    expect(lazy).toMatchObject({ aborted: true, reason: "by the caller" });
  });

  it("has a real signal that aborts with it, whenever the signal is read", () => {
    const [early, late] = [new LazySignal(), new LazySignal()];
    const signal = signalOf(early);
    expect(signal.aborted).toBe(false);
    for (const each of [early, late]) each.abort(7);
    expect(signal).toMatchObject({ aborted: true, reason: 7 });
    expect(signalOf(late)).toMatchObject({ aborted: true, reason: 7 });
    expect(late.signal).toBe(signalOf(late));
  });

  it("aborts with the reason of a real signal if none is given", () => {
    const [lazy, real] = [new LazySignal(), new AbortController()];
    lazy.abort();
    real.abort();
    expect(String(lazy.reason)).toBe(String(real.signal.reason));
  });

  it("leaves a real signal as it is", () => {
    const { signal } = new AbortController();
    expect(signalOf(signal)).toBe(signal);
  });
});
