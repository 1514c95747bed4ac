import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  realpathSync,
  statSync,
} from "node:fs";
import { stat } from "node:fs/promises";
import { platform } from "node:os";
import { dirname } from "node:path";
import { inShell } from "../../core/shared/text/shell-word.ts";
import { ConfigError } from "../../config/config-error.ts";

/** The largest file that is read. A policy or a list of servers is far smaller. Bytes. */
const maxBytes = 1_048_576;

/**
 * Returns the text of a file that decides which calls run without approval. Checks and reads one open file, so that no
 * other file can replace it meanwhile.
 * @throws the error that `fault` creates from the problem, which names the file
 */
export function readSafely(path: string, fault: (problem: string) => Error): string {
  let file: number;
  try {
    // Non-blocking, because opening a pipe would wait without end.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw fault(`${path} ${whyUnreadable(error)}`);
  }
  try {
    const facts = fstatSync(file);
    if (!facts.isFile()) throw fault(`${path} is not a file`);
    if (facts.size > maxBytes) throw fault(`${path} is larger than 1 MiB`);
    assertOwned(path, facts, fault);
    const bytes = Buffer.alloc(maxBytes + 1);
    const read = readSync(file, bytes, 0, bytes.length, 0);
    return asText(path, bytes.subarray(0, read), fault);
  } finally {
    closeSync(file);
  }
}

/**
 * Refuses a file that other users can change, because it decides which calls run without approval. Windows has no such
 * bits, and there the rules of the profile directory apply.
 */
function assertOwned(
  path: string,
  facts: { mode: number; uid: number },
  fault: (problem: string) => Error,
): void {
  if (platform() === "win32") return;
  const others = 0o022;
  if ((facts.mode & others) !== 0) {
    throw fault(`${path} can be changed by other users; run: chmod go-w ${inShell(path)}`);
  }
  const isOurs = ({ uid }: { uid: number }): boolean => uid === 0 || uid === process.getuid?.();
  if (!isOurs(facts)) throw fault(`${path} belongs to another user`);
  // A user who can write to the folder can replace the file.
  for (const folder of new Set([dirname(path), dirname(realpathSync(path))])) {
    const found = statSync(folder);
    if ((found.mode & others) === 0 && isOurs(found)) continue;
    throw fault(
      `${path} is in a folder that other users can change; move it into a folder that only you can change`,
    );
  }
}

function asText(path: string, bytes: Uint8Array, fault: (problem: string) => Error): string {
  try {
    // The decoder removes the byte order mark that some editors write.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw fault(`${path} is not UTF-8`);
  }
}

/** Returns a text that changes with every modification of a file. */
export async function stampOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return "none";
  }
}

/**
 * Reads a file, or returns undefined if it does not exist.
 * @throws ConfigError, which names the file
 */
export function readIfPresent(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new ConfigError([{ setting: path, problem: whyUnreadable(error) }]);
  }
}

/** Says why a file could not be opened or read, to continue a sentence that begins with its name. */
export function whyUnreadable(error: unknown): string {
  if (isMissing(error)) return "does not exist";
  return systemCode(error) === "EISDIR" ? "is a directory" : "cannot be read by this user";
}

/** Returns whether a file operation failed because its path is absent. */
export function isMissing(error: unknown): boolean {
  return systemCode(error) === "ENOENT";
}

/** Returns the names in a directory. The list is empty if there is no such directory. */
export function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Returns the code of an error of the operating system, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

/** Returns whether a write failed because the disk or the user's quota is full. */
export function isDiskFull(error: unknown): boolean {
  const code = systemCode(error);
  if (code === "ENOSPC" || code === "EDQUOT") return true;
  return error instanceof Error && error.cause !== undefined && isDiskFull(error.cause);
}
