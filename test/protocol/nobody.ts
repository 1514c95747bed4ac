import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "vitest";
import type { Home } from "./home.ts";
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

/** Mounts a disk of this size, and returns its directory. Without root, the test is skipped. */
export function mountSmallDisk(t: TestContext, home: Home, size: string): string {
  const disk = join(home.dir, "disk");
  mkdirSync(disk);
  const options = `size=${size},mode=700`;
  const mounted = isRoot && spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk]);
  if (!mounted || mounted.status !== 0) skipLoudly(t, "it needs root, to mount a small disk");
  home.later(() => execFileSync("umount", ["--lazy", disk]));
  return disk;
}
