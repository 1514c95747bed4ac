import type { Log } from "../shared/log.ts";

/**
 * Marks that show the other processes of a caller which recordings have begun. An answer returns before its content is
 * recorded, and another process must not send that content meanwhile.
 */
export interface RecordingMarks {
  /**
   * Marks that a recording of the caller has begun, and returns the function that removes the mark. A killed process
   * leaves its mark.
   * @throws if the mark could not be stored
   */
  begin(principal: string): () => void;
  /**
   * Waits for the recordings that other processes of the caller have begun.
   * @returns false if one of them has not ended within three seconds of its begin
   */
  othersEnded(principal: string): Promise<boolean>;
}

/**
 * Marks that a recording has begun.
 * @param marks undefined if the processes of a caller share no file system
 * @returns the function that removes the mark. Undefined if there is none, and the answer waits for the record
 */
export function beginMark(
  marks: RecordingMarks | undefined,
  principal: string,
  log: Log,
): (() => void) | undefined {
  try {
    return marks?.begin(principal);
  } catch (cause) {
    log.warn("marking the begin of a record failed; the answer waits for the record", { cause });
    return undefined;
  }
}
