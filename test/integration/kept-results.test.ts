import { describe, expect, it } from "vitest";
import { createKeptResults, keptForMs, removeOldResults } from "../../src/stores/kept-results.ts";
import { createFakeObjects } from "../fakes/objects.ts";

const whole = { offset: 0, length: 100 };
const megabytes = (count: number): Uint8Array => new Uint8Array(count * 1_048_576);

function setUp() {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const objects = createFakeObjects(() => new Date(clock.now));
  const results = createKeptResults(objects, { now: () => clock.now });
  const count = async () => (await objects.list({ prefix: "results/", limit: 100 })).objects.length;
  return { clock, objects, results, count };
}

describe("kept results", () => {
  it("are read in parts, only by their caller", async () => {
    const { results } = setUp();
    const id = await results.keep("alice", Buffer.from("0123456789"));
    const part = await results.read("alice", id, { offset: 4, length: 3 });
    expect(Buffer.from(part?.body ?? []).toString()).toBe("456");
    expect(part?.totalBytes).toBe(10);
    expect(await results.read("bob", id, whole)).toBeUndefined();
  });

  it.each(["", "rs_", "../rs_aaaaaaaaaaaaaaaaaaaaaaaaaa", "rs_aaaaaaaaaaaaaaaaaaaaaaaaaa"])(
    "have no result %j",
    async (id) => {
      const { results } = setUp();
      await results.keep("alice", Buffer.from("text"));
      expect(await results.read("alice", id, whole)).toBeUndefined();
    },
  );

  it("end after 24 hours, and are removed then", async () => {
    const { clock, objects, results, count } = setUp();
    const id = await results.keep("alice", Buffer.from("text"));
    clock.now += keptForMs;
    expect(await results.read("alice", id, whole)).toBeDefined();
    clock.now += 1;
    expect(await results.read("alice", id, whole)).toBeUndefined();
    expect(await count()).toBe(1);
    await removeOldResults(objects, clock.now);
    expect(await count()).toBe(0);
  });

  it("make room for a new one by removing the oldest of the same caller", async () => {
    const { clock, results } = setUp();
    const keep = async (principal: string): Promise<string> => {
      clock.now += 1_000;
      return await results.keep(principal, megabytes(10));
    };
    const other = await keep("bob");
    const ids = [
      await keep("alice"),
      await keep("alice"),
      await keep("alice"),
      await keep("alice"),
    ];
    const isKept = async (id: string) => (await results.read("alice", id, whole)) !== undefined;
    expect(await Promise.all(ids.map(isKept))).toEqual([false, true, true, true]);
    expect(await results.read("bob", other, whole)).toBeDefined();
  });

  // Each of the simultaneous calls saw the same room, so that eight of them kept 80 MB.
  it("stay within the limit when many are kept at the same time, in two processes", async () => {
    const { objects, results } = setUp();
    const others = createKeptResults(objects);
    const keep = (at: number) => (at % 2 === 0 ? results : others).keep("alice", megabytes(10));
    const ids = await Promise.all(Array.from({ length: 8 }, (_, at) => keep(at)));
    const { objects: kept } = await objects.list({ prefix: "results/", limit: 100 });
    expect(kept.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(32 * 1_048_576);
    expect(kept.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(8);
  });
});
