import type { Database } from "../../adapters/libsql/driver/database.ts";
import type { ObjectStore } from "../../ports/files/objects.ts";
import { rawKey, textKey } from "../../ports/mail/mail-objects.ts";
import { keysWith } from "../../stores/copy-objects.ts";
import { filesPrefix } from "../../stores/files.ts";

export interface ExaminedMail {
  /** Messages that were examined. */
  messages: number;
  /** Ids of those whose bytes or text the object store does not have. */
  missing: readonly string[];
}

interface Needs {
  emailId: string;
  keys: readonly string[];
}

/** A message in `mail_inbox` has its bytes in the database. */
const needsOfMail = `SELECT email_id, lower(hex(raw_sha256)) AS raw_sha256, iif(text_at IS NULL AND text_bytes > 0, text_sha256, NULL) AS text_sha256
    FROM mail WHERE mail_id NOT IN (SELECT mail_id FROM mail_inbox)
  UNION ALL SELECT email_id, lower(hex(raw_sha256)), NULL FROM mail_quarantine`;

/**
 * Compares all messages with the keys in the object store, by listing them.
 * @param live the database in which messages may have been deleted meanwhile
 */
export async function examineAllMail(
  database: Database,
  objects: ObjectStore,
  live = database,
): Promise<ExaminedMail> {
  const needs = await needsOf(database, needsOfMail);
  const stored = new Set<string>();
  if (needs.length > 0)
    for (const prefix of [rawKey(""), textKey("")])
      for await (const { key } of keysWith(prefix, objects)) stored.add(key);
  const lacking = needs.filter(({ keys }) => keys.some((key) => !stored.has(key)));
  return { messages: needs.length, missing: await stillThere(lacking, live) };
}

/** Names of lost files in a sentence. */
const mostNamed = 5;

/** Lists the keys of lost files for a sentence. */
export function formatKeys(keys: readonly string[]): string {
  const more = keys.length - mostNamed;
  return [...keys.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

/** Asks the object store for some messages, chosen at random. Listing a large bucket takes minutes. */
export async function examineSomeMail(
  database: Database,
  objects: ObjectStore,
  most: number,
): Promise<ExaminedMail> {
  const needs = await needsOf(
    database,
    `SELECT * FROM (${needsOfMail}) ORDER BY random() LIMIT ${most}`,
  );
  const heads = await Promise.all(
    needs.map(async ({ keys }) => await Promise.all(keys.map((key) => objects.head(key)))),
  );
  const lacking = needs.filter((_, index) => heads[index]?.includes(undefined));
  return { messages: needs.length, missing: await stillThere(lacking, database) };
}

export interface ExaminedFiles {
  /** Files that the database knows. */
  known: number;
  /** Keys of those that the object store does not have. */
  missing: readonly string[];
}

/** Files that a change left, and files in the search index that no change has touched since. */
const knownFiles = `WITH newest AS (
    SELECT key, kind, state, max(rowid) FROM file_changes WHERE state <> 'dropped' GROUP BY key)
  SELECT key FROM newest WHERE kind <> 'deleted' AND state = 'made' AND key NOT LIKE 'event:%'
  UNION SELECT key FROM indexed_files WHERE key NOT IN (SELECT key FROM newest)`;

/**
 * Looks in the embedded store for the files that the database knows. In a bucket, other programs may delete files.
 * @param live the database in which files may have been deleted meanwhile
 */
export async function examineFiles(
  database: Database,
  objects: ObjectStore,
  live = database,
): Promise<ExaminedFiles> {
  const known = await keysOf(database);
  const stored = new Set<string>();
  if (known.length > 0) for await (const { key } of keysWith(filesPrefix, objects)) stored.add(key);
  const lacking = known.filter((key) => !stored.has(filesPrefix + key));
  const still = lacking.length === 0 ? [] : await keysOf(live);
  return { known: known.length, missing: lacking.filter((key) => still.includes(key)) };
}

async function keysOf(database: Database): Promise<readonly string[]> {
  const { rows } = await database.read({ sql: `${knownFiles} ORDER BY key`, args: [] });
  return rows.map((row) => String(row["key"]));
}

async function needsOf(database: Database, sql: string): Promise<readonly Needs[]> {
  const { rows } = await database.read({ sql, args: [] });
  return rows.map((row) => {
    const text = row["text_sha256"];
    const raw = rawKey(String(row["raw_sha256"]));
    const keys = text === null || text === undefined ? [raw] : [raw, textKey(String(text))];
    return { emailId: String(row["email_id"]), keys };
  });
}

/** Returns the messages that were not deleted meanwhile. */
async function stillThere(needs: readonly Needs[], database: Database): Promise<readonly string[]> {
  if (needs.length === 0) return [];
  const { rows } = await database.read({
    sql: `WITH asked AS (SELECT value AS email_id FROM json_each(?))
      SELECT email_id FROM asked WHERE email_id IN (SELECT email_id FROM mail) OR email_id IN (SELECT email_id FROM mail_quarantine)`,
    args: [JSON.stringify(needs.map(({ emailId }) => emailId))],
  });
  return rows.map((row) => String(row["email_id"]));
}
