import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFile } from "../../core/shared/program-root.ts";
import { inShell } from "../../core/shared/text/shell-word.ts";
import type { Environment } from "../../config.ts";
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
  const env = environmentForOthers();
  const path = env["PATH"] ?? "";
  // The page asks for it whenever a server is created, and each search reads every directory of PATH.
  if (found?.path !== path) found = { path, program: typedProgram(programPath, env) };
  return found.program;
}

/** npm adds these directories to PATH for one command. A terminal does not have them. */
const ofNpm = /[\\/]node_modules[\\/]\.bin[\\/]?$/;

/** Returns a program as a person can type it in a terminal: see `ownCommand`. */
export function typedProgram(program: string, env: Environment): string {
  if (isNpx(program)) return ["npx", ...npxWords(env)].map(inShell).join(" ");
  const directories = (env["PATH"] ?? "")
    .split(delimiter)
    .filter((directory) => directory !== "" && !ofNpm.test(directory));
  if (directories.some((directory) => isSame(join(directory, "countersign"), program)))
    return "countersign";
  const hasNode = directories.some((directory) => isProgram(join(directory, "node")));
  return [hasNode ? "node" : process.execPath, program].map(inShell).join(" ");
}

const isNpx = (program: string): boolean => /[\\/]_npx[\\/]/.test(program);

/** Returns the words after `npx`, with the package that npx was given: a file of the disk, for example. */
function npxWords(env: Environment): readonly string[] {
  const given = env["npm_config_package"] ?? "";
  // Several packages are separated by line ends.
  if (given === "" || /\s/.test(given)) return ["-y", "countersign"];
  const isPath = /^(?:\.{1,2}[\\/]|file:)/.test(given);
  const directory = env["INIT_CWD"] ?? process.cwd();
  const whole = isPath ? resolve(directory, given.replace(/^file:/, "")) : given;
  return ["-y", `--package=${whole}`, "countersign"];
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

/**
 * Returns the command that starts this server in a client: npx if this process was started with it, or the absolute
 * paths of Node and of the program. A desktop program often has a shorter PATH than a shell.
 */
export function ownServer(
  place: { envFile?: string | undefined; dataDir?: string | undefined },
  program = programPath,
  system: NodeJS.Platform = process.platform,
  env: Environment = environmentForOthers(),
): ServerCommand {
  const { envFile, dataDir } = place;
  const own = envFile === undefined ? [] : ["--env-file", envFile];
  const [command, before] = isNpx(program)
    ? npx(npxWords(env), system)
    : [process.execPath, [program]];
  const isGiven = dataDir !== undefined && isAbsolute(dataDir);
  return {
    command,
    args: [...before, "serve", ...own],
    ...(isGiven && { env: { COUNTERSIGN_DATA_DIR: dataDir } }),
  };
}

/** Windows starts scripts only through its shell. */
function npx(
  args: readonly string[],
  system: NodeJS.Platform,
): readonly [string, readonly string[]] {
  return system === "win32" ? ["cmd", ["/c", "npx", ...args]] : ["npx", args];
}
