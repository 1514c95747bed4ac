import { randomBytes } from "node:crypto";
import { linkSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { ConfigError } from "../../config/config-error.ts";
import { systemCode } from "./safe-file.ts";

/**
 * Creates a file for this user alone, complete from the moment it exists. If several processes start together, the
 * first one's file stays and the others get false.
 * @throws ConfigError
 */
export function writeOnce(path: string, text: string): boolean {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
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
 * Replaces the file's text atomically, with access for this user alone.
 * @throws ConfigError
 */
export function replaceFile(file: string, text: string): void {
  // A link stays a link, because people keep such files elsewhere.
  const place = statSync(file, { throwIfNoEntry: false }) ? realpathSync(file) : file;
  const draft = `${place}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx", flush: true });
    renameSync(draft, place);
  } catch {
    throw new ConfigError([{ setting: file, problem: "could not be written" }]);
  } finally {
    rmSync(draft, { force: true });
  }
}
