import { randomUUID } from "node:crypto";
import type { DueSummary, SummaryQueue } from "../../../ports/mail/summary-queue.ts";
import { type Database, databaseClock as now, leaseExpired, passed } from "../driver/database.ts";
import { type Row, type SqlValue, type Statement } from "../driver/statement.ts";
import {
  attachmentTextsColumn,
  attachmentTextsOf,
  dateOf,
  numberOf,
  senderColumns,
  senderOf,
  storedTextOf,
  textOf,
} from "./mail-row.ts";
import { packedText } from "./packed-text.ts";
import { indexWords, wordsEntered } from "../search/search-text.ts";

/** Longer than any pause between attempts. Milliseconds. */
const longestPauseMs = 24 * 3_600_000;

const due = `${passed("due_at", longestPauseMs)} AND (lease_until IS NULL OR ${leaseExpired("lease_until")})`;

/** The row in the queue under our claim. Arguments: the message's id and the claim. */
const ours = "mail_id = (SELECT mail_id FROM mail WHERE email_id = ?) AND claim = ?";

/** The message of that row. The same arguments. */
const held = `email_id = ? AND EXISTS (SELECT 1 FROM mail_summaries s WHERE s.mail_id = mail.mail_id AND s.claim = ?)`;

const free = "claim = NULL, lease_until = NULL";

/** Creates the queue of messages for model summaries in libSQL. */
export function createSummaryQueue(database: Database): SummaryQueue {
  return {
    claim: async ({ limit, leaseMs }) => {
      // A read takes no lock, and usually no message is due.
      const some = await database.read({
        sql: `SELECT 1 FROM mail_summaries WHERE ${due} LIMIT 1`,
        args: [],
      });
      if (some.rows.length === 0) return [];
      const [claimed] = await database.write([
        {
          sql: `UPDATE mail_summaries SET claim = ? || mail_id, lease_until = ${now} + ?, attempts = attempts + 1
            WHERE mail_id IN (SELECT mail_id FROM mail_summaries WHERE ${due} ORDER BY mail_id DESC LIMIT ?) RETURNING mail_id`,
          args: [`${randomUUID()}/`, leaseMs, limit],
        },
      ]);
      const ids = (claimed?.rows ?? []).map((row) => numberOf(row, "mail_id") ?? 0);
      const { rows } = await database.read({
        sql: `SELECT mail.*, s.claim AS summary_claim, s.attempts AS summary_attempts, ${senderColumns}, ${attachmentTextsColumn}
          FROM mail_summaries s JOIN mail USING (mail_id) WHERE mail_id IN (SELECT value FROM json_each(?))`,
        args: [JSON.stringify(ids)],
      });
      return rows.map(dueSummary);
    },
    takeCall: async (most) => {
      const [taken] = await database.write([
        {
          sql: `INSERT INTO daily_counts (name, day, count) VALUES ('summaries', date('now'), 1)
            ON CONFLICT (name) DO UPDATE SET count = iif(day = excluded.day, count + 1, 1), day = excluded.day
            WHERE day <> excluded.day OR count < ? RETURNING count`,
          args: [most],
        },
      ]);
      return (taken?.rows.length ?? 0) > 0;
    },
    replace: async ({ emailId, claim, ...mail }, summary, texts) => {
      const { subject, sender: from } = mail;
      const words = await indexWords({
        subject,
        from,
        summary: { text: summary, source: "model" },
        ...texts,
      });
      const ifHeld = (sql: string, ...args: SqlValue[]): Statement => ({
        sql,
        args: [...args, emailId, claim],
      });
      const results = await database.write([
        ifHeld(
          `UPDATE mail SET summary = ?, summary_source = 'model' WHERE ${held}`,
          packedText(summary),
        ),
        ifHeld(
          `DELETE FROM mail_words WHERE rowid = (SELECT search_id FROM mail WHERE search_id IS NOT NULL AND ${held})`,
        ),
        ifHeld(`${wordsEntered} WHERE search_id IS NOT NULL AND ${held}`, ...words),
        {
          sql: `DELETE FROM mail_summaries WHERE ${ours} RETURNING mail_id`,
          args: [emailId, claim],
        },
      ]);
      return (results.at(-1)?.rows.length ?? 0) > 0;
    },
    putBack: async ({ emailId, claim }, { attempts, afterMs, reason }) => {
      await database.write([
        {
          sql: `UPDATE mail_summaries SET attempts = ?, due_at = ${now} + ?, failure = ?, ${free} WHERE ${ours}`,
          args: [attempts, afterMs, reason, emailId, claim],
        },
      ]);
    },
    giveUp: async ({ emailId, claim }, reason) => {
      await database.write([
        {
          sql: `UPDATE mail_summaries SET due_at = NULL, failure = ?, ${free} WHERE ${ours}`,
          args: [reason, emailId, claim],
        },
      ]);
    },
  };
}

function dueSummary(row: Row): DueSummary {
  const sender = senderOf(row);
  return {
    emailId: textOf(row, "email_id") ?? "",
    claim: textOf(row, "summary_claim") ?? "",
    attempts: numberOf(row, "summary_attempts") ?? 0,
    sender,
    subject: textOf(row, "subject") ?? "",
    date: dateOf(row, "date") ?? dateOf(row, "received_at") ?? new Date(0),
    text: storedTextOf(row) ?? { sha256: "", bytes: 0 },
    attachmentTexts: attachmentTextsOf(row),
  };
}
