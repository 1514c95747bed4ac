import { existsSync, realpathSync } from "node:fs";
import { platform } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { parseSettings, type Config, type Environment } from "../../config.ts";
import { ConfigError } from "../../config/config-error.ts";
import { misspelled } from "../../config/misspelled.ts";
import { settings } from "../../config/settings.ts";
import { ianaZone } from "../../core/shared/time-zone.ts";
import { makeDataDir, refuseHome } from "./data-directory.ts";
import { readEnvFile } from "./env-file.ts";
import { homeDirectory } from "./this-user.ts";

export interface SettingsSource {
  /** The `--env-file` option. A relative path starts at the data directory. */
  envFile?: string | undefined;
  /** Values of the command line. They override all other sources and are checked like them. */
  overrides?: Environment;
  env?: Environment;
  /** Receives warnings. */
  warn?: (message: string) => void;
  /** Refuses a data directory with an error, before it is created or made private. */
  refuse?: (dataDir: string) => void;
  /** Neither creates the data directory nor makes it private. */
  leavesDirectory?: boolean;
}

/** The sources of the settings, as text. */
export interface SettingsPlace {
  dataDir: string;
  /** The path of the file, which may be missing. */
  file: string;
  fromFile: Environment;
  /** Values that override the file. */
  given: Environment;
}

/**
 * Loads the settings from the process environment and then from `.env` in the data directory, or the file of
 * `--env-file`. The working directory is not used: clients start servers inside cloned projects, whose `.env` may be
 * hostile. Creates the data directory if it is missing.
 * @throws ConfigError
 */
export function loadSettings(source: SettingsSource = {}): Config {
  const { dataDir, fromFile, given } = readSettings(source);
  const all = { ...fromFile, ...given, ...withoutEmpty(source.overrides ?? {}) };
  const config = parseSettings({ ...all, COUNTERSIGN_DATA_DIR: dataDir }, dataDir);
  const remarks = [
    ...misspelled(Object.keys(fromFile), "file"),
    ...misspelled(Object.keys(given), "environment"),
  ];
  for (const remark of new Set(remarks)) (source.warn ?? console.error)(remark);
  if (source.env === undefined) ownLogLevel = config.logLevel;
  // Node applies it immediately to all dates and to threads that start later.
  if (config.timeZone !== undefined) process.env["TZ"] = config.timeZone;
  return config;
}

/**
 * Returns the places of data and settings, by the environment alone. Reads and creates nothing.
 * @throws ConfigError
 */
export function placesOf(
  envFile: string | undefined,
  env: Environment = process.env,
): Pick<SettingsPlace, "dataDir" | "file"> {
  const dataDir = dataDirOf(env) ?? defaultDataDir(env);
  return { dataDir, file: resolve(dataDir, envFile ?? ".env") };
}

let ownLogLevel = process.env["LOG_LEVEL"];

/** True if this process logs everything: by its settings, or until they are read by its environment. */
export const isDebugging = (): boolean => ownLogLevel === "debug";

/** The file of `--env-file` with which this process reads its settings. */
let ownEnvFile: string | undefined;

/** Returns what a person must name so that another process has the settings of this one. Undefined is the default. */
export function ownPlace(env: Environment = process.env): {
  dataDir: string | undefined;
  envFile: string | undefined;
} {
  const given = env["COUNTERSIGN_DATA_DIR"]?.trim() ?? "";
  const isUsual = given === "" || given === defaultDataDir(env);
  return { dataDir: isUsual ? undefined : given, envFile: ownEnvFile };
}

/**
 * Returns the settings as text, and creates no data directory.
 * @throws ConfigError
 */
export function peekSettings(env: Environment = process.env): SettingsPlace {
  const places = placesOf(undefined, env);
  if (existsSync(places.dataDir)) return readSettings({ env });
  return { ...places, fromFile: {}, given: withoutEmpty(env) };
}

/**
 * Returns the settings as text, before they are checked. Creates the data directory if it is missing.
 * @throws ConfigError
 */
export function readSettings({
  envFile,
  env = process.env,
  warn = console.error,
  refuse = () => undefined,
  leavesDirectory = false,
}: SettingsSource = {}): SettingsPlace {
  const makeReady = (dir: string): void => {
    refuse(dir);
    if (leavesDirectory) refuseHome(dir);
    else makeDataDir(dir, warn);
  };
  const { TZ: wanted, ...rest } = withoutEmpty(env);
  const zone = wanted === undefined ? undefined : zoneOfEnvironment(wanted);
  if (wanted !== undefined && zone === undefined)
    warn(
      `TZ=${wanted} in the environment is not the name of a time zone. Times are in UTC. Set TZ to a name such as Europe/Berlin.`,
    );
  const given = { ...rest, ...(zone !== undefined && { TZ: zone }) };
  const home = dataDirOf(given) ?? defaultDataDir(env);
  const file = resolve(home, envFile ?? ".env");
  if (envFile === undefined) makeReady(home);
  else if (env === process.env) ownEnvFile = file;
  const text = readEnvFile(file, warn);
  if (text === undefined && envFile !== undefined) throw problem(file, "does not exist");
  const { COUNTERSIGN_DATA_DIR: inFile = "", ...others } = parseEnv(text ?? "");
  const isIdle = envFile === undefined || inFile.trim() === "";
  const fromFile = isIdle ? others : { ...others, COUNTERSIGN_DATA_DIR: inFile };
  if (isIdle && inFile.trim() !== "" && resolve(home, inFile.trim()) !== resolve(home))
    warn(
      `COUNTERSIGN_DATA_DIR in ${file} has no effect, because the file is in the data directory. Set it in the environment, or move the file and name it with --env-file.`,
    );
  // A file named by `--env-file` may set the data directory. The file inside the data directory cannot.
  const dataDir = envFile === undefined ? home : (dataDirOf({ ...fromFile, ...given }) ?? home);
  if (envFile !== undefined) makeReady(dataDir);
  return { dataDir, file, fromFile, given };
}

/**
 * Returns the IANA name that the system's `TZ` means: `Europe/Berlin`, `:Europe/Berlin`, or a file such as
 * `:/etc/localtime`. Node reads such a file for its dates, but does not know its name.
 */
export function zoneOfEnvironment(value: string): string | undefined {
  const name = value.trim().replace(/^:/, "");
  if (ianaZone(name) !== undefined) return name;
  if (!isAbsolute(name)) return undefined;
  const [, found] = /\/zoneinfo\/(?:posix\/|right\/)?(.+)$/.exec(fileBehind(name)) ?? [];
  return found !== undefined && ianaZone(found) !== undefined ? found : undefined;
}

function fileBehind(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Drops missing options and empty values, so that they do not override other sources. */
function withoutEmpty(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => (value ?? "").trim() !== ""));
}

function problem(setting: string, text: string): ConfigError {
  return new ConfigError([{ setting, problem: text }]);
}

function dataDirOf(env: Environment): string | undefined {
  const given = env["COUNTERSIGN_DATA_DIR"]?.trim();
  if (given === undefined || given === "") return undefined;
  if (!isAbsolute(given)) throw problem("COUNTERSIGN_DATA_DIR", "must be an absolute path");
  return given;
}

export function defaultDataDir(env: Environment, system = platform()): string {
  const home = homeDirectory();
  if (system === "darwin") return join(home, "Library", "Application Support", "Countersign");
  if (system === "win32")
    return join(env["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), "Countersign");
  // The XDG Base Directory Specification requires that a relative path is ignored.
  const xdg = env["XDG_DATA_HOME"] ?? "";
  return join(isAbsolute(xdg) ? xdg : join(home, ".local", "share"), "countersign");
}

/** Returns our environment for another program, without our settings, which may contain secrets. `TZ` is kept. */
export function environmentForOthers(env: Environment = process.env): Environment {
  const isOurs = (name: string): boolean => name !== "TZ" && Object.hasOwn(settings, name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOurs(name)));
}

/** Returns whether this process can open a browser for a person: not in CI, and not over SSH. */
export function hasDesktop(env: Environment = process.env, system = platform()): boolean {
  const isSet = (name: string): boolean => (env[name] ?? "") !== "";
  if (isSet("CI") || isSet("SSH_CONNECTION")) return false;
  return system === "darwin" || system === "win32" || isSet("DISPLAY") || isSet("WAYLAND_DISPLAY");
}
