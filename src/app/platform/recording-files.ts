import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Sealer, createSealer } from "../../core/flow/packed-marks.ts";
import {
  type LeftMark,
  type RecordingMarks,
  openRecording,
  sealRecording,
} from "../../core/flow/recording-marks.ts";
import { randomId, sha256Hex } from "../../core/shared/digest.ts";
import { isMissing, namesIn } from "./safe-file.ts";

/** A recording takes some milliseconds. A process that takes longer is stuck or was killed. */
const withinMs = 3_000;
/** How often the marks of other processes are read. Milliseconds. */
const everyMs = 2;
/** Characters of a caller's digest in the name of a mark. */
const digestCharacters = 16;

/** Bytes of a file before the sealed recording: the length of the rest. A shorter file was not written to its end. */
const headBytes = 4;

/** The end of the name of a mark whose content found no room on the disk. */
const withoutContent = ".without-content";

/**
 * Creates marks that are small files in a directory beside the database. Creating one takes some microseconds, and a
 * write of the database would take a disk sync. A power failure may lose a mark.
 * @param directory is created at the first mark
 * @param options.key the key of the installation, which encrypts the content of a mark
 * @param options.lastsMs how long an item counts. Older marks are removed
 */
export function createRecordingFiles(
  directory: string,
  { key, lastsMs, now = Date.now }: { key: Uint8Array; lastsMs: number; now?: () => number },
): RecordingMarks {
  let made: Sealer | undefined;
  const sealer = (): Sealer => (made ??= createSealer(key));
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
      const [caller, process] = name.split(".");
      if (caller !== digest || process === own) continue;
      const age = now() - beginOf(name);
      // A mark with another clock expires too.
      if (Math.abs(age) > lastsMs) removeIfThere(join(directory, name));
      else found.set(name, age);
    }
    return found;
  }

  return {
    begin: (principal, recording) => {
      const sealed = sealRecording(recording, sealer());
      count += 1;
      const name = [digestOf(principal), own, now().toString(36), count.toString(36)].join(".");
      const path = create(join(directory, name), directory, sealed);
      return () => removeIfThere(path);
    },

    othersLeft: async (principal) => {
      const others = othersOf(principal);
      if (others.size === 0) return [];
      const oldest = Math.max(0, ...others.values());
      const deadline = performance.now() + withinMs - oldest;
      while (performance.now() < deadline) {
        await sleep(everyMs);
        const left = new Set(namesIn(directory));
        if (![...others.keys()].some((name) => left.has(name))) return [];
      }
      return [...others.keys()].flatMap((name) => leftMark(join(directory, name), sealer()));
    },
  };
}

/** Returns the marks that this installation cannot read, and when each of them expires. */
export function unreadableMarks(
  directory: string,
  { key, lastsMs, now = Date.now }: { key: Uint8Array; lastsMs: number; now?: () => number },
): readonly { path: string; until: Date }[] {
  const sealer = createSealer(key);
  return namesIn(directory).flatMap((name) => {
    const until = beginOf(name) + lastsMs;
    const path = join(directory, name);
    // A mark that is being written is incomplete for a moment.
    if (!(until > now() && beginOf(name) + withinMs < now())) return [];
    const [left] = leftMark(path, sealer);
    return left && left.recording === undefined ? [{ path, until: new Date(until) }] : [];
  });
}

/** Returns the time in the name of a mark. NaN for another file. */
function beginOf(name: string): number {
  return Number.parseInt(name.split(".")[2] ?? "", 36);
}

/** Returns the path of the mark. On a full disk it has no content, because a person must still be able to read. */
function create(path: string, directory: string, sealed: Uint8Array): string {
  const file = openNew(path, directory);
  try {
    const head = Buffer.alloc(headBytes);
    head.writeUInt32BE(sealed.length);
    const whole = Buffer.concat([head, sealed]);
    for (let at = 0; at < whole.length;) at += writeSync(file, whole, at);
    return path;
  } catch (thrown) {
    if (!isFull(thrown)) {
      removeIfThere(path);
      throw thrown;
    }
    ftruncateSync(file);
    renameSync(path, `${path}${withoutContent}`);
    return `${path}${withoutContent}`;
  } finally {
    closeSync(file);
  }
}

function isFull(thrown: unknown): boolean {
  return (
    thrown instanceof Error &&
    "code" in thrown &&
    (thrown.code === "ENOSPC" || thrown.code === "EDQUOT")
  );
}

function openNew(path: string, directory: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return openSync(path, "wx", 0o600);
  }
}

/** Reads a mark. Removes one that was not written to its end, because the answer returns only after that. */
function leftMark(path: string, sealer: Sealer): LeftMark[] {
  const bytes = readIfThere(path);
  if (bytes === undefined) return [];
  if (path.endsWith(withoutContent))
    return [{ recording: undefined, remove: () => removeIfThere(path) }];
  if (bytes.length < headBytes || bytes.length < headBytes + bytes.readUInt32BE(0)) {
    removeIfThere(path);
    return [];
  }
  const recording = openRecording(bytes.subarray(headBytes), sealer);
  return [{ recording, remove: () => removeIfThere(path) }];
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
}
