import { join } from "node:path";
import { arch, platform, release } from "node:os";
import type { Config } from "../../config.ts";
import { databaseClock } from "../../adapters/libsql/driver/database.ts";
import { leaseHolder } from "../../adapters/libsql/driver/leases.ts";
import { leaderRole } from "../../ports/leases.ts";
import type { CheckedStores } from "../compose/connections.ts";
import { recordingDirectory } from "../compose/open/open-stores.ts";
import { objectsName } from "../backup/backup-format.ts";
import {
  examineAllMail,
  examineFiles,
  examineSomeMail,
  formatKeys,
} from "../mail/missing-objects.ts";
import { diskSpace } from "../mail/room-for-mail.ts";
import { cleanupWaitsUntil } from "../leader/mail-cleanup.ts";
import { openerProblem } from "../page/open-browser.ts";
import { formatSize } from "../../core/shared/text/format.ts";
import { inShell } from "../../core/shared/text/shell-word.ts";
import type { InstallKeys } from "../platform/install-secret.ts";
import { unreadableMarks } from "../platform/recording-files.ts";
import type { SettingsPlace } from "../platform/settings.ts";
import { version } from "../platform/version.ts";
import { formatSizes } from "./data-directory.ts";
import { mendOfSetting } from "./mend-setting.ts";

/** One line about this installation. It is a fault only if it names a problem. */
export interface Fact {
  name: string;
  summary: string;
  problem?: string;
  mend?: string;
}

/** From this difference on, signatures, sign-in codes and OAuth fail. Milliseconds. */
const mostSkewMs = 60_000;
const answerWithinMs = 5_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Collects leader, sizes, versions and clock. A fact that is not available is reported as such in its line. */
export async function factsOf(
  config: Config,
  stores: CheckedStores,
  place: SettingsPlace,
): Promise<readonly Fact[]> {
  const { database } = stores;
  const problem = openerProblem(config.approvals.open);
  const answered = async (name: string, ask: () => Promise<Fact>): Promise<Fact> =>
    await ask().catch(() => ({ name, summary: "not known, because the database does not answer" }));
  return [
    await answered("leader", async () => {
      const holder = await leaseHolder(database, leaderRole);
      return {
        name: "leader",
        summary:
          holder === undefined
            ? "none, so no process fetches mail or cleans up"
            : `${processOf(holder)}, which fetches mail and cleans up`,
      };
    }),
    await answered("mail", () => mailOf(config, stores)),
    ...(await contentOfMail(config, stores)),
    ...(await contentOfFiles(config, stores)),
    { name: "sizes", summary: formatSizes(config) },
    ...(await fullDisk(config)),
    await answered("versions", async () => {
      const { rows } = await database.read({ sql: "SELECT sqlite_version() AS v", args: [] });
      return { name: "versions", summary: formatVersions(String(rows[0]?.["v"] ?? "unknown")) };
    }),
    await answered("clock", () => clockOf(config, stores)),
    ...(problem === undefined
      ? []
      : [
          {
            name: "approval page",
            summary: "",
            problem,
            mend: mendOfSetting("APPROVAL_OPEN", place),
          },
        ]),
    ...(stores.keyed === undefined ? [] : unreadableRecords(config, stores.keyed.keys)),
  ];
}

/** Lists versions in one line. That of SQLite is known if a database answered. */
export function formatVersions(sqlite?: string): string {
  const system = `${platform()} ${release()} ${arch()}`;
  const database = sqlite === undefined ? "" : `SQLite ${sqlite}, `;
  return `countersign ${version()}, node ${process.versions.node}, ${database}${system}`;
}

/** Lists marks of killed processes that cannot be read: see `recording-files.ts`. */
function unreadableRecords(
  { database, flowHours }: Config,
  { flow }: InstallKeys,
): readonly Fact[] {
  if (database.kind !== "file") return [];
  const found = unreadableMarks(recordingDirectory(database.path), {
    key: flow,
    lastsMs: flowHours * hourMs,
  });
  return found.map(({ path, until }) => ({
    name: "private content",
    summary: "",
    problem: `A result was not recorded, and the file with its content cannot be read. Until ${until.toISOString()}, everything that the caller of that result sends needs approval. To end this, delete the file. The content of that result can then be sent without approval.`,
    mend: `rm ${inShell(path)}`,
  }));
}

/** Counts the mail, and the part of it that is due for deletion. */
async function mailOf(
  { ingest: { keepDays } }: Config,
  { database }: CheckedStores,
): Promise<Fact> {
  const since = keepDays === undefined ? 0 : Date.now() - keepDays * dayMs;
  const { rows } = await database.read({
    sql: `SELECT (SELECT count(*) FROM mail) AS messages, (SELECT count(*) FROM mail WHERE received_at < ?
      AND NOT EXISTS (SELECT 1 FROM mail_receipts r WHERE r.email_id = mail.email_id AND r.received_at >= ?)) AS old`,
    args: [since, since],
  });
  const messages = Number(rows[0]?.["messages"] ?? 0);
  const kept =
    keepDays === undefined ? "without a time limit" : `for ${keepDays} days after the last receipt`;
  const old = Number(rows[0]?.["old"] ?? 0);
  const waitsUntil =
    keepDays === undefined ? undefined : await cleanupWaitsUntil(database, keepDays);
  const when =
    waitsUntil === undefined
      ? "the leader deletes them within an hour"
      : `because the clock jumped, they are kept until ${waitsUntil.toISOString()}. Check the clock`;
  const due = old === 0 ? "" : `; ${old} of them are older, and ${when}`;
  return { name: "mail", summary: `${messages} messages, kept ${kept}${due}` };
}

/** Reports a disk on which no mail is stored any more. */
async function fullDisk({ dataDir, database }: Config): Promise<readonly Fact[]> {
  const space = await diskSpace(dataDir);
  if (space === undefined || database.kind !== "file" || space.free > space.spared) return [];
  const [free, spared] = [formatSize(space.free), formatSize(space.spared)];
  const problem = `The disk of ${dataDir} has ${free} left. Mail is not accepted until more than ${spared} are free. Free some space.`;
  return [{ name: "disk", summary: "", problem }];
}

/** Messages that are looked for in a bucket. Listing a large one takes minutes. */
const mostExamined = 32;

/** Looks for the content of messages in the object store. */
async function contentOfMail(
  { s3, dataDir }: Config,
  { database, objects }: CheckedStores,
): Promise<readonly Fact[]> {
  const found = await (
    s3 === undefined
      ? examineAllMail(database, objects)
      : examineSomeMail(database, objects, mostExamined)
  ).catch(() => undefined);
  // A store that does not answer has a line of its own.
  if (found === undefined || found.missing.length === 0) return [];
  const { messages, missing } = found;
  const place = s3 === undefined ? join(dataDir, objectsName) : `the bucket ${s3.bucket}`;
  const sample = s3 === undefined ? "" : " of a sample";
  const problem = `${place} lacks the content of ${missing.length} of ${messages} messages${sample}, which cannot be read. Put back its objects, or restore a backup into an empty directory.`;
  return [{ name: "content of mail", summary: "", problem }];
}

/** Looks for the files that the database knows. In a bucket, other programs may delete files. */
async function contentOfFiles(
  { s3, dataDir }: Config,
  { database, objects }: CheckedStores,
): Promise<readonly Fact[]> {
  if (s3 !== undefined) return [];
  const found = await examineFiles(database, objects).catch(() => undefined);
  if (found === undefined || found.missing.length === 0) return [];
  const { known, missing } = found;
  const problem = `${join(dataDir, objectsName)} lacks ${missing.length} of ${known} files that were changed lately or are in the search index: ${formatKeys(missing)}. Put back its objects, or restore a backup into an empty directory.`;
  return [{ name: "content of files", summary: "", problem }];
}

/** Returns a lease's holder in words. */
export const processOf = (holder: string): string =>
  holder.replace(/^(\S+) (\d+) .*$/, "process $2 on $1");

/**
 * Compares this clock with those of the database and of one configured server. Reports the larger difference. Without a
 * server, only the stored records show that the clock is slow.
 */
async function clockOf(config: Config, { database }: CheckedStores): Promise<Fact> {
  const before = Date.now();
  const { rows } = await database.read({
    sql: `SELECT ${databaseClock} AS now, max(coalesce((SELECT max(at) FROM audit), 0),
      coalesce((SELECT max(received_at) FROM mail WHERE search_id IS NOT NULL), 0)) AS newest`,
    args: [],
  });
  const here = (before + Date.now()) / 2;
  const skews = [Number(rows[0]?.["now"]) - here];
  const url = config.s3?.endpoint ?? config.calendar?.url;
  const there = url === undefined ? undefined : await skewAt(url);
  if (there !== undefined) skews.push(there);
  const most = skews.toSorted((a, b) => Math.abs(b) - Math.abs(a))[0] ?? 0;
  const seconds = Math.round(Math.abs(most) / 1_000);
  const whom = there === undefined ? "the database" : "the database and the configured server";
  const isAlone = there === undefined && config.database.kind === "file";
  const why =
    url === undefined ? "no server is configured" : `${new URL(url).host} did not say its time`;
  const summary = isAlone
    ? `${new Date(here).toISOString()}, not compared, because ${why}`
    : `within ${seconds} seconds of ${whom}`;
  const mend =
    platform() === "darwin" ? "sudo sntp -sS time.apple.com" : "sudo timedatectl set-ntp true";
  const newest = Number(rows[0]?.["newest"]);
  if (Math.abs(most) > mostSkewMs) {
    const problem = `The clock of this machine is ${seconds} seconds ${most > 0 ? "slow" : "fast"}. Signatures and sign-ins will fail.`;
    return { name: "clock", summary, problem, mend };
  }
  if (isAlone && newest - here > mostSkewMs) {
    const problem = `The clock of this machine says ${new Date(here).toISOString()}, and the newest record is of ${new Date(newest).toISOString()}. The clock is slow now, or it was fast when that record was written.`;
    return { name: "clock", summary, problem, mend };
  }
  return { name: "clock", summary };
}

/**
 * Reads a server's `Date` header, which has whole seconds (RFC 9110 section 6.6.1). Undefined if the server sends none.
 */
async function skewAt(url: string): Promise<number | undefined> {
  const before = Date.now();
  try {
    const signal = AbortSignal.timeout(answerWithinMs);
    const { headers } = await fetch(url, { method: "HEAD", redirect: "manual", signal });
    const there = Date.parse(headers.get("date") ?? "");
    return Number.isNaN(there) ? undefined : there + 500 - (before + Date.now()) / 2;
  } catch {
    return undefined;
  }
}
