import type { CalendarObject } from "../../ports/calendar/calendar-objects.ts";
import { expansion, type Occurrence, repeats, type Window } from "./expand.ts";
import { stepsOfZones } from "../file-zones.ts";
import { fileOf } from "../find-event.ts";
import { createStepLimit } from "./step-limit.ts";

/**
 * Limit on steps for all recurring events of one listing, about half a second. Five thousand common events need a third of
 * it for a year.
 */
const stepsOfListing = 1_500_000;

/** Milliseconds after which the event loop runs. */
const breathMs = 8;

export interface Expanded {
  found: { name: string; occurrence: Occurrence }[];
  /** True if there were more than `most`. */
  truncated: boolean;
  /** Events and files that could not be read or exceeded the listing's remaining steps. */
  skipped: number;
}

interface Task {
  name: string;
  repeats: boolean;
  turns: Generator<void, Occurrence[]>;
}

/**
 * Expands the events of all objects in turns, within one limit of work. A costly event cannot use up the share of
 * others, and cheap events are completed first. The event loop runs between turns.
 */
export async function expandAll(
  objects: readonly CalendarObject[],
  window: Window,
  limits: { most: number; mostOfSeries: number; signal: AbortSignal | undefined },
): Promise<Expanded> {
  const { most, mostOfSeries, signal } = limits;
  const breathe = createBreath(signal);
  const zones = { left: stepsOfZones };
  const listing = { left: stepsOfListing };
  const found: Expanded["found"] = [];
  let skipped = 0;
  let tasks: Task[] = [];
  for (const object of objects) {
    await breathe();
    const file = fileOf(object, zones);
    skipped += file?.broken ?? 1;
    for (const series of file?.series ?? []) {
      const turns = expansion(series, window, mostOfSeries, createStepLimit(undefined, listing));
      tasks.push({ name: object.name, repeats: repeats(series), turns });
    }
  }
  while (tasks.length > 0) {
    const unfinished: Task[] = [];
    for (const task of tasks) {
      await breathe();
      // Events that do not repeat cost very little, and are always expanded.
      if (listing.left <= 0 && task.repeats) {
        skipped += 1;
        continue;
      }
      try {
        const turn = task.turns.next();
        if (turn.done !== true) unfinished.push(task);
        else for (const occurrence of turn.value) found.push({ name: task.name, occurrence });
      } catch {
        skipped += 1;
      }
      if (found.length > most) return { found, truncated: true, skipped };
    }
    tasks = unfinished;
  }
  return { found, truncated: false, skipped };
}

/** Returns a function to await between two pieces of work. It lets the event loop run from time to time. */
function createBreath(signal: AbortSignal | undefined): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < breathMs) return undefined;
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        since = performance.now();
        if (signal?.aborted === true) reject(signal.reason as Error);
        else resolve();
      });
    });
  };
}
