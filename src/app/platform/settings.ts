import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { homedir, platform } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { parseSettings, type Config, type Environment } from "../../config.ts";
import { ConfigError } from "../../config/config-error.ts";
import { misspelled } from "../../config/misspelled.ts";
import { settings } from "../../config/settings.ts";
import { ianaZone } from "../../core/shared/time-zone.ts";
import { othersMay, readEnvFile } from "./env-file.ts";

export interface SettingsSource {
  /** The `--env-file` option; a relative path lies within the data directory. */
  envFile?: string | undefined;
  /** What the command line says goes before everything else, and is checked like everything else. */
  overrides?: Environment;
  env?: Environment;
  /** Where a remark goes that stops nothing. */
  warn?: (message: string) => void;
}

/** Where the settings come from, as text. */
export interface SettingsPlace {
  dataDir: string;
  /** The file that is read, whether or not it is there. */
  file: string;
  fromFile: Environment;
  /** What goes before the file. */
  given: Environment;
}

/**
 * The process environment, then `.env` in the data directory or the file that `--env-file` names. The working
 * directory is never read: clients start servers inside cloned projects, whose `.env` is a stranger's.
 * Makes the data directory where it is absent.
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
  // Node takes it up at once, for every date and every thread that is started from now on.
  if (config.timeZone !== undefined) process.env["TZ"] = config.timeZone;
  return config;
}

/** Returns where data and settings are by the environment alone. Reads and creates nothing. @throws ConfigError */
export function placesOf(
  envFile: string | undefined,
  env: Environment = process.env,
): Pick<SettingsPlace, "dataDir" | "file"> {
  const dataDir = dataDirOf(env) ?? defaultDataDir(env);
  return { dataDir, file: resolve(dataDir, envFile ?? ".env") };
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
 * The same before it is looked at. Makes the data directory where it is absent.
 * @throws ConfigError
 */
export function readSettings({
  envFile,
  env = process.env,
  warn = console.error,
}: SettingsSource = {}): SettingsPlace {
  const { TZ: zone, ...rest } = withoutEmpty(env);
  // Systems write other things there too (":/etc/localtime"): Node reads those itself.
  const given = {
    ...rest,
    ...(zone !== undefined && ianaZone(zone) !== undefined && { TZ: zone }),
  };
  const home = dataDirOf(given) ?? defaultDataDir(env);
  const file = resolve(home, envFile ?? ".env");
  if (envFile === undefined) makeDataDir(home, warn);
  const text = readEnvFile(file, warn);
  if (text === undefined && envFile !== undefined) throw problem(file, "does not exist");
  const fromFile = parseEnv(text ?? "");
  // A named file may say where the data directory is; the file that lies in it cannot.
  const dataDir = envFile === undefined ? home : (dataDirOf({ ...fromFile, ...given }) ?? home);
  if (envFile !== undefined) makeDataDir(dataDir, warn);
  return { dataDir, file, fromFile, given };
}

/** An option that was not given and an empty value say nothing: they never stand in the way of what says something. */
function withoutEmpty(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => (value ?? "").trim() !== ""));
}

function problem(setting: string, text: string): ConfigError {
  return new ConfigError([{ setting, problem: text }]);
}

function dataDirOf(env: Environment): string | undefined {
  const given = env["COUNTERSIGN_DATA_DIR"]?.trim();
  if (given === undefined || given === "") return undefined;
  if (!isAbsolute(given)) throw problem("COUNTERSIGN_DATA_DIR", "must be a full path");
  return given;
}

export function defaultDataDir(env: Environment, system = platform()): string {
  const home = homedir();
  if (system === "darwin") return join(home, "Library", "Application Support", "Countersign");
  if (system === "win32")
    return join(env["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), "Countersign");
  // The XDG specification says that a relative path is to be ignored.
  const xdg = env["XDG_DATA_HOME"] ?? "";
  return join(isAbsolute(xdg) ? xdg : join(home, ".local", "share"), "countersign");
}

/** What another program may know of our environment: everything but our settings, which hold secrets. `TZ` is everybody's. */
export function environmentForOthers(env: Environment = process.env): Environment {
  const isOurs = (name: string): boolean => name !== "TZ" && Object.hasOwn(settings, name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOurs(name)));
}

/** Whether a person sits at a screen that this process could open a browser on: not in CI, and not over SSH. */
export function hasDesktop(env: Environment = process.env, system = platform()): boolean {
  const isSet = (name: string): boolean => (env[name] ?? "") !== "";
  if (isSet("CI") || isSet("SSH_CONNECTION")) return false;
  return system === "darwin" || system === "win32" || isSet("DISPLAY") || isSet("WAYLAND_DISPLAY");
}

/** Where others could write, they may have left something: that is for a person to look at. Where they could read, it is mended. */
function makeDataDir(dir: string, warn: (message: string) => void): void {
  const refused = (reason: string): ConfigError =>
    problem("COUNTERSIGN_DATA_DIR", `names ${dir}, ${reason}`);
  try {
    makeDirectories(dir);
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw refused(`which ${reasonOf(error)}`);
  }
  // Windows has no such owner.
  const user = process.getuid?.();
  if (user !== undefined && statSync(dir).uid !== user)
    throw refused("which belongs to another user; set it to a directory of your own");
  if (othersMay(0o022, dir))
    throw refused(`in which other users can write; run: chmod 700 "${dir}"`);
  if (othersMay(0o002, dirname(dir)) && (statSync(dirname(dir)).mode & sticky) === 0)
    throw refused(`which other users can replace; run: chmod o-w "${dirname(dir)}"`);
  if (!othersMay(0o077, dir)) return;
  try {
    chmodSync(dir, 0o700);
  } catch {
    throw refused(`which other users can enter; run: chmod 700 "${dir}"`);
  }
  // Some file systems take the change and keep their own.
  if (othersMay(0o077, dir))
    throw refused("which other users can enter, and which cannot be closed to them");
  warn(`${dir} could be entered by other users: it is now open to you alone (chmod 700)`);
}

/** In such a directory, as /tmp, nobody renames what another user has. */
const sticky = 0o1000;

/** One by one: Node's own way never ends where the system refuses with ENOENT, as below /proc. */
function makeDirectories(dir: string): void {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(dir);
  if (parent !== dir) makeDirectories(parent);
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    // Another process that starts at the same moment was faster.
    if (codeOf(error) !== "EEXIST" || !statSync(dir).isDirectory()) throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "no reason given";
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === "EACCES" || code === "EPERM") return "this user may not write to";
  if (code === "EROFS") return "is on a read-only file system";
  if (code === "EEXIST" || code === "ENOTDIR") return "is not a directory";
  if (code === "ENOENT") return "cannot be made there";
  if (code === "ENOSPC") return "is on a full disk";
  return `could not be used (${code})`;
}
