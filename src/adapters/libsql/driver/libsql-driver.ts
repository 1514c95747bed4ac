import { closeSync, openSync, readSync } from "node:fs";
import { createRequire } from "node:module";
import type LibsqlDatabase from "libsql";

/** An executable file names its loader within these first bytes (ELF, PT_INTERP). */
const headBytes = 4_096;

/** Returns the C library that Node was built for, or undefined if the executable does not name it. */
function libcOfNode(): "glibc" | "musl" | undefined {
  const head = Buffer.alloc(headBytes);
  const file = openSync(process.execPath, "r");
  try {
    readSync(file, head, 0, headBytes, 0);
  } finally {
    closeSync(file);
  }
  if (head.includes("/ld-musl-")) return "musl";
  return head.includes("/ld-linux-") ? "glibc" : undefined;
}

/**
 * Loads the driver. To learn the C library, its loader asks Node for a diagnostic report of the whole process. This took
 * a third of the time to load, and the report asks DNS for the names of all connected addresses. During the load, a
 * short report takes its place.
 */
function loadDriver(): typeof LibsqlDatabase {
  const require = createRequire(import.meta.url);
  const load = (): typeof LibsqlDatabase => require("libsql") as typeof LibsqlDatabase;
  const libc = process.platform === "linux" ? libcOfNode() : undefined;
  const usual = Object.getOwnPropertyDescriptor(process.report, "getReport");
  if (libc === undefined || usual === undefined) return load();
  const header = libc === "glibc" ? { glibcVersionRuntime: "" } : {};
  Object.defineProperty(process.report, "getReport", { ...usual, value: () => ({ header }) });
  try {
    return load();
  } finally {
    Object.defineProperty(process.report, "getReport", usual);
  }
}

const Driver = loadDriver();

export type Handle = LibsqlDatabase.Database;

/** Opens a file. `timeout` is the longest wait for another process's lock, in milliseconds. */
export const openHandle = (path: string, timeout: number): Handle => new Driver(path, { timeout });
