import {
  closeSync,
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
  type OpenMark,
  type RecordingMarks,
  openRecording,
  sealRecording,
  joinedRecordings,
} from "../../core/flow/recording-marks.ts";
import { randomId, sha256Hex } from "../../core/shared/digest.ts";
import { isDiskFull, isMissing, namesIn } from "./safe-file.ts";

/** A recording takes some milliseconds. A process that takes longer is stuck or was killed. */
const withinMs = 3_000;
/** How often the marks of other processes are read. Milliseconds. */
const everyMs = 2;
/** Characters of a caller's digest in the name of a mark. */
const digestCharacters = 16;

/** Bytes before each sealed recording of a file: its length. A result whose recording is shorter has not returned. */
const headBytes = 4;

/** A file takes no more recordings after this time, because other processes remove it some seconds later. */
const takesMoreMs = 1_000;

/** The end of the name of a mark whose content found no room on the disk. */
const withoutContent = ".without-content";

/**
 * Creates marks that are files in a directory beside the database. A write of a file takes some microseconds, and one of
 * the database would take a disk sync. A power failure may lose a mark.
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
      else found.set(name, Math.max(0, age));
    }
    return found;
  }

  return {
    begin: (principal, recording) => {
      const sealed = sealRecording(recording, sealer());
      count += 1;
      const begin = now();
      const name = [digestOf(principal), own, begin.toString(36), count.toString(36)].join(".");
      const file = create(join(directory, name), directory, sealed);
      return {
        ...file,
        add: (more) => {
          if (now() - begin >= takesMoreMs) file.end();
          return file.add(sealRecording(more, sealer()));
        },
      };
    },

    othersLeft: async (principal) => {
      const others = othersOf(principal);
      const started = performance.now();
      // The mark of a process that is alive is not read, because it may take more recordings.
      while (others.size > 0) {
        const waited = performance.now() - started;
        if ([...others.values()].every((age) => age + waited >= withinMs)) break;
        await sleep(everyMs);
        const left = new Set(namesIn(directory));
        for (const name of others.keys()) if (!left.has(name)) others.delete(name);
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

/** Creates a mark. On a full disk it has no content, because a person must still be able to read. */
function create(
  path: string,
  directory: string,
  sealed: Uint8Array,
): Omit<OpenMark, "add"> & { add: (sealed: Uint8Array) => boolean } {
  const file = openNew(path, directory);
  let isOpen = true;
  const end = (): void => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  const thrown = problemOfWriting(file, sealed);
  if (thrown === undefined)
    return {
      add: (more) => {
        if (isOpen && problemOfWriting(file, more) !== undefined) end();
        return isOpen;
      },
      end,
      remove: () => {
        end();
        removeIfThere(path);
      },
    };
  end();
  if (!isDiskFull(thrown)) {
    removeIfThere(path);
    throw thrown;
  }
  const renamed = `${path}${withoutContent}`;
  renameSync(path, renamed);
  return { add: () => false, end, remove: () => removeIfThere(renamed) };
}

/** Writes a recording to the end of a file. Returns what failed. */
function problemOfWriting(file: number, sealed: Uint8Array): Error | undefined {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(sealed.length);
  const whole = Buffer.concat([head, sealed]);
  try {
    for (let at = 0; at < whole.length;) at += writeSync(file, whole, at);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Error) return thrown;
    throw thrown;
  }
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

/** Reads a mark. Removes one without a complete recording, because no result of it has returned. */
function leftMark(path: string, sealer: Sealer): LeftMark[] {
  const bytes = readIfThere(path);
  if (bytes === undefined) return [];
  const remove = (): void => removeIfThere(path);
  if (path.endsWith(withoutContent)) return [{ recording: undefined, remove }];
  const recordings = sealedIn(bytes).map((sealed) => openRecording(sealed, sealer));
  if (recordings.length === 0) {
    remove();
    return [];
  }
  const read = recordings.filter((recording) => recording !== undefined);
  const recording = read.length === recordings.length ? joinedRecordings(read) : undefined;
  return [{ recording, remove }];
}

/** Returns the complete recordings of a file. */
function sealedIn(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at + headBytes <= bytes.length;) {
    const end = at + headBytes + bytes.readUInt32BE(at);
    if (end > bytes.length) break;
    found.push(bytes.subarray(at + headBytes, end));
    at = end;
  }
  return found;
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
