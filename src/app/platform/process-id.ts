import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { sha256Hex } from "../../core/shared/digest.ts";
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

/** The form of `ownMark`, as part of a regular expression without groups. More digits may follow. */
export const markForm = String.raw`\d+-[0-9a-f]{12,16}`;

const startDigits = 8;
const hostDigits = 4;

const hostOf = (): string => sha256Hex(hostname()).slice(0, hostDigits);
const digestOf = (start: string): string => sha256Hex(start).slice(0, startDigits);

/** Replaces the start of this process on a system without `startOf`. */
let unknownStart: string | undefined;

/**
 * Returns a short text that names this process: its id, its machine and its start. It is part of the names of files that
 * only a killed process leaves behind.
 */
export function ownMark(): string {
  const start = startOf(process.pid) ?? (unknownStart ??= randomBytes(6).toString("hex"));
  return `${process.pid}-${hostOf()}${digestOf(start)}`;
}

/**
 * Returns whether the process with this mark runs. `elsewhere` means that it belongs to another machine, or that the text
 * is no mark.
 */
export function stateOfMark(mark: string): "runs" | "ended" | "elsewhere" {
  const [id = "", rest = ""] = mark.split("-");
  if (!new RegExp(`^${markForm}$`).test(mark) || !rest.startsWith(hostOf())) return "elsewhere";
  const pid = Number(id);
  if (pid === process.pid) return mark.startsWith(ownMark()) ? "runs" : "ended";
  if (!isAlive(pid)) return "ended";
  const start = startOf(pid);
  return start === undefined || rest.startsWith(digestOf(start), hostDigits) ? "runs" : "ended";
}

/** A file of another machine's process is left over after this time. Milliseconds. */
const leftAfterMs = 3_600_000;

/**
 * Returns whether a file with this mark was left behind by a process that was killed. If the process belongs to another
 * machine or container, on a shared drive, only the age tells.
 * @param changedAt when the file last changed, in milliseconds since 1970
 */
export function isLeftBehind(mark: string, changedAt: number): boolean {
  const state = stateOfMark(mark);
  return state === "ended" || (state === "elsewhere" && Date.now() - changedAt > leftAfterMs);
}
