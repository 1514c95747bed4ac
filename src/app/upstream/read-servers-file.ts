import { platform, tmpdir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Config, Environment } from "../../config.ts";
import { settings } from "../../config/settings.ts";
import { LocatedFault } from "../../core/policy/file/located-json.ts";
import { packageFile } from "../../core/shared/program-root.ts";
import type { ServerEntry } from "../../ports/upstream/upstream-server.ts";
import {
  faultOfHeaders,
  parseServers,
  type ServersEnvironment,
} from "../../upstream/servers-file.ts";
import { readSafely } from "../platform/safe-file.ts";
import { type SettingsSource, readSettings } from "../platform/settings.ts";
import { homeDirectory } from "../platform/this-user.ts";

/** The file of upstream servers cannot be used. The message names it, with line and column if the fault has one. */
export class ServersFileError extends Error {
  override readonly name = "ServersFileError";
}

/**
 * Reads SERVERS_FILE.
 * @param env the variables of `${env:NAME}` and of the servers. The default is the process environment.
 * @throws ServersFileError
 */
export function readServersFile(
  { servers: { file: path }, dataDir }: Config,
  envFile?: string,
  env?: Environment,
): readonly ServerEntry[] {
  const text = readSafely(path, (problem) => new ServersFileError(problem));
  try {
    return parseServers(text, environmentFor(dataDir, path, { envFile, ...(env && { env }) }));
  } catch (error) {
    if (!(error instanceof LocatedFault)) throw error;
    const { line, column } = error.place;
    throw new ServersFileError(
      `${path}:${line}:${column} (line ${line}, column ${column}): ${error.message}`,
    );
  }
}

/**
 * Returns the fault of one entry, before it is written to SERVERS_FILE. Undefined if it has none: a variable without a
 * value can be set later.
 */
export function faultOfEntry(
  { servers: { file: path }, dataDir }: Config,
  name: string,
  entry: object,
  envFile?: string,
): string | undefined {
  const text = JSON.stringify({ mcpServers: { [name]: entry } });
  // Every variable gets this value, because it can be set later.
  const valueOf = (): string => "x";
  try {
    const parsed = parseServers(text, { ...environmentFor(dataDir, path, { envFile }), valueOf });
    return parsed.map(faultOfHeaders).find((fault) => fault !== undefined);
  } catch (error) {
    if (!(error instanceof LocatedFault)) throw error;
    return error.message.replace(`mcpServers.${name}.`, "");
  }
}

/** Returns the program that serves the tools of a local module. */
export function moduleProgram(): string {
  return fileURLToPath(packageFile("bundle/tool-module.js"));
}

/** Windows programs find their own files through these. */
const windowsNames = ["SystemRoot", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "PATHEXT", "TEMP"];

function environmentFor(
  dataDir: string,
  path: string,
  source: Pick<SettingsSource, "envFile" | "env">,
): ServersEnvironment {
  const { fromFile, given } = readSettings({ ...source, warn: () => undefined });
  const all = { ...fromFile, ...given };
  const names = ["PATH", "LANG", ...(platform() === "win32" ? windowsNames : [])];
  const base = names.flatMap((name) => {
    const value = given[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const home = given["HOME"];
  const HOME = home !== undefined && isAbsolute(home) ? home : homeDirectory();
  return {
    valueOf: (name) => all[name],
    isOurs: (name) => Object.hasOwn(settings, name),
    base: { ...Object.fromEntries(base), HOME, TMPDIR: tmpdir() },
    moduleCommand: (module) => [process.execPath, moduleProgram(), resolve(dirname(path), module)],
    directoryOf: (server) => join(dataDir, "servers", server),
  };
}
