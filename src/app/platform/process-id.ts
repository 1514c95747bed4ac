import { readFileSync } from "node:fs";
import { systemCode } from "./safe-file.ts";

/** Returns whether a process of this machine runs. It may belong to another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
}

/**
 * Returns whether a process of Linux has ended and its parent has not read the exit code. In a container without an init
 * that stays so.
 */
function isZombie(pid: number): boolean {
  try {
    // The name before the state may contain anything, also brackets.
    return /^.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Returns whether a process other than this one runs. The id 0 belongs to no process. */
export function isOtherAlive(pid: number): boolean {
  return pid !== 0 && pid !== process.pid && isAlive(pid);
}
