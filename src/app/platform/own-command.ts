import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFile } from "../../core/shared/program-root.ts";
import type { ServerCommand } from "../../setup/clients/client.ts";
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

/**
 * Returns the command that starts this server in a client: npx if this process was started with it, or the absolute
 * paths of Node and of the program. A desktop program often has a shorter PATH than a shell.
 */
export function ownServer(
  place: { envFile?: string | undefined; dataDir?: string | undefined },
  program = programPath,
  system: NodeJS.Platform = process.platform,
): ServerCommand {
  const { envFile, dataDir } = place;
  const own = envFile === undefined ? [] : ["--env-file", envFile];
  const isNpx = /[\\/]_npx[\\/]/.test(program);
  const [command, before] = isNpx ? npx(system) : [process.execPath, [program]];
  const isGiven = dataDir !== undefined && isAbsolute(dataDir);
  return {
    command,
    args: [...before, "serve", ...own],
    ...(isGiven && { env: { COUNTERSIGN_DATA_DIR: dataDir } }),
  };
}

/** Windows starts scripts only through its shell. */
function npx(system: NodeJS.Platform): readonly [string, readonly string[]] {
  const args = ["-y", "countersign"];
  return system === "win32" ? ["cmd", ["/c", "npx", ...args]] : ["npx", args];
}
