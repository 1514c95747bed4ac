import {
  accessSync,
  chmodSync,
  constants,
  type Dirent,
  readdirSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import { platform } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Config } from "../../config.ts";
import { inShell } from "../../core/shared/text/shell-word.ts";
import { mcpClients } from "../../setup/clients/table.ts";
import { oldSnapshots } from "../backup/snapshot.ts";
import { filesOf, leftClientDrafts, thisMachine } from "../platform/client-files.ts";
import { isSharedByMistake } from "../platform/data-directory.ts";
import { userName } from "../platform/this-user.ts";
import { draftEnding, isLeftDraft, leftDrafts } from "../platform/write-file.ts";
import { managerHere } from "../service/supervisor.ts";

/** A fault of a file that a command repairs. */
export interface FileFinding {
  path: string;
  problem: string;
  /** The command, for a POSIX shell. */
  mend: string;
  /** False if the file only uses space. */
  isDangerous: boolean;
  /** Undefined if this user cannot repair it. */
  fix?: () => void;
}

const othersBits = 0o077;
const hourMs = 3_600_000;

/** Files that must be private to this user. */
const ours = /^(?:\.env|install\.key|http-token\.sha256|(?:countersign|objects)\.db(?:-\w+)?)$/;
/** Files and directories that this program also writes. */
const alsoOurs = /^(?:(?:servers|reviewed-tools|server-[a-z-]+)\.json|audit|servers|ingest\.log)$/;
/** Drafts that a killed process left behind. */
const draft = new RegExp(`${draftEnding}$`);
/** Redirects a browser to an approval page, for one minute. */
const redirect = /^approvals\.html$/;

/** Finds permissions that are too wide and leftover files. Changes nothing. */
export function fileFindings(dataDir: string, envFile: string): readonly FileFinding[] {
  const now = Date.now();
  const entries = readEntries(dataDir);
  const at = (name: string): string => join(dataDir, name);
  const guarded = entries.filter((name) => ours.test(name)).map(at);
  const others = entries.filter((name) => alsoOurs.test(name)).map(at);
  const isElsewhere = dirname(envFile) !== dataDir && exists(envFile);
  const wide = [
    ...(isOwnDirectory(dataDir) ? [dataDir] : []),
    ...guarded,
    ...(isElsewhere ? [envFile] : []),
  ].flatMap((path) => [...foreignFile(path), ...(closedFile(path) ?? tooWide(path))]);
  const stale = entries
    .filter((name) => draft.test(name) || redirect.test(name))
    .map((name) => join(dataDir, name))
    .filter((path) =>
      draft.test(path)
        ? isLeftDraft(path)
        : now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > hourMs,
    )
    .map((path) => ({
      path,
      problem: "is left over",
      mend: `rm ${inShell(path)}`,
      isDangerous: false,
      fix: () => rmSync(path, { force: true }),
    }));
  const snapshots = (entries.length > 0 ? oldSnapshots(dataDir) : []).map((path) => ({
    path,
    problem: "is left over from a killed backup, and contains a copy of everything that is stored",
    mend: `rm -r ${inShell(path)}`,
    isDangerous: false,
    fix: () => rmSync(path, { recursive: true, force: true }),
  }));
  const foreign = draftsElsewhere(isElsewhere ? [envFile] : []).map((path) => ({
    path,
    problem: "is left over from a killed command, and may contain secrets of the file beside it",
    mend: `rm ${inShell(path)}`,
    isDangerous: false,
    fix: () => rmSync(path, { force: true }),
  }));
  return [...wide, ...others.flatMap(foreignFile), ...stale, ...snapshots, ...foreign];
}

/** Returns the drafts that killed commands left beside files outside the data directory. */
function draftsElsewhere(files: readonly string[]): readonly string[] {
  const machine = thisMachine();
  const ofClients = mcpClients
    .flatMap((client) => filesOf(client, machine))
    .flatMap(({ file }) => leftClientDrafts(file));
  const service = managerHere();
  const others = [...files, ...(service === undefined ? [] : [service.file])];
  return [...new Set([...ofClients, ...others.flatMap((file) => leftDrafts(file))])];
}

/** Finds a file of another user: a command that ran as root left it, and this user cannot use it. */
function foreignFile(path: string): FileFinding[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !isOfOther(stat)) return [];
  const mend = `sudo chown ${inShell(userName())} ${inShell(path)}`;
  return [{ path, problem: "belongs to another user", mend, isDangerous: true }];
}

/** Files that this program only reads. */
const onlyRead = /^(?:\.env|install\.key|http-token\.sha256)$/;

/** Finds an own file that this user cannot use. Undefined if there is no such fault, or the file is another user's. */
function closedFile(path: string): FileFinding[] | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || isOfOther(stat)) return undefined;
  const isReadable = canAccess(path, constants.R_OK);
  const isWell = isReadable && (onlyRead.test(basename(path)) || canAccess(path, constants.W_OK));
  if (isWell) return undefined;
  const mode = stat.isDirectory() ? 0o700 : 0o600;
  return [
    {
      path,
      problem: `cannot be ${isReadable ? "written" : "read"} by you (${(stat.mode & 0o777).toString(8)})`,
      mend: `chmod ${mode.toString(8)} ${inShell(path)}`,
      isDangerous: true,
      fix: () => chmodSync(path, mode),
    },
  ];
}

function canAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Finds a file that other users can open. Windows has no such bits. There the rules of the profile directory apply. */
function tooWide(path: string): FileFinding[] {
  const stat = platform() === "win32" ? undefined : statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || (stat.mode & othersBits) === 0) return [];
  const isFolder = stat.isDirectory();
  const mode = isFolder ? 0o700 : 0o600;
  return [
    {
      path,
      problem: `is open to other users (${(stat.mode & 0o777).toString(8)})`,
      mend: `${isOfOther(stat) ? "sudo " : ""}chmod ${mode.toString(8)} ${inShell(path)}`,
      isDangerous: true,
      ...(!isOfOther(stat) && { fix: () => chmodSync(path, mode) }),
    },
  ];
}

/** Returns whether a file belongs to another user, and this one is not root. */
function isOfOther({ uid }: Stats): boolean {
  const own = process.getuid?.();
  return own !== undefined && own !== 0 && uid !== own;
}

/** Describes the sizes of database, objects and data directory, as far as they are files. */
export function formatSizes({ dataDir, database, s3 }: Config): string {
  const ofDatabase =
    database.kind === "file"
      ? `database ${megabytes(bytesOfDatabase(database.path))}`
      : "database on a server";
  const ofObjects =
    s3 === undefined
      ? `embedded objects ${megabytes(bytesOfDatabase(join(dataDir, "objects.db")))}`
      : "objects in a bucket";
  return `${ofDatabase}, ${ofObjects}, data directory ${megabytes(bytesBelow(dataDir))} (${dataDir})`;
}

const bytesOfDatabase = (path: string): number =>
  ["", "-wal", "-shm"].reduce((sum, suffix) => sum + bytesOf(path + suffix), 0);

function bytesOf(path: string): number {
  try {
    const stat = statSync(path);
    return stat.isFile() ? stat.size : 0;
  } catch {
    return 0;
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** Returns the bytes of all files below a directory that this user can read. `lost+found` of a disk belongs to root. */
function bytesBelow(dir: string): number {
  return entriesIn(dir).reduce((sum, entry) => {
    const path = join(dir, entry.name);
    return sum + (entry.isDirectory() ? bytesBelow(path) : bytesOf(path));
  }, 0);
}

function entriesIn(dir: string): readonly Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}

/**
 * Returns false if the settings name a file, perhaps of the system, or a directory of other programs or users. The
 * settings are read next, and their fault is reported then.
 */
function isOwnDirectory(dir: string): boolean {
  try {
    const stat = statSync(dir);
    return stat.isDirectory() && !isOfOther(stat) && !isSharedByMistake(dir);
  } catch {
    return false;
  }
}

function readEntries(dir: string): readonly string[] {
  return isOwnDirectory(dir) ? entriesIn(dir).map(({ name }) => name) : [];
}
