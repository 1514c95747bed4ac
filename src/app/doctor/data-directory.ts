import { chmodSync, readdirSync, rmSync, statSync } from "node:fs";
import { platform } from "node:os";
import { dirname, join } from "node:path";
import type { Config } from "../../config.ts";
import { mcpClients } from "../../setup/clients/table.ts";
import { oldSnapshots } from "../backup/snapshot.ts";
import { filesOf, leftClientDrafts, thisMachine } from "../platform/client-files.ts";
import { inShell } from "../platform/own-command.ts";
import { isHomeByMistake } from "../platform/settings.ts";
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
  fix: () => void;
}

const othersBits = 0o077;
const hourMs = 3_600_000;

/** Files that must be private to this user. */
const ours = /^(?:\.env|install\.key|http-token\.sha256|(?:countersign|objects)\.db(?:-\w+)?)$/;
/** Drafts that a killed process left behind. */
const draft = new RegExp(`${draftEnding}$`);
/** Redirects a browser to an approval page, for one minute. */
const redirect = /^approvals\.html$/;

/** Finds permissions that are too wide and leftover files. Changes nothing. */
export function fileFindings(dataDir: string, envFile: string): readonly FileFinding[] {
  const now = Date.now();
  const entries = readEntries(dataDir);
  const guarded = entries.filter((name) => ours.test(name)).map((name) => join(dataDir, name));
  const isElsewhere = dirname(envFile) !== dataDir && exists(envFile);
  const wide = [
    ...(isOwnDirectory(dataDir) ? [dataDir] : []),
    ...guarded,
    ...(isElsewhere ? [envFile] : []),
  ].flatMap(tooWide);
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
  return [...wide, ...stale, ...snapshots, ...foreign];
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

function tooWide(path: string): FileFinding[] {
  // Windows has no such bits. There the rules of the profile directory apply.
  const stat = platform() === "win32" ? undefined : statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || (stat.mode & othersBits) === 0) return [];
  const mode = stat.isDirectory() ? 0o700 : 0o600;
  return [
    {
      path,
      problem: `is open to other users (${(stat.mode & 0o777).toString(8)})`,
      mend: `chmod ${mode.toString(8)} ${inShell(path)}`,
      isDangerous: true,
      fix: () => chmodSync(path, mode),
    },
  ];
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
  const files = readdirSync(dataDir, { recursive: true, encoding: "utf8" });
  const all = files.reduce((sum, name) => sum + bytesOf(join(dataDir, name)), 0);
  return `${ofDatabase}, ${ofObjects}, data directory ${megabytes(all)} (${dataDir})`;
}

const bytesOfDatabase = (path: string): number =>
  ["", "-wal", "-shm"].reduce((sum, suffix) => sum + bytesOf(path + suffix), 0);

function bytesOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true ? stat.size : 0;
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/**
 * Returns false if the settings name a file, perhaps of the system, or the home directory. The settings are read next,
 * and their fault is reported then.
 */
function isOwnDirectory(dir: string): boolean {
  return statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true && !isHomeByMistake(dir);
}

function readEntries(dir: string): readonly string[] {
  return isOwnDirectory(dir) ? readdirSync(dir) : [];
}
