import { readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createRecordingFiles, unreadableMarks } from "../../src/app/platform/recording-files.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

const key = Buffer.alloc(32, 7);
const recording = {
  given: [
    {
      kind: "mail",
      id: "em_1",
      writtenBy: "other",
      verified: false,
      texts: ["The code of the door is 83726154."],
      topics: ["Door"],
    },
  ],
  sent: [{ destination: "web_search", text: "tides" }],
} as const;

/** Creates two processes of one caller, the second with a clock that the test sets. */
function openTwo() {
  const directory = join(temporaryDirectory(), "main.db-recording");
  const clock = { ms: Date.now() };
  const lastsMs = 3_600_000;
  return {
    directory,
    clock,
    one: createRecordingFiles(directory, { key, lastsMs }),
    other: createRecordingFiles(directory, { key, lastsMs, now: () => clock.ms }),
  };
}

/** Returns the bytes of all files of a directory. */
const sizeOf = (directory: string): number =>
  readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);

it("waits for a record that another process has begun, and not for later ones", async () => {
  const { one, other } = openTwo();
  expect(await other.othersLeft("local")).toEqual([]);
  const mark = one.begin("local", recording);
  let hasEnded = false;
  const waiting = other.othersLeft("local").then((left) => (hasEnded = left.length === 0));
  expect(await one.othersLeft("local")).toEqual([]);
  expect(await other.othersLeft("somebody else")).toEqual([]);
  expect(hasEnded).toBe(false);
  const later = one.begin("local", recording);
  mark.remove();
  expect(await waiting).toBe(true);
  later.remove();
});

it("does not wait for the record of a process that was killed a while ago", async () => {
  const { one, other, clock } = openTwo();
  one.begin("local", recording);
  // The last part of its three seconds.
  clock.ms += 2_500;
  let started = performance.now();
  expect(await other.othersLeft("local")).toHaveLength(1);
  const yardstick = performance.now() - started;
  clock.ms += 60_000;
  started = performance.now();
  expect(await other.othersLeft("local")).toHaveLength(1);
  expect(performance.now() - started).toBeLessThan(yardstick);
});

it("removes marks whose content does not count any more", async () => {
  const { one, other, clock, directory } = openTwo();
  one.begin("local", recording);
  clock.ms += 2 * 3_600_000;
  expect(await other.othersLeft("local")).toEqual([]);
  expect(readdirSync(directory)).toEqual([]);
});

it("returns what a killed process had to record, and stores it encrypted", async () => {
  const { one, other, clock, directory } = openTwo();
  one.begin("local", recording);
  for (const name of readdirSync(directory))
    expect(readFileSync(join(directory, name), "latin1")).not.toMatch(/83726154|em_1|tides/);
  clock.ms += 60_000;
  const [left] = await other.othersLeft("local");
  expect(left?.recording).toEqual(recording);
  left?.remove();
  expect(readdirSync(directory)).toEqual([]);
});

it("returns all complete recordings of a killed process, and ignores the last one if it is not complete", async () => {
  const { one, other, clock, directory } = openTwo();
  const second = { given: [], sent: [{ destination: "web_search", text: "ferries" }] };
  const mark = one.begin("local", recording);
  const atFirst = sizeOf(directory);
  expect(mark.add(second)).toBe(true);
  expect(mark.add(second)).toBe(true);
  const [name = ""] = readdirSync(directory);
  truncateSync(join(directory, name), sizeOf(directory) - 1);
  expect(sizeOf(directory)).toBeGreaterThan(atFirst);
  clock.ms += 60_000;
  const [left] = await other.othersLeft("local");
  expect(left?.recording).toEqual({
    given: recording.given,
    sent: [...recording.sent, ...second.sent],
  });
  left?.remove();
  expect(readdirSync(directory)).toEqual([]);
});

it("waits for a process that is alive, and does not read its mark, beside the mark of a killed one", async () => {
  const { one, other, clock, directory } = openTwo();
  one.begin("local", recording).end();
  clock.ms += 60_000;
  const alive = createRecordingFiles(directory, {
    key,
    lastsMs: 3_600_000,
    now: () => clock.ms,
  }).begin("local", recording);
  let left: number | undefined;
  const waiting = other.othersLeft("local").then((found) => (left = found.length));
  await expect.poll(() => readdirSync(directory)).toHaveLength(2);
  expect(alive.add(recording)).toBe(true);
  expect(left).toBeUndefined();
  alive.remove();
  await waiting;
  expect(left).toBe(1);
});

it("takes no more recordings after a second, because other processes may soon remove the mark", () => {
  const { other, clock, directory } = openTwo();
  const mark = other.begin("local", recording);
  clock.ms += 900;
  expect(mark.add(recording)).toBe(true);
  clock.ms += 200;
  expect(mark.add(recording)).toBe(false);
  expect(readdirSync(directory)).toHaveLength(1);
  mark.remove();
  expect(readdirSync(directory)).toEqual([]);
});

it("keeps a mark that another key wrote, and removes one that was never finished", async () => {
  const { one, other, clock, directory } = openTwo();
  one.begin("local", recording);
  clock.ms += 60_000;
  const stranger = createRecordingFiles(directory, {
    key: Buffer.alloc(32, 9),
    lastsMs: 3_600_000,
    now: () => clock.ms,
  });
  expect((await stranger.othersLeft("local")).map((mark) => mark.recording)).toEqual([undefined]);
  const lists = (own: Buffer) =>
    unreadableMarks(directory, { key: own, lastsMs: 3_600_000, now: () => clock.ms });
  expect(lists(key)).toEqual([]);
  expect(lists(Buffer.alloc(32, 9))).toHaveLength(1);
  for (const name of readdirSync(directory)) truncateSync(join(directory, name), 40);
  expect(await other.othersLeft("local")).toEqual([]);
  expect(readdirSync(directory)).toEqual([]);
});

it("fails to mark a record if the directory cannot be created", () => {
  const path = join(temporaryDirectory(), "file");
  writeFileSync(path, "");
  const blocked = createRecordingFiles(join(path, "recording"), { key, lastsMs: 1 });
  expect(() => blocked.begin("local", recording)).toThrow("ENOTDIR");
});
