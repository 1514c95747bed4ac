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

/**
 * Returns what distinguishes a process of Linux from an earlier one with the same id: the boot, and its start since then.
 * Undefined on other systems.
 */
export function startOf(pid: number): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The 22nd field. The name, which is the second one, may contain spaces.
    return `${boot} ${stat.slice(stat.lastIndexOf(")")).split(" ")[20] ?? ""}`;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether a process other than this one runs. The id 0 belongs to no process.
 * @param start what `startOf` returned for it. A process with another start has only the same id
 */
export function isOtherAlive(pid: number, start?: string): boolean {
  if (pid === 0 || pid === process.pid || !isAlive(pid)) return false;
  return start === undefined || (startOf(pid) ?? start) === start;
}
