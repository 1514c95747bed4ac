import { randomId } from "../../../core/shared/digest.ts";
import type { Forgotten, MailAdmin } from "../../../ports/mail/mail-admin.ts";
import { type Database, emptyLog, leaseExpired } from "../driver/database.ts";
import type { Row } from "../driver/statement.ts";
import { mergeWords } from "../search/merged-words.ts";

/** The leftover of the full-text index. */
const ofWords = "mail_words";

/**
 * The messages of a deletion: `?1` are the given ids, `?2` marks those in `mail`, `?3` is the latest time of receipt.
 */
const given = "(SELECT value FROM json_each(?1))";
const chosen = `(SELECT email_id FROM mail WHERE email_id IN ${given} AND claim = ?2
  UNION ALL SELECT email_id FROM mail_quarantine WHERE email_id IN ${given} AND ${noneSince("mail_quarantine")})`;
const mailIds = `(SELECT mail_id FROM mail WHERE email_id IN ${given} AND claim = ?2)`;
const searchIds = `(SELECT search_id FROM mail WHERE email_id IN ${given} AND claim = ?2 AND search_id IS NOT NULL)`;

/** Returns the condition that a message of a table has no receipt since a time. */
function noneSince(table: string, time = "?3"): string {
  return `NOT EXISTS (SELECT 1 FROM mail_receipts r WHERE r.email_id = ${table}.email_id AND r.received_at >= ${time})`;
}

const asEmailId = (row: Row): string => String(row["email_id"]);

type MailDeletion = Pick<
  MailAdmin,
  "forget" | "old" | "forgetRejected" | "leftovers" | "clearLeftovers"
>;

/** Deletes the rows of messages. Their objects and index entries are leftovers, which are removed afterwards. */
export function createMailDeletion(database: Database): MailDeletion {
  async function forget(
    emailIds: readonly string[],
    before = Number.MAX_SAFE_INTEGER,
  ): Promise<Forgotten> {
    const args = [JSON.stringify(emailIds), randomId("deletion"), before];
    const one = (sql: string) => ({ sql, args: sql.includes("?3") ? args : args.slice(0, 2) });
    const [parked, held] = await database.write([
      // A message that is being processed is skipped, because its objects are still being written.
      one(`UPDATE mail SET claim = ?2, lease_until = NULL, due_at = NULL WHERE email_id IN ${given}
        AND (lease_until IS NULL OR ${leaseExpired("lease_until")}) AND received_at < ?3 AND ${noneSince("mail")} RETURNING email_id`),
      one(
        `SELECT email_id FROM mail_quarantine WHERE email_id IN ${given} AND ${noneSince("mail_quarantine")}`,
      ),
      // An object that another message needs too is kept later, when its leftover is cleared.
      one(`INSERT OR IGNORE INTO mail_leftovers (key)
        SELECT 'mail/raw/' || lower(hex(raw_sha256)) FROM mail_receipts WHERE email_id IN ${chosen} AND raw_sha256 IS NOT NULL
        UNION SELECT 'mail/raw/' || lower(hex(raw_sha256)) FROM mail WHERE email_id IN ${chosen}
        UNION SELECT 'mail/raw/' || lower(hex(raw_sha256)) FROM mail_quarantine WHERE email_id IN ${chosen}
        UNION SELECT 'mail/text/' || text_sha256 FROM mail WHERE email_id IN ${chosen} AND text_sha256 IS NOT NULL
        UNION SELECT 'mail/text/' || text_sha256 FROM mail_attachments WHERE mail_id IN ${mailIds} AND text_sha256 IS NOT NULL
        UNION SELECT 'mail/attachment/' || sha256 FROM mail_attachments WHERE mail_id IN ${mailIds}
        UNION SELECT '${ofWords}' FROM mail WHERE email_id IN ${chosen} AND search_id IS NOT NULL`),
      one(`DELETE FROM mail_words WHERE rowid IN ${searchIds}`),
      one(`DELETE FROM mail_inbox WHERE mail_id IN ${mailIds}`),
      one(`DELETE FROM mail_leads WHERE mail_id IN ${mailIds}`),
      one(`DELETE FROM mail_attachments WHERE mail_id IN ${mailIds}`),
      one(`DELETE FROM mail_summaries WHERE mail_id IN ${mailIds}`),
      one(`DELETE FROM mail_senders WHERE sender_id IN (SELECT sender_id FROM mail WHERE email_id IN ${chosen})
        AND NOT EXISTS (SELECT 1 FROM mail o WHERE o.sender_id = mail_senders.sender_id AND o.email_id NOT IN ${chosen})`),
      one(`DELETE FROM mail_recipients WHERE recipient_id IN (SELECT recipient_id FROM mail_sent_to WHERE search_id IN ${searchIds})
        AND NOT EXISTS (SELECT 1 FROM mail_sent_to o WHERE o.recipient_id = mail_recipients.recipient_id AND o.search_id NOT IN ${searchIds})`),
      one(`DELETE FROM mail_sent_to WHERE search_id IN ${searchIds}`),
      one(`DELETE FROM mail_receipts WHERE email_id IN ${chosen}`),
      one(`DELETE FROM mail_quarantine WHERE email_id IN ${chosen}`),
      one(`DELETE FROM mail WHERE email_id IN ${chosen}`),
    ]);
    const gone = new Set([...(parked?.rows ?? []), ...(held?.rows ?? [])].map(asEmailId));
    return { emailIds: [...gone] };
  }

  async function clearLeftovers(keys: readonly string[]): Promise<void> {
    // A contentless index only marks rows as deleted. Merging its segments removes the words.
    if (keys.includes(ofWords)) await mergeWords(database);
    await database.write([
      {
        sql: "DELETE FROM mail_leftovers WHERE key IN (SELECT value FROM json_each(?))",
        args: [JSON.stringify(keys)],
      },
    ]);
    if (keys.includes(ofWords)) await emptyLog(database);
  }

  return {
    forget,
    old: async (before, limit) => {
      const { rows } = await database.read({
        sql: `SELECT email_id FROM mail WHERE received_at < ?1 AND ${noneSince("mail", "?1")}
            AND (lease_until IS NULL OR ${leaseExpired("lease_until")})
          UNION ALL SELECT email_id FROM mail_quarantine WHERE received_at < ?1 AND ${noneSince("mail_quarantine", "?1")}
          LIMIT ?2`,
        args: [before, limit],
      });
      return rows.map(asEmailId);
    },
    forgetRejected: async (before) => {
      const [deleted] = await database.write([
        { sql: "DELETE FROM mail_rejections WHERE rejected_at < ? RETURNING 1", args: [before] },
      ]);
      return deleted?.rows.length ?? 0;
    },
    leftovers: async () => {
      // The index entries come last, when all rows are deleted. Messages come after their parts, whose stored form
      // refers to them.
      const { rows } = await database.read({
        sql: "SELECT key FROM mail_leftovers ORDER BY key = ?, key >= 'mail/raw/' AND key < 'mail/raw0', key",
        args: [ofWords],
      });
      return rows.map(({ key }) => String(key));
    },
    clearLeftovers,
  };
}
