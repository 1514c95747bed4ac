import { z } from "zod";
import type { Log } from "../shared/log.ts";
import type { GivenContent } from "./ledger.ts";
import type { Sealer } from "./packed-marks.ts";

/** The items that a result gave to its caller, and the texts that its call sent. */
export interface Recording {
  given: readonly GivenContent[];
  sent: readonly { destination: string; text: string }[];
}

/** The mark of recordings that this process has begun and stores together. */
export interface OpenMark {
  /** Adds a recording to the mark, for much less than a new mark costs. Returns false if it needs a new mark. */
  add(recording: Recording): boolean;
  /** Frees what `add` needs. The mark stays. */
  end(): void;
  remove(): void;
}

/** The mark of a recording that has not ended in time. Its process was probably killed. */
export interface LeftMark {
  /** Undefined if another key or version wrote the mark, or if it is damaged. */
  recording: Recording | undefined;
  remove: () => void;
}

/**
 * Marks that show the other processes of a caller which recordings have begun. A result is returned before its content
 * is recorded, and another process must not send that content meanwhile. A mark contains the recording, encrypted, so
 * that another process can finish it.
 */
export interface RecordingMarks {
  /**
   * Marks that a recording of the caller has begun. A killed process leaves its mark.
   * @throws if the mark could not be stored
   */
  begin(principal: string, recording: Recording): OpenMark;
  /**
   * Waits for the recordings that other processes of the caller have begun.
   * @returns the marks of those that have not ended within three seconds
   */
  othersLeft(principal: string): Promise<readonly LeftMark[]>;
}

/**
 * Marks that a recording has begun.
 * @param marks undefined if the processes of a caller share no file system
 * @returns undefined if there is no mark, and the result waits for the record
 */
export function beginMark(
  marks: RecordingMarks | undefined,
  { principal, recording, log }: { principal: string; recording: Recording; log: Log },
): OpenMark | undefined {
  try {
    return marks?.begin(principal, recording);
  } catch (cause) {
    log.warn("marking the start of a recording failed; the result waits for the recording", {
      cause,
    });
    return undefined;
  }
}

const recordingForm: z.ZodType<Recording> = z.object({
  given: z.array(
    z.object({
      kind: z.enum(["mail", "attachment", "file", "event", "reminder", "web", "upstream"]),
      id: z.string(),
      writtenBy: z.enum(["owner", "other", "assistant", "unknown"]),
      verified: z.boolean(),
      texts: z.array(z.string()),
      topics: z.array(z.string()).default([]),
    }),
  ),
  sent: z.array(z.object({ destination: z.string(), text: z.string() })),
});

/** Returns one recording with the content of several, in order. */
export function joinedRecordings(recordings: readonly Recording[]): Recording {
  return {
    given: recordings.flatMap(({ given }) => given),
    sent: recordings.flatMap(({ sent }) => sent),
  };
}

export function sealRecording({ given, sent }: Recording, sealer: Sealer): Uint8Array {
  return sealer.seal(Buffer.from(JSON.stringify({ given, sent })));
}

/** Reads the bytes of `sealRecording`. Returns undefined if another key or version wrote them. */
export function openRecording(sealed: Uint8Array, sealer: Sealer): Recording | undefined {
  const opened = sealer.open(sealed);
  if (opened === undefined) return undefined;
  try {
    const found = recordingForm.safeParse(JSON.parse(Buffer.from(opened).toString("utf8")));
    return found.data;
  } catch {
    return undefined;
  }
}
