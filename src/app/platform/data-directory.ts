import {
  accessSync,
  type Dirent,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ConfigError } from "../../config/config-error.ts";
import { inShell } from "../../core/shared/text/shell-word.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { othersMay } from "./env-file.ts";
import { systemCode } from "./safe-file.ts";
import { homeDirectory } from "./this-user.ts";

/** Any of these shows that this program has used a directory. */
const signsOfUse = ["install.key", "countersign.db", "objects.db", "unfinished.json"];
/** A person may have written these before the first start. */
const writtenByHand = [".env", "servers.json", "reviewed-tools.json"];
/** The system writes these: the first one into the root of a disk. */
export const ofSystem: readonly string[] = ["lost+found", ".DS_Store"];

/** Returns whether a directory was never used by this program and has files of others. */
export function isForeignDirectory(dir: string): boolean {
  return foreignEntries(dir).length > 0;
}

function foreignEntries(dir: string): readonly Dirent[] {
  const entries = readdirSync(dir, { withFileTypes: true });
  if (entries.some(({ name }) => signsOfUse.includes(name))) return [];
  return entries.filter(({ name }) => ![...writtenByHand, ...ofSystem].includes(name));
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
 * Returns whether a directory that other users can enter was named by mistake: the home directory, a web site or a
 * directory of the system. Files alone may be a policy, a certificate or mail for an import.
 */
export function isSharedByMistake(dir: string): boolean {
  if (!othersMay(0o077, dir)) return false;
  const isHome = isHomeOrAbove(dir);
  return foreignEntries(dir).some((entry) => isHome || entry.isDirectory());
}

/** Returns whether a directory is the user's home directory or one above it. */
function isHomeOrAbove(dir: string): boolean {
  const toHome = relative(realPathOf(dir), realPathOf(homeDirectory()));
  return toHome !== ".." && !toHome.startsWith(`..${sep}`) && !isAbsolute(toHome);
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
 * @throws ConfigError
 */
export function makeDataDir(dir: string, warn: (message: string) => void): void {
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
  refuseShared(dir);
  if (othersMay(0o022, dir))
    throw refused(`in which other users can write; run: chmod 700 ${inShell(dir)}`);
  // A link and the directory behind it can be replaced separately.
  for (const parent of new Set([dir, realpathSync(dir)].flatMap(parentsOf)))
    if (othersMay(0o002, parent) && (statSync(parent).mode & sticky) === 0)
      throw refused(`which other users can replace; run: chmod o-w ${inShell(parent)}`);
  if (!othersMay(0o077, dir)) return;
  try {
    chmodSync(dir, 0o700);
  } catch {
    throw refused(`which other users can enter; run: chmod 700 ${inShell(dir)}`);
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
 * Refuses a directory that was named by mistake: a change of its permissions would close it to the programs that use it.
 * @throws ConfigError
 */
function refuseShared(dir: string): void {
  if (!existsSync(dir) || !isSharedByMistake(dir)) return;
  const what = isHomeOrAbove(dir)
    ? "is your home directory or above it"
    : "has directories of other programs";
  const example = join(homeDirectory(), "countersign");
  throw refusedDataDir(
    dir,
    `which ${what}, and which other users can enter. It was not changed. Set it to a directory for Countersign alone, which only you can enter, for example ${example}`,
  );
}

/**
 * Refuses a home directory that was named by mistake, and leaves other directories to the command.
 * @throws ConfigError
 */
export function refuseHome(dir: string): void {
  if (isHomeOrAbove(dir)) refuseShared(dir);
}

function refusedDataDir(dir: string, reason: string): ConfigError {
  return new ConfigError([{ setting: "COUNTERSIGN_DATA_DIR", problem: `names ${dir}, ${reason}` }]);
}
