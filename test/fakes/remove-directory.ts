import { rmSync } from "node:fs";

/** Removes a directory, even if a process that is ending still writes into it. */
export function removeDirectory(path: string): void {
  for (let triesLeft = 9; ; triesLeft -= 1) {
    try {
      // Node itself waits a moment and tries the directory again, but not what is new in it.
      return rmSync(path, { recursive: true, force: true, maxRetries: 2, retryDelay: 20 });
    } catch (error) {
      if (triesLeft === 0) throw error;
    }
  }
}
