import { describe, expect, it } from "vitest";
import { createSlidingWindow } from "../../src/core/budget/sliding-window.ts";

const second = 1_000;

describe("a minute of calls", () => {
  it("drops a call after a minute, and not a moment earlier", () => {
    const minute = createSlidingWindow(1_000);
    minute.add(5_999);
    expect(minute.count(5_999 + 60 * second)).toBe(1);
    expect(minute.count(5_999 + 61 * second)).toBe(0);
  });

  it("reports exactly when the oldest is dropped", () => {
    const minute = createSlidingWindow(1_000);
    minute.add(1_500);
    minute.add(30_000);
    const freeAt = 40_000 + minute.freeInMs(40_000);
    expect(minute.count(freeAt - 1)).toBe(2);
    expect(minute.count(freeAt)).toBe(1);
  });

  it("is empty after any longer time", () => {
    for (const later of [61, 62, 100, 122, 86_400, 1e9]) {
      const minute = createSlidingWindow(1_000);
      for (let at = 0; at < 60; at += 1) minute.add(at * second);
      expect(minute.count((59 + later) * second), `${later} s later`).toBe(0);
      minute.add((59 + later) * second);
      expect(minute.count((59 + later) * second)).toBe(1);
    }
  });

  it("removes the newest call, and never more than there were", () => {
    const minute = createSlidingWindow(1_000);
    minute.removeNewest();
    minute.add(second);
    minute.add(2 * second);
    minute.count(10 * second);
    minute.removeNewest();
    expect(minute.count(60 * second)).toBe(1);
    expect(minute.count(62 * second)).toBe(0);
    minute.removeNewest();
    expect(minute.count(62 * second)).toBe(0);
  });

  it("never has more than the limit in any minute, whenever the calls arrive", () => {
    const minute = createSlidingWindow(1_000);
    const taken: number[] = [];
    let at = 0;
    for (let call = 0; call < 20_000; call += 1) {
      at += (Math.imul(call, 2_654_435_761) >>> 20) % 700;
      if (minute.count(at) >= 60) continue;
      minute.add(at);
      taken.push(at);
      const within = taken.slice(-61).filter((earlier) => earlier > at - 60_000);
      expect(within.length).toBeLessThanOrEqual(60);
    }
    expect(taken.length).toBeGreaterThan(1_000);
  });
});
