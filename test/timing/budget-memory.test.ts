import { expect, it } from "vitest";
import { createBudget } from "../../src/core/budget/budget.ts";
import { heapInUse } from "../fixtures/heap.ts";

it("calls of low risk need bounded memory, however many turns and clients a caller invents [budget.minute]", async () => {
  let at = 1e6;
  const budget = createBudget({
    limits: { callsPerMinute: 60, callsPerTurn: 40, highPerTurn: 5 },
    store: {
      spend: () => Promise.resolve(undefined),
      refundApproval: () => Promise.resolve(),
      renewedAgoMs: () => Promise.resolve({ turn: undefined, hour: undefined }),
    },
    here: { page: () => undefined, telegram: () => false, command: "countersign" },
    now: () => at,
    clock: () => new Date(at),
  });

  /** Spends so often, and returns how often that was allowed. */
  async function allowed(
    times: number,
    label: (time: number) => { turn?: string; client?: string },
  ): Promise<number> {
    let count = 0;
    for (let time = 0; time < times; time += 1) {
      const { turn, client = "test" } = label(time);
      try {
        await budget.spend({ principal: "alice", client, risk: "low", turn, digest: "digest" });
        count += 1;
      } catch {
        // Counted by what is missing.
      }
    }
    return count;
  }

  const before = heapInUse();
  for (let minute = 0; minute < 2_000; minute += 1) {
    const traceId = (time: number) => (minute * 30 + time).toString(16).padStart(32, "0");
    expect(await allowed(30, (time) => ({ turn: traceId(time) }))).toBe(30);
    expect(await allowed(35, (time) => ({ client: `client ${minute} ${time}` }))).toBe(30);
    // Slowly enough for the limit of an hour.
    at += 801_000;
  }
  expect(heapInUse() - before).toBeLessThan(20e6);
});
