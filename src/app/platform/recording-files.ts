import { closeSync, mkdirSync, openSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RecordingMarks } from "../../core/flow/recording-marks.ts";
import { randomId, sha256Hex } from "../../core/shared/digest.ts";
import { isMissing, namesIn } from "./safe-file.ts";

/** A recording takes some milliseconds. A process that takes longer is stuck or was killed. */
const withinMs = 3_000;
/** How often the marks of other processes are read. Milliseconds. */
const everyMs = 2;
/** Characters of a caller's digest in the name of a mark. */
const digestCharacters = 16;

/**
 * Creates marks that are empty files in a directory beside the database. Creating one takes some microseconds, and a
 * write of the database would take a disk sync. A power failure may lose a mark.
 * @param directory is created at the first mark
 * @param options.lastsMs how long an item counts. Older marks are removed
 */
export function createRecordingFiles(
  directory: string,
  { lastsMs, now = Date.now }: { lastsMs: number; now?: () => number },
): RecordingMarks {
  const own = randomId("rec");
  const digests = new Map<string, string>();
  let count = 0;

  function digestOf(principal: string): string {
    const known = digests.get(principal);
    if (known !== undefined) return known;
    const made = sha256Hex(Buffer.from(principal)).slice(0, digestCharacters);
    digests.set(principal, made);
    return made;
  }

  /** Returns the marks of other processes with their age in milliseconds. */
  function othersOf(principal: string): Map<string, number> {
    const found = new Map<string, number>();
    const digest = digestOf(principal);
    for (const name of namesIn(directory)) {
      const [caller, process, began = ""] = name.split(".");
      if (caller !== digest || process === own) continue;
      const age = now() - Number.parseInt(began, 36);
      // A mark with another clock expires too.
      if (Math.abs(age) > lastsMs) removeIfThere(join(directory, name));
      else found.set(name, age);
    }
    return found;
  }

  return {
    begin: (principal) => {
      count += 1;
      const name = [digestOf(principal), own, now().toString(36), count.toString(36)].join(".");
      const path = join(directory, name);
      create(path, directory);
      return () => removeIfThere(path);
    },

    othersEnded: async (principal) => {
      const others = othersOf(principal);
      if (others.size === 0) return true;
      const oldest = Math.max(0, ...others.values());
      const deadline = performance.now() + withinMs - oldest;
      while (performance.now() < deadline) {
        await sleep(everyMs);
        const left = new Set(namesIn(directory));
        if (![...others.keys()].some((name) => left.has(name))) return true;
      }
      return false;
    },
  };
}

function create(path: string, directory: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    closeSync(openSync(path, "wx", 0o600));
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
}
