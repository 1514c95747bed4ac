import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createRecordingFiles } from "../../src/app/platform/recording-files.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";

/** Creates two processes of one caller, the second with a clock that the test sets. */
function openTwo() {
  const directory = join(temporaryDirectory(), "main.db-recording");
  const clock = { ms: Date.now() };
  const lastsMs = 3_600_000;
  return {
    directory,
    clock,
    one: createRecordingFiles(directory, { lastsMs }),
    other: createRecordingFiles(directory, { lastsMs, now: () => clock.ms }),
  };
}

it("waits for a record that another process has begun, and not for later ones", async () => {
  const { one, other } = openTwo();
  expect(await other.othersEnded("local")).toBe(true);
  const end = one.begin("local");
  let hasEnded = false;
  const waiting = other.othersEnded("local").then((ended) => (hasEnded = ended));
  expect(await one.othersEnded("local")).toBe(true);
  expect(await other.othersEnded("somebody else")).toBe(true);
  expect(hasEnded).toBe(false);
  const endLater = one.begin("local");
  end();
  expect(await waiting).toBe(true);
  endLater();
});

it("does not wait for the record of a process that was killed a while ago", async () => {
  const { one, other, clock } = openTwo();
  one.begin("local");
  // The last part of its three seconds.
  clock.ms += 2_500;
  let started = performance.now();
  expect(await other.othersEnded("local")).toBe(false);
  const yardstick = performance.now() - started;
  clock.ms += 60_000;
  started = performance.now();
  expect(await other.othersEnded("local")).toBe(false);
  expect(performance.now() - started).toBeLessThan(yardstick);
});

it("removes marks whose content does not count any more", async () => {
  const { one, other, clock, directory } = openTwo();
  one.begin("local");
  clock.ms += 2 * 3_600_000;
  expect(await other.othersEnded("local")).toBe(true);
  expect(readdirSync(directory)).toEqual([]);
});

it("fails to mark a record if the directory cannot be created", () => {
  const path = join(temporaryDirectory(), "file");
  writeFileSync(path, "");
  const blocked = createRecordingFiles(join(path, "recording"), { lastsMs: 1 });
  expect(() => blocked.begin("local")).toThrow("ENOTDIR");
});
