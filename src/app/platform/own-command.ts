import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFile } from "../../core/shared/program-root.ts";
import { environmentForOthers, ownPlace } from "./settings.ts";

/** The file that `node` starts: the bundle, also for a program that runs from source. */
export const programPath = fileURLToPath(packageFile("bundle/main.js"));

/**
 * Returns this program as a person can type it in a terminal of this machine: `countersign` if PATH leads to this
 * program, or `node` with the absolute path. The terminal does not have the environment of a process that a client
 * started, so an unusual place of the settings is named, too.
 */
export function ownCommand(): string {
  const { dataDir, envFile } = ownPlace();
  return [
    ...(dataDir === undefined ? [] : [`COUNTERSIGN_DATA_DIR=${inShell(dataDir)}`]),
    ownProgram(),
    ...(envFile === undefined ? [] : [`--env-file ${inShell(envFile)}`]),
  ].join(" ");
}

let found: { path: string; program: string } | undefined;

/** Returns the same without the place of the settings, for help. */
export function ownProgram(): string {
  const path = environmentForOthers()["PATH"] ?? "";
  // The page asks for it whenever a server is created, and each search reads every directory of PATH.
  if (found?.path !== path) found = { path, program: programOn(path) };
  return found.program;
}

function programOn(path: string): string {
  const directories = path.split(delimiter).filter((directory) => directory !== "");
  if (directories.some((directory) => isSame(join(directory, "countersign"), programPath)))
    return "countersign";
  const hasNode = directories.some((directory) => isProgram(join(directory, "node")));
  return [hasNode ? "node" : process.execPath, programPath].map(inShell).join(" ");
}

function isSame(link: string, file: string): boolean {
  try {
    return isProgram(link) && realpathSync(link) === realpathSync(file);
  } catch {
    return false;
  }
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Quotes a word for a POSIX shell if it needs quotes. */
export function inShell(word: string): string {
  return /^[\w./:@,+=~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
