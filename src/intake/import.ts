import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Receipt } from "../ports/mail-store.ts";

export interface Imported {
  path: string;
  emailId?: string;
  status: "kept" | "duplicate" | "failed";
  /** Why it failed. */
  reason?: string;
}

/** The `.eml` files among these paths: files as they are named, directories with all below them, in order. */
export async function* mailFiles(paths: readonly string[]): AsyncGenerator<string> {
  for (const path of paths) {
    if (!(await isDirectory(path))) {
      yield path;
      continue;
    }
    const entries = await readdir(path, { withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isDirectory() || entry.name.toLowerCase().endsWith(".eml"))
      .map(({ name }) => name)
      .toSorted();
    yield* mailFiles(names.map((name) => join(path, name)));
  }
}

/** A path that is not there is reported as a file that cannot be read. */
async function isDirectory(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Keeps one file. Never throws: one bad file must not stop the rest. */
export async function importFile(
  path: string,
  settings: {
    maxBytes: number;
    keep: (
      message: Uint8Array,
      arrival: Omit<Receipt, "rawSha256" | "bytes">,
    ) => Promise<{ emailId: string; isNew: boolean }>;
  },
): Promise<Imported> {
  try {
    const { size } = await stat(path);
    if (size === 0) return { path, status: "failed", reason: "the file is empty" };
    if (size > settings.maxBytes) {
      return {
        path,
        status: "failed",
        reason: `it has ${size} bytes; INGEST_MAX_BYTES allows ${settings.maxBytes}`,
      };
    }
    const { emailId, isNew } = await settings.keep(await readFile(path), {
      intake: "import",
      peer: path,
    });
    return { path, emailId, status: isNew ? "kept" : "duplicate" };
  } catch (error) {
    return { path, status: "failed", reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES" || code === "EPERM") return "this user may not read it";
  if (code === "EISDIR") return "it is a directory";
  return error instanceof Error ? error.message : String(error);
}
