import type { MailNotices } from "../../../ports/mail/mail-notices.ts";
import { type Database, databaseClock as now } from "../driver/database.ts";
import { type Row } from "../driver/statement.ts";
import {
  forwarderOf,
  isImported,
  numberOf,
  senderColumns,
  senderOf,
  summaryOf,
  textOf,
} from "./mail-row.ts";

/** Limit on mails per notice. The others wait for the next notice. */
const most = 10_000;

/** How long a mail waits for its model summary. Milliseconds. */
const summaryWithinMs = 60_000;

const due = `notice = 'due' AND (received_at <= ${now} - ${summaryWithinMs}
  OR NOT EXISTS (SELECT 1 FROM mail_summaries s WHERE s.mail_id = mail.mail_id AND s.due_at IS NOT NULL))`;

const isNew = `search_id IS NOT NULL AND received_at >= ?1
  AND (coalesce(date, received_at) >= ?1 OR NOT ${isImported})`;

/** Creates the list of mail for notices in libSQL. */
export function createMailNotices(database: Database): MailNotices {
  return {
    waiting: async () => {
      const { rows } = await database.read({
        sql: `SELECT (SELECT count(*) FROM (SELECT 1 FROM mail WHERE ${due} LIMIT ${most})) AS mails,
          (SELECT count(*) FROM (SELECT 1 FROM mail_quarantine WHERE notified = 0 LIMIT ${most})) AS quarantined`,
        args: [],
      });
      const count = (column: string): number => (rows[0] && numberOf(rows[0], column)) ?? 0;
      return { mails: count("mails"), quarantined: count("quarantined") };
    },
    take: async (newest) => {
      const [shown, taken, quarantined] = await database.write([
        {
          sql: `SELECT *, ${senderColumns} FROM mail WHERE ${due} AND NOT ${isImported} ORDER BY mail_id DESC LIMIT ?`,
          args: [newest],
        },
        {
          // Newest first, so that the mails that are shown are among them.
          sql: `UPDATE mail SET notice = 'sent' WHERE mail_id IN (
              SELECT mail_id FROM mail WHERE ${due} ORDER BY mail_id DESC LIMIT ${most})
            RETURNING mail_id, ${isImported} AS imported`,
          args: [],
        },
        {
          sql: "UPDATE mail_quarantine SET notified = 1 WHERE notified = 0 RETURNING quarantine_id",
          args: [],
        },
      ]);
      const mails = taken?.rows ?? [];
      const imported = mails.filter((row) => row["imported"] === 1).length;
      const quarantineIds = idsOf(quarantined?.rows ?? [], "quarantine_id");
      return {
        newest: (shown?.rows ?? []).map(noticeOf),
        arrived: mails.length - imported,
        imported,
        quarantined: quarantineIds.length,
        taken: { mailIds: idsOf(mails, "mail_id"), quarantineIds },
      };
    },
    arrivedSince: async (since, newest) => {
      const at = since.getTime();
      const [shown, counted] = await Promise.all([
        database.read({
          sql: `SELECT *, ${senderColumns} FROM mail WHERE ${isNew} ORDER BY mail_id DESC LIMIT ?2`,
          args: [at, newest],
        }),
        database.read({ sql: `SELECT count(*) AS total FROM mail WHERE ${isNew}`, args: [at] }),
      ]);
      const [row] = counted.rows;
      return {
        newest: shown.rows.map(noticeOf),
        total: (row && numberOf(row, "total")) ?? 0,
      };
    },
    release: async ({ mailIds, quarantineIds }) => {
      await database.write([
        {
          sql: "UPDATE mail SET notice = 'due' WHERE mail_id IN (SELECT value FROM json_each(?))",
          args: [JSON.stringify(mailIds)],
        },
        {
          sql: "UPDATE mail_quarantine SET notified = 0 WHERE quarantine_id IN (SELECT value FROM json_each(?))",
          args: [JSON.stringify(quarantineIds)],
        },
      ]);
    },
  };
}

function idsOf(rows: readonly Row[], column: string): number[] {
  return rows.flatMap((row) => numberOf(row, column) ?? []);
}

function noticeOf(row: Row) {
  const forwardedBy = forwarderOf(row);
  return {
    from: senderOf(row),
    ...(forwardedBy !== undefined && { forwardedBy }),
    subject: textOf(row, "subject") ?? "",
    summary: summaryOf(row)?.text ?? "",
  };
}
