import { spawnSync } from "node:child_process";
import type { TestContext } from "vitest";
import { program } from "./program.ts";

export const isRoot = process.getuid?.() === 0;

/** The user `nobody` of Debian: may read the program and write nothing. */
export const nobody = 65_534;

export const canBeNobody =
  isRoot && spawnSync(process.execPath, [program, "--version"], { uid: nobody }).status === 0;

/** Says on the console that a test did not run, because this machine lacks what it needs. */
export function skipLoudly(t: TestContext, what: string): never {
  console.warn(`NOT RUN: ${t.task.name}: ${what}`);
  return t.skip(what);
}
