import { randomBytes } from "node:crypto";
import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { platform } from "node:os";
import { dirname } from "node:path";
import { ConfigError } from "../../config/config-error.ts";
import { isMissing } from "./safe-file.ts";

/**
 * Reads the file of settings, or returns undefined if it does not exist. Warns if other users can read it.
 * @throws ConfigError if other users can change it, or this user cannot read it
 */
export function readEnvFile(file: string, warn: (message: string) => void): string | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw problem(file, "cannot be read by this user");
  }
  if (othersMay(0o022, file) || othersMay(0o022, dirname(file)))
    throw problem(file, `can be changed by other users; run: chmod 600 "${file}"`);
  if (othersMay(0o044, file)) warn(`${file} can be read by other users; run: chmod 600 "${file}"`);
  return text;
}

/**
 * Replaces the file's text atomically, with access for this user alone.
 * @throws ConfigError
 */
export function replaceEnvFile(file: string, text: string): void {
  // A link stays a link, because people keep such files elsewhere.
  const place = statSync(file, { throwIfNoEntry: false }) ? realpathSync(file) : file;
  const draft = `${place}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx", flush: true });
    renameSync(draft, place);
  } catch {
    throw problem(file, "could not be written");
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Windows has no such bits. There the rules of the profile directory apply. */
export function othersMay(bits: number, path: string): boolean {
  return platform() !== "win32" && (statSync(path).mode & bits) !== 0;
}

function problem(setting: string, text: string): ConfigError {
  return new ConfigError([{ setting, problem: text }]);
}
