import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { platform } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { FileTexts } from "../../setup/clients/change.ts";
import type { Machine, McpClient } from "../../setup/clients/client.ts";
import { environmentForOthers } from "./settings.ts";
import { isMissing, systemCode } from "./safe-file.ts";
import { homeDirectory } from "./this-user.ts";
import { draftOf, leftDrafts } from "./write-file.ts";

/** A client's configuration file on this machine. */
export interface ClientFile {
  client: McpClient;
  file: string;
  /** False if neither the client's directory nor its program exists. */
  isFound: boolean;
}

export function thisMachine(): Machine {
  return { system: platform(), home: homeDirectory(), env: environmentForOthers() };
}

/** Returns the files of all places where the client was found, or of its usual place if it was not found. */
export function filesOf(client: McpClient, machine: Machine): readonly ClientFile[] {
  const places = client.places(machine).map(({ files, signs }) => ({
    file: files.find((file) => existsSync(file)) ?? files[0],
    isFound: signs.some((sign) => existsSync(sign)) || files.some((file) => existsSync(file)),
  }));
  const found = places.filter(({ isFound }) => isFound);
  if (found.length > 0) return found.map((place) => ({ client, ...place }));
  const [usual] = client.id === "cline" ? places.toReversed() : places;
  const isFound = client.programs.some((program) => isInPath(program, machine));
  return usual === undefined ? [] : [{ client, file: usual.file, isFound }];
}

function isInPath(program: string, { env, system }: Machine): boolean {
  const endings = system === "win32" ? (env["PATHEXT"] ?? ".EXE;.CMD").split(";") : [""];
  const directories = (env["PATH"] ?? env["Path"] ?? "").split(delimiter);
  return directories
    .filter((directory) => directory !== "")
    .some((directory) => endings.some((ending) => isProgram(join(directory, program + ending))));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The end of the name of the copy that `servers import --move` makes before it changes a file. */
export const importSuffix = ".before-import";

/** Returns the path of the copy that `connect` makes before it changes a file. */
export function backupOf(file: string, suffix = ".before-countersign"): string {
  return `${file}${suffix}`;
}

/** Strict, because a lenient decoder would replace bytes of the file. The byte order mark is part of the text. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns the drafts that a killed command left beside a client's file. They may contain secrets of that client. */
export function leftClientDrafts(file: string): readonly string[] {
  return [...new Set([placeOf(file), file])].flatMap((path) => [
    ...leftDrafts(path),
    ...leftDrafts(backupOf(path)),
    ...leftDrafts(backupOf(path, importSuffix)),
  ]);
}

/** Returns the target of a link, or the file itself if its directory cannot be read. */
function placeOf(file: string): string {
  try {
    return targetOf(file);
  } catch {
    return file;
  }
}

/**
 * Reads a client's file and its copy.
 * @throws ToolError if a file exists and is not readable, or is not UTF-8
 */
export function readTexts(file: string): FileTexts {
  return { text: readText(file), backup: readText(backupOf(file)) };
}

function readText(file: string): string | undefined {
  try {
    const facts = statSync(file, { throwIfNoEntry: false });
    if (facts !== undefined && !facts.isFile() && !facts.isDirectory())
      throw new ToolError(
        "invalid_input",
        `${file} is not a regular file. It was not changed. Move it away, then run the command again.`,
      );
    return utf8.decode(readFileSync(file));
  } catch (error) {
    if (error instanceof ToolError) throw error;
    if (isMissing(error)) return undefined;
    if (codeOf(error) === "ERR_ENCODING_INVALID_ENCODED_DATA")
      throw new ToolError(
        "invalid_input",
        `${file} is not UTF-8 text. It was not changed. Save it as UTF-8, then run the command again.`,
        { cause: error },
      );
    if (codeOf(error) === "EISDIR")
      throw new ToolError(
        "invalid_input",
        `${file} is a directory. It was not changed. Move it away, then run the command again.`,
        { cause: error },
      );
    throw new ToolError(
      "forbidden",
      `${file} could not be read (${codeOf(error)}). It was not changed. Make it readable for you, then run the command again.`,
      { cause: error },
    );
  }
}

/**
 * Replaces a file's text atomically and keeps its permissions. A link stays a link. The old text is copied beside the
 * file. With `keepsBackup`, an existing copy is kept, because it is from before our first entry.
 * @param change.suffix the end of the copy's name, if it is not the copy of `connect`
 * @throws ToolError if the file has changed since it was read, or is read-only
 */
export function replaceText(
  file: string,
  {
    before,
    after,
    keepsBackup,
    suffix,
  }: { before: string | undefined; after: string; keepsBackup: boolean; suffix?: string },
): void {
  if (readText(file) !== before)
    throw new ToolError("conflict", `${file} has changed since it was read. Nothing was written.`);
  const place = targetOf(file);
  refuseReadOnly(file, place);
  const backup = backupOf(file, suffix);
  const isNew = !existsSync(backup);
  try {
    mkdirSync(dirname(place), { recursive: true });
    if (before !== undefined && (isNew || !keepsBackup)) write(backup, before, place);
    write(place, after, place);
  } catch (error) {
    if (isNew) rmSync(backup, { force: true });
    throw notWritten(file, error);
  }
}

/** Restores the text from the copy and deletes the copy. Deletes a file that `connect` created. */
export function restoreText(file: string, { text, backup }: FileTexts): void {
  if (readText(file) !== text)
    throw new ToolError("conflict", `${file} has changed since it was read. Nothing was written.`);
  const place = targetOf(file);
  refuseReadOnly(file, place);
  try {
    if (backup === undefined) rmSync(place);
    else write(place, backup, place);
    rmSync(backupOf(file), { force: true });
  } catch (error) {
    throw notWritten(file, error);
  }
}

/** Deletes a copy with the text of the file: an undo was killed after it had restored the file. */
export function removeEqualBackup(file: string, { text, backup }: FileTexts): void {
  if (text !== undefined && text === backup) rmSync(backupOf(file), { force: true });
}

/**
 * Refuses a read-only file, because a rename would replace it against the person's decision. The mode also binds root,
 * who could write the file.
 * @throws ToolError
 */
function refuseReadOnly(file: string, place: string): void {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined || ((found.mode & 0o222) !== 0 && isWritable(place))) return;
  throw new ToolError(
    "forbidden",
    `${file} is read-only. It was not changed. Make it writable for you, then run the command again.`,
  );
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function notWritten(file: string, cause: unknown): ToolError {
  return new ToolError(
    "forbidden",
    `${file} could not be written (${codeOf(cause)}). It was not changed. Check its permissions and the free space, then run the command again.`,
    { cause },
  );
}

const codeOf = (error: unknown): string => systemCode(error) ?? "unknown error";

/**
 * Writes a draft and renames it, so that readers see the old text or the new one.
 * @param like the file whose permissions it gets
 */
function write(path: string, text: string, like: string): void {
  const known = statSync(like, { throwIfNoEntry: false });
  const draft = draftOf(path);
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx", flush: true });
    if (known !== undefined && platform() !== "win32") {
      if (known.uid !== process.getuid?.()) chownSync(draft, known.uid, known.gid);
      chmodSync(draft, known.mode & 0o777);
    }
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Returns the target of a link, even if the target does not exist yet. */
function targetOf(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? resolve(dirname(file), readlinkSync(file)) : file;
}
