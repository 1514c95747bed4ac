import { systemCode } from "./safe-file.ts";

/** Returns whether a process of this machine runs. It may belong to another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
}

/** Returns whether a process other than this one runs. The id 0 belongs to no process. */
export function isOtherAlive(pid: number): boolean {
  return pid !== 0 && pid !== process.pid && isAlive(pid);
}
