import {
  createReadStream,
  createWriteStream,
  existsSync,
  linkSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { decrypted, encrypted } from "../../adapters/age/passphrase.ts";
import { type ArchivedFile, packed, unpack } from "../../adapters/tar/archive.ts";
import type { Secret } from "../../core/shared/secret.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { isDiskFull, systemCode } from "../platform/safe-file.ts";
import { syncDirectory } from "../platform/unfinished.ts";
import { version } from "../platform/version.ts";
import { format, isKnownName, manifest, manifestName, neededNames } from "./backup-format.ts";

/**
 * Writes a snapshot as one encrypted file. The file gets its name when it is complete and durable.
 * @param draft its name until then, which no other process has
 * @returns the bytes of the file
 * @throws ToolError if the file exists, because another process made it meanwhile
 */
export async function writeBackup(
  directory: string,
  { file, draft }: { file: string; draft: string },
  passphrase: Secret,
): Promise<number> {
  const text = Buffer.from(
    JSON.stringify({ format, version: version(), at: new Date().toISOString() }),
  );
  const head: ArchivedFile = {
    name: manifestName,
    bytes: text.byteLength,
    open: () => new Blob([text]).stream(),
  };
  const stored = await encrypted(packed([head, ...filesIn(directory)]), passphrase);
  try {
    await stored.pipeTo(fileAt(draft));
    giveName(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  syncDirectory(dirname(file));
  return statSync(file).size;
}

/** Renames a file, unless there is one of the new name. */
function giveName(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (systemCode(error) === "EEXIST") throw exists(file);
    // Some file systems know no second name of a file, such as FAT.
    refuseExisting(file);
    renameSync(draft, file);
  }
}

/** Refuses to replace a file. @throws ToolError */
export function refuseExisting(file: string): void {
  if (existsSync(file)) throw exists(file);
}

const exists = (file: string): ToolError =>
  new ToolError("conflict", `${file} exists. No backup was made. Choose another name.`);

function filesIn(directory: string): readonly ArchivedFile[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => ({ name: name.replaceAll("\\", "/"), path: join(directory, name) }))
    .filter(({ name, path }) => isKnownName(name) && statSync(path).isFile())
    .map(({ name, path }) => ({ name, bytes: statSync(path).size, open: () => contentOf(path) }));
}

/**
 * Unpacks a backup into a directory. The files are complete and durable when it returns.
 * @throws ToolError if the passphrase is wrong, or the file is damaged or of a newer program
 */
export async function readBackup(
  file: string,
  directory: string,
  passphrase: Secret,
): Promise<{ at: string }> {
  const archive = await decrypted(contentOf(file), passphrase);
  const names = new Set<string>();
  let made: { at: string } | undefined;
  try {
    await unpack(archive, async (name, content) => {
      if (made === undefined) made = await madeBy(name, content);
      else if (isKnownName(name)) await content.pipeTo(fileAt(join(directory, name)));
      else await content.cancel();
      names.add(name);
    });
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    if (isDiskFull(cause))
      throw new ToolError(
        "unavailable",
        `There is no space left on the disk of ${directory}. Nothing was restored. Free some space, then run the same restore again.`,
        { cause },
      );
    throw new ToolError("invalid_input", "The backup is damaged. Nothing was restored.", { cause });
  }
  const missing = neededNames.filter((name) => !names.has(name));
  if (made !== undefined && missing.length === 0) return made;
  throw new ToolError("invalid_input", `The backup has no ${missing.join(", ")}.`);
}

/** Returns when a backup was made, from its first file. */
async function madeBy(name: string, content: ReadableStream<Uint8Array>): Promise<{ at: string }> {
  const text = await new Response(content).text();
  const parsed = name === manifestName ? manifest.safeParse(JSON.parse(text)) : undefined;
  if (parsed?.data === undefined)
    throw new ToolError("invalid_input", "The file is not a backup of Countersign.");
  if (parsed.data.format <= format) return { at: parsed.data.at };
  throw new ToolError(
    "not_configured",
    `The backup was made by Countersign ${parsed.data.version}, which is newer than this program. Install that version.`,
  );
}

/** Opens a file for writing, which is durable when the stream closes. */
function fileAt(path: string): WritableStream<Uint8Array> {
  const file = createWriteStream(path, { mode: 0o600, flush: true });
  return Writable.toWeb(file) as WritableStream<Uint8Array>;
}

function contentOf(path: string): ReadableStream<Uint8Array> {
  // Node has two types for one class, its own and the global one.
  return Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
}
