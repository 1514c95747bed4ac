import { readFileSync, statSync } from "node:fs";
import { open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Receipt } from "../ports/mail/mail-store.ts";
import { importLimits } from "./limits.ts";
import { mboxMessages } from "./mbox.ts";

export interface Imported {
  path: string;
  emailId?: string;
  status: "stored" | "duplicate" | "failed";
  /** The reason for a failure. */
  reason?: string;
}

/** A message that was found: a whole file, or `message` as a part of a file. */
export interface FoundMail {
  /** The path. For a message of an mbox file, `#1`, `#2` and so on are appended. */
  path: string;
  message?: Uint8Array;
  /** Bytes of the file that `message` occupies. */
  fileBytes?: number;
  /** The reason why it cannot be read. */
  reason?: string;
}

/** A file that contains mail. With `isOne` it is a single message, even if its first line is that of an mbox. */
interface MailFile {
  path: string;
  isOne?: true;
  reason?: string;
}

/**
 * Yields the messages at these paths, in order. A named file is an mbox if it begins with `From `. Directories are
 * searched for `.eml` and `.mbox` files and Maildirs.
 */
export async function* foundMail(
  paths: readonly string[],
  maxBytes: number,
): AsyncGenerator<FoundMail> {
  for await (const { isOne, ...file } of mailFiles(paths)) {
    const isSplit = file.reason === undefined && !isOne && (await isMbox(file.path));
    if (isSplit) yield* messagesOf(file.path, maxBytes);
    else yield file;
  }
}

/** Returns the total bytes to read, for a progress display. */
export async function bytesAmong(paths: readonly string[], signal: AbortSignal): Promise<number> {
  let bytes = 0;
  for await (const file of mailFiles(paths)) {
    if (signal.aborted) break;
    bytes += (await stat(file.path).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}

async function* mailFiles(paths: readonly string[], depth = 0): AsyncGenerator<MailFile> {
  for (const path of paths) {
    const kind = await kindOf(path);
    if (kind === "other") yield { path, reason: "it is neither a file nor a directory" };
    if (kind === "file") yield { path };
    if (kind !== "directory") continue;
    if (depth > importLimits.depth) continue;
    const entries = await readdir(path, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const isMaildir = ["cur", "new"].every((name) => folders.includes(name));
    // The folder `tmp` is skipped, because its messages are not delivered yet.
    if (isMaildir) yield* maildirFiles(path);
    const names = isMaildir
      ? folders.filter((name) => !["cur", "new", "tmp"].includes(name))
      : entries
          .filter((entry) => entry.isDirectory() || isMailFile(entry.name))
          .map(({ name }) => name);
    const inside = names.toSorted().map((name) => join(path, name));
    yield* mailFiles(inside, depth + 1);
  }
}

function isMailFile(name: string): boolean {
  // Apple Mail exports a folder `Name.mbox` with a file `mbox` in it.
  return /\.(?:eml|mbox)$/i.test(name) || name === "mbox";
}

async function* maildirFiles(path: string): AsyncGenerator<MailFile> {
  for (const folder of ["cur", "new"]) {
    const entries = await readdir(join(path, folder), { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile() && !entry.name.startsWith("."));
    for (const { name } of names.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
      yield { path: join(path, folder, name), isOne: true };
  }
}

async function* messagesOf(path: string, maxBytes: number): AsyncGenerator<FoundMail> {
  try {
    for await (const { number, bytes, fileBytes, message } of mboxMessages(path, maxBytes)) {
      const place = { path: `${path}#${number}`, fileBytes };
      yield message === undefined
        ? { ...place, reason: tooLarge(bytes, maxBytes) }
        : { ...place, message };
    }
  } catch (error) {
    yield { path, reason: reasonOf(error) };
  }
}

/**
 * Classifies a path. A missing path is reported as an unreadable file, and a pipe is not opened, because it could block
 * forever.
 */
async function kindOf(path: string): Promise<"directory" | "file" | "other"> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.isFile()) return "file";
  return found.isDirectory() ? "directory" : "other";
}

async function isMbox(path: string): Promise<boolean> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(5) });
      return buffer.toString("latin1", 0, bytesRead) === "From ";
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}

/** Returns the bytes that a message occupies in its file. 0 if unknown. */
export function bytesOf({ path, fileBytes }: FoundMail): number {
  try {
    return fileBytes ?? statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

/**
 * Files up to this size are read synchronously. Every asynchronous operation passes through another thread, which takes
 * longer than reading a usual message. Nothing else of an import waits meanwhile. Bytes.
 */
const readAtOnce = 256 * 1024;

/**
 * Imports one message. Never throws, because one bad file must not stop the rest.
 * @param fileBytes the size of a whole file, if it is known
 */
export async function importMail(
  { path, message, reason }: FoundMail,
  fileBytes: number,
  settings: {
    maxBytes: number;
    keep: (
      message: Uint8Array,
      arrival: Omit<Receipt, "rawSha256" | "bytes">,
    ) => Promise<{ emailId: string; isNew: boolean }>;
  },
): Promise<Imported> {
  const failed = (why: string): Imported => ({ path, status: "failed", reason: why });
  if (reason !== undefined) return failed(reason);
  try {
    const size = message?.length ?? (fileBytes > 0 ? fileBytes : (await stat(path)).size);
    if (size === 0) return failed(message ? "the message is empty" : "the file is empty");
    if (size > settings.maxBytes) return failed(tooLarge(size, settings.maxBytes));
    const whole = message ?? (size <= readAtOnce ? readFileSync(path) : await readFile(path));
    const { emailId, isNew } = await settings.keep(whole, {
      intake: "import",
      peer: path,
    });
    return { path, emailId, status: isNew ? "stored" : "duplicate" };
  } catch (error) {
    return failed(reasonOf(error));
  }
}

function tooLarge(bytes: number, maxBytes: number): string {
  return `it has ${bytes} bytes; INGEST_MAX_BYTES allows ${maxBytes}`;
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "the file does not exist";
  if (code === "EACCES" || code === "EPERM") return "this user may not read the file";
  if (code === "EISDIR") return "it is a directory";
  return error instanceof Error ? error.message : String(error);
}
