import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
} from "node:fs";
import { homedir, platform } from "node:os";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { parseEnv } from "node:util";
import { parseSettings, type Config, type Environment } from "../../config.ts";
import { ConfigError } from "../../config/config-error.ts";
import { misspelled } from "../../config/misspelled.ts";
import { settings } from "../../config/settings.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { ianaZone } from "../../core/shared/time-zone.ts";
import { othersMay, readEnvFile } from "./env-file.ts";
import { systemCode } from "./safe-file.ts";

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
  const fromFile = parseEnv(text ?? "");
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
  const home = homedir();
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

/** Any of these shows that this program has used a directory. */
const signsOfUse = ["install.key", "countersign.db", "objects.db", "unfinished.json"];
/** A person may have written these before the first start. */
const writtenByHand = [".env", "servers.json", "reviewed-tools.json"];

/** Returns whether a directory was never used by this program and has files of others. */
export function isForeignDirectory(dir: string): boolean {
  const names = readdirSync(dir);
  if (signsOfUse.some((name) => names.includes(name))) return false;
  return names.some((name) => !writtenByHand.includes(name));
}

/**
 * Refuses a data directory that this program has never used, before it is created or made private. Its name is
 * mistyped.
 * @param undone as "No backup was made."
 * @throws ToolError
 */
export function refuseUnused(dir: string, undone: string): void {
  let names: readonly string[];
  try {
    names = readdirSync(dir);
  } catch (error) {
    // The settings' reader says why another directory cannot be used.
    if (systemCode(error) !== "ENOENT") return;
    throw new ToolError(
      "not_found",
      `The data directory ${dir} does not exist. ${undone} Check COUNTERSIGN_DATA_DIR.`,
    );
  }
  if (signsOfUse.some((name) => names.includes(name))) return;
  throw new ToolError(
    "not_found",
    `${dir} has no data of Countersign. ${undone} Check COUNTERSIGN_DATA_DIR.`,
  );
}

/**
 * Returns whether a directory is the user's home directory or one above it, which this program has never used. It was
 * named by mistake.
 */
export function isHomeByMistake(dir: string): boolean {
  const toHome = relative(realPathOf(dir), realPathOf(homedir()));
  const isAbove = toHome !== ".." && !toHome.startsWith(`..${sep}`) && !isAbsolute(toHome);
  return isAbove && isForeignDirectory(dir);
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/**
 * Creates the data directory. Refuses one that others can write to, because they may have left files in it. Makes
 * this program's own directory private.
 */
function makeDataDir(dir: string, warn: (message: string) => void): void {
  const refused = (reason: string): ConfigError => refusedDataDir(dir, reason);
  try {
    makeDirectories(dir);
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw refused(`which ${reasonOf(error)}`);
  }
  // Undefined on Windows.
  const user = process.getuid?.();
  if (user !== undefined && statSync(dir).uid !== user)
    throw refused("which belongs to another user; set it to a directory of your own");
  if (othersMay(0o022, dir))
    throw refused(`in which other users can write; run: chmod 700 "${dir}"`);
  // A link and the directory behind it can be replaced separately.
  for (const parent of new Set([dir, realpathSync(dir)].flatMap(parentsOf)))
    if (othersMay(0o002, parent) && (statSync(parent).mode & sticky) === 0)
      throw refused(`which other users can replace; run: chmod o-w "${parent}"`);
  if (!othersMay(0o077, dir)) return;
  refuseHome(dir);
  try {
    chmodSync(dir, 0o700);
  } catch {
    throw refused(`which other users can enter; run: chmod 700 "${dir}"`);
  }
  // Some file systems accept the change and ignore it.
  if (othersMay(0o077, dir))
    throw refused("which other users can enter, and which cannot be closed to them");
  warn(`${dir} could be entered by other users: it is now open to you alone (chmod 700)`);
}

/** Returns all directories above one. A process that can rename one of them can replace the files below. */
function parentsOf(dir: string): string[] {
  const parent = dirname(dir);
  return parent === dir ? [] : [parent, ...parentsOf(parent)];
}

/** In a sticky directory such as /tmp, users cannot rename each other's files. */
const sticky = 0o1000;

/**
 * Creates directories one by one. Node's recursive mode never ends if the system refuses with ENOENT, as below /proc.
 */
function makeDirectories(dir: string): void {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(dir);
  if (parent !== dir) makeDirectories(parent);
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    // Another process that started at the same moment created it first.
    if (systemCode(error) !== "EEXIST" || !statSync(dir).isDirectory()) throw error;
  }
}

function reasonOf(error: unknown): string {
  const code = systemCode(error);
  if (code === "EACCES" || code === "EPERM") return "this user may not write to";
  if (code === "EROFS") return "is on a read-only file system";
  if (code === "EEXIST" || code === "ENOTDIR") return "is not a directory";
  if (code === "ENOENT") return "cannot be made there";
  if (code === "ENOSPC") return "is on a full disk";
  return `could not be used (${code ?? "no reason given"})`;
}

/**
 * Refuses a home directory that was named by mistake and that other users can enter.
 * @throws ConfigError
 */
function refuseHome(dir: string): void {
  if (!existsSync(dir) || !othersMay(0o077, dir) || !isHomeByMistake(dir)) return;
  throw refusedDataDir(
    dir,
    `which is your home directory or above it, and which other users can enter. It was not changed. Set it to a directory for Countersign alone, for example ${join(homedir(), "countersign")}`,
  );
}

function refusedDataDir(dir: string, reason: string): ConfigError {
  return problem("COUNTERSIGN_DATA_DIR", `names ${dir}, ${reason}`);
}
