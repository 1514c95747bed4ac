import { randomBytes } from "node:crypto";
import {
  linkSync,
  lstatSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { ConfigError } from "../../config/config-error.ts";
import { isLeftBehind, markForm, ownMark } from "./process-id.ts";
import { systemCode } from "./safe-file.ts";

/** The end of the name of a draft. An earlier version wrote no process id. */
export const draftEnding = String.raw`\.(?:${markForm}|[0-9a-f]{12})`;

const namedDraft = new RegExp(String.raw`^(.*)\.(${markForm})$`, "s");

/** Returns the path at which this process writes a file's text before it gives it the file's name. */
export function draftOf(path: string): string {
  return `${path}.${ownMark()}${randomBytes(2).toString("hex")}`;
}

/** Returns the drafts of a file whose processes were killed. They may contain secrets of the file. */
export function leftDrafts(path: string): readonly string[] {
  const directory = dirname(path);
  return readable(directory)
    .filter((name) => namedDraft.exec(name)?.[1] === basename(path))
    .map((name) => join(directory, name))
    .filter(isLeftDraft);
}

/** Deletes the drafts of a file whose processes were killed. */
export function removeLeftDrafts(path: string): void {
  for (const left of leftDrafts(path)) rmSync(left, { force: true });
}

/** Returns whether a file with the name of a draft was left behind by a killed process. */
export function isLeftDraft(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) return false;
  return isLeftBehind(namedDraft.exec(basename(path))?.[2] ?? "", found.mtimeMs);
}

function readable(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/**
 * Creates a file for this user alone, complete from the moment it exists. If several processes start together, the
 * first one's file stays and the others get false.
 * @throws ConfigError
 */
export function writeOnce(path: string, text: string): boolean {
  const draft = draftOf(path);
  try {
    // A key that a power failure empties would be lost: its file is written only once.
    writeFileSync(draft, text, { mode: 0o600, flag: "wx", flush: true });
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw new ConfigError([{ setting: path, problem: "could not be written" }]);
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Replaces the file's text atomically, with access for this user alone. Deletes the drafts of killed processes.
 * @throws ConfigError
 */
export function replaceFile(file: string, text: string): void {
  // A link stays a link, because people keep such files elsewhere.
  const place = statSync(file, { throwIfNoEntry: false }) ? realpathSync(file) : file;
  const draft = draftOf(place);
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx", flush: true });
    renameSync(draft, place);
  } catch {
    throw new ConfigError([{ setting: file, problem: "could not be written" }]);
  } finally {
    rmSync(draft, { force: true });
  }
  removeLeftDrafts(place);
}
