import { rawKey } from "../../../ports/mail/mail-objects.ts";
import type { MailAdmin } from "../../../ports/mail/mail-admin.ts";
import { type Database } from "../driver/database.ts";

/** Select those of the hashes `?1` that rows need. No index has these columns, so each reads its tables once. */
const wanted = "(SELECT value FROM json_each(?1))";
const needsOfRaw = ["mail", "mail_receipts"]
  .map(
    (table) => `SELECT lower(hex(raw_sha256)) AS hash FROM ${table}
      WHERE raw_sha256 IN (SELECT unhex(value) FROM json_each(?1))`,
  )
  .join(" UNION ");
const needsOfParts = `SELECT text_sha256 AS hash FROM mail WHERE text_sha256 IN ${wanted}
  UNION SELECT text_sha256 FROM mail_attachments WHERE text_sha256 IN ${wanted}
  UNION SELECT sha256 FROM mail_attachments WHERE sha256 IN ${wanted}`;

const hashIn = (key: string): string => key.slice(key.lastIndexOf("/") + 1);

/** Finds out which objects mail needs. */
export function createMailNeeds(database: Database): Pick<MailAdmin, "neededObjects" | "needsRaw"> {
  async function hashesIn(sql: string, keys: readonly string[]): Promise<string[]> {
    if (keys.length === 0) return [];
    const { rows } = await database.read({ sql, args: [JSON.stringify(keys.map(hashIn))] });
    return rows.map(({ hash }) => String(hash));
  }

  return {
    neededObjects: async (keys) => {
      const ofRaw = keys.filter((key) => key.startsWith(rawKey("")));
      const others = keys.filter((key) => !key.startsWith(rawKey("")));
      const found = await Promise.all([
        hashesIn(needsOfRaw, ofRaw),
        hashesIn(needsOfParts, others),
      ]);
      const hashes = new Set(found.flat());
      return new Set(keys.filter((key) => hashes.has(hashIn(key))));
    },
    needsRaw: async (key, emailId) => {
      const { rows } = await database.read({
        sql: `SELECT 1 FROM mail WHERE email_id = ?1 AND raw_sha256 = unhex(?2)
          UNION ALL SELECT 1 FROM mail_receipts WHERE email_id = ?1 AND raw_sha256 = unhex(?2) LIMIT 1`,
        args: [emailId, hashIn(key)],
      });
      return rows.length > 0;
    },
  };
}
