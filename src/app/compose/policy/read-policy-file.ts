import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { platform, userInfo } from "node:os";
import { dirname } from "node:path";
import { LocatedFault } from "../../../core/policy/file/located-json.ts";
import { type ReadPolicy, parsePolicy } from "../../../core/policy/file/parse-policy.ts";
import type { KnownTool } from "../../../core/policy/file/policy-schema.ts";
import type { RegistryTools } from "../read-registry.ts";

/** Far larger than a file with 500 rules. Bytes. */
const maxBytes = 1_048_576;

/** The file is not a valid policy. The message names the file, and line and column if the fault has them. */
export class PolicyFileError extends Error {
  override readonly name = "PolicyFileError";
}

/**
 * Reads and parses a policy file.
 * @throws PolicyFileError
 */
export function readPolicyFile(path: string, tools: RegistryTools): ReadPolicy {
  const text = readSafely(path);
  try {
    return parsePolicy(text, { tools: knownTools(tools), now: new Date() });
  } catch (error) {
    if (!(error instanceof LocatedFault)) throw error;
    const { line, column } = error.place;
    throw new PolicyFileError(
      `${path}:${line}:${column} (line ${line}, column ${column}): ${error.message}`,
    );
  }
}

export function knownTools(tools: RegistryTools): KnownTool[] {
  return Array.from(tools.values(), ({ name, input }) => ({
    name,
    argumentNames: Object.keys(input.properties),
  }));
}

/** Reads the file through the handle whose permissions it checked, so that the file cannot be exchanged in between. */
function readSafely(path: string): string {
  let file: number;
  try {
    // Non-blocking, because opening a pipe would wait without end.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new PolicyFileError(
      code === "ENOENT" ? `${path} does not exist` : `${path} cannot be read by this user`,
    );
  }
  try {
    const facts = fstatSync(file);
    if (!facts.isFile()) throw new PolicyFileError(`${path} is not a file`);
    if (facts.size > maxBytes) throw new PolicyFileError(`${path} is larger than 1 MiB`);
    mustBeOurs(path, facts);
    const bytes = Buffer.alloc(maxBytes + 1);
    const read = readSync(file, bytes, 0, bytes.length, 0);
    return asText(path, bytes.subarray(0, read));
  } finally {
    closeSync(file);
  }
}

/**
 * Refuses a file that other users can change, because it decides which calls run without approval. Windows has no such
 * bits, and there the rules of the profile directory apply.
 */
function mustBeOurs(path: string, facts: { mode: number; uid: number }): void {
  if (platform() === "win32") return;
  const others = 0o022;
  if ((facts.mode & others) !== 0) {
    throw new PolicyFileError(`${path} can be changed by other users; run: chmod go-w "${path}"`);
  }
  const isOurs = ({ uid }: { uid: number }): boolean => uid === 0 || uid === userInfo().uid;
  if (!isOurs(facts)) throw new PolicyFileError(`${path} belongs to another user`);
  // A user who can write to the folder can replace the file.
  for (const folder of new Set([dirname(path), dirname(realpathSync(path))])) {
    const found = statSync(folder);
    if ((found.mode & others) === 0 && isOurs(found)) continue;
    throw new PolicyFileError(`${path} is in a folder that other users can change`);
  }
}

function asText(path: string, bytes: Uint8Array): string {
  try {
    // The decoder removes the byte order mark that some editors write.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new PolicyFileError(`${path} is not UTF-8`);
  }
}
