import type {
  Arrived,
  AdminMail,
  LeftObjects,
  MailAdmin,
  QuarantinedMail,
  RefusedMail,
} from "../../../ports/mail/mail-admin.ts";
import type { MailPerson } from "../../../ports/mail/mail-reader.ts";
import type { Confirmation } from "../../../ports/mail/mail-store.ts";
import { type Database, databaseClock as now, emptyLog } from "../driver/database.ts";
import { type Row, type SqlValue } from "../driver/statement.ts";
import {
  arrivalColumn,
  authenticationOf,
  cameBy,
  dateOf,
  forwarderOf,
  hiddenOf,
  numberOf,
  senderColumns,
  senderOf,
  smtpColumn,
  summaryOf,
  textOf,
} from "./mail-row.ts";

/** Failed permanently: a step remains, and no attempt is due. */
const failed = "due_at IS NULL AND step IS NOT NULL";

/** Rejected mail, with the column names of a message. */
const refusals = `(SELECT *, refusal_id AS email_id, refused_at AS received_at, bytes AS raw_bytes FROM mail_refusals)`;

export function createMailAdmin(database: Database): MailAdmin {
  async function rowsOf(sql: string, ...args: SqlValue[]): Promise<readonly Row[]> {
    return (await database.read({ sql, args })).rows;
  }

  async function find(
    emailId: string,
  ): Promise<AdminMail | QuarantinedMail | RefusedMail | undefined> {
    const [known] = await rowsOf(
      `SELECT *, ${senderColumns}, (SELECT failure FROM mail_summaries s WHERE s.mail_id = mail.mail_id) AS summary_failure
        FROM mail WHERE email_id = ?`,
      emailId,
    );
    if (known !== undefined) {
      const authentication = authenticationOf(known);
      return {
        ...deskMail(known),
        ...summaryState(known),
        ...(authentication !== undefined && { authentication }),
      };
    }
    const [held] = await rowsOf("SELECT * FROM mail_quarantine WHERE email_id = ?", emailId);
    if (held !== undefined) return quarantinedMail(held);
    const [refused] = await rowsOf(`SELECT * FROM ${refusals} WHERE email_id = ?`, emailId);
    return refused && refusedMail(refused);
  }

  /**
   * Parks a message so that it cannot be claimed. Returns false if it is being processed, since its objects are still
   * being written.
   */
  async function isLeftAlone(emailId: string): Promise<boolean> {
    const [parked, there] = await database.write([
      {
        sql: `UPDATE mail SET due_at = NULL
          WHERE email_id = ? AND (lease_until IS NULL OR lease_until <= ${now}) RETURNING mail_id`,
        args: [emailId],
      },
      { sql: "SELECT 1 FROM mail WHERE email_id = ?", args: [emailId] },
    ]);
    return (parked?.rows.length ?? 0) > 0 || there?.rows.length === 0;
  }

  async function forget(emailId: string): Promise<LeftObjects | undefined> {
    if (!(await isLeftAlone(emailId))) return undefined;
    const mailId = "(SELECT mail_id FROM mail WHERE email_id = ?)";
    const searchId = "(SELECT search_id FROM mail WHERE email_id = ?1)";
    const one = (sql: string) => ({ sql, args: [emailId] });
    const [raw, text, attachments] = await database.write([
      one(`SELECT raw_sha256 AS sha256 FROM mail_receipts WHERE email_id = ?1
        UNION SELECT raw_sha256 FROM mail WHERE email_id = ?1
        UNION SELECT raw_sha256 FROM mail_quarantine WHERE email_id = ?1`),
      // Another message, or its attachment, may have the same text.
      one(`SELECT sha256 FROM (SELECT text_sha256 AS sha256 FROM mail WHERE email_id = ?1
          UNION SELECT text_sha256 FROM mail_attachments WHERE mail_id = (SELECT mail_id FROM mail WHERE email_id = ?1)) t
        WHERE t.sha256 IS NOT NULL AND NOT EXISTS (SELECT 1 FROM mail o WHERE o.text_sha256 = t.sha256 AND o.email_id <> ?1)
          AND NOT EXISTS (SELECT 1 FROM mail_attachments o JOIN mail USING (mail_id)
            WHERE o.text_sha256 = t.sha256 AND mail.email_id <> ?1)`),
      one(`SELECT DISTINCT sha256 FROM mail_attachments a WHERE mail_id = ${mailId}
        AND NOT EXISTS (SELECT 1 FROM mail_attachments o WHERE o.sha256 = a.sha256 AND o.mail_id <> a.mail_id)`),
      one(`DELETE FROM mail_words WHERE rowid = ${searchId}`),
      one(`DELETE FROM mail_inbox WHERE mail_id = ${mailId}`),
      one(`DELETE FROM mail_leads WHERE mail_id = ${mailId}`),
      one(`DELETE FROM mail_attachments WHERE mail_id = ${mailId}`),
      one(`DELETE FROM mail_summaries WHERE mail_id = ${mailId}`),
      one("DELETE FROM mail_receipts WHERE email_id = ?"),
      one("DELETE FROM mail_quarantine WHERE email_id = ?"),
      one(`DELETE FROM mail_senders WHERE sender_id = (SELECT sender_id FROM mail WHERE email_id = ?1)
        AND NOT EXISTS (SELECT 1 FROM mail o WHERE o.sender_id = mail_senders.sender_id AND o.email_id <> ?1)`),
      one(`DELETE FROM mail_recipients WHERE recipient_id IN (SELECT recipient_id FROM mail_sent_to WHERE search_id = ${searchId})
        AND NOT EXISTS (SELECT 1 FROM mail_sent_to o WHERE o.recipient_id = mail_recipients.recipient_id AND o.search_id <> ${searchId})`),
      one(`DELETE FROM mail_sent_to WHERE search_id = ${searchId}`),
      one("DELETE FROM mail WHERE email_id = ?"),
      // A contentless index only marks deleted rows. Merging its segments removes the words.
      { sql: "INSERT INTO mail_words (mail_words) VALUES ('optimize')", args: [] },
    ]);
    await emptyLog(database);
    const hashes = (found: { rows: readonly Row[] } | undefined): string[] =>
      (found?.rows ?? []).map(({ sha256 }) => String(sha256));
    return { raw: hashes(raw), text: hashes(text), attachments: hashes(attachments) };
  }

  return {
    list: async ({ onlyFailed, limit }) => {
      const where = onlyFailed ? `WHERE ${failed}` : "";
      const rows = await rowsOf(
        `SELECT *, ${senderColumns} FROM mail ${where} ORDER BY mail_id DESC LIMIT ?`,
        limit,
      );
      const refused = await rowsOf(
        `SELECT * FROM ${refusals} ORDER BY received_at DESC, email_id LIMIT ?`,
        limit,
      );
      return [...rows.map(deskMail), ...refused.map(refusedMail)]
        .toSorted((one, other) => other.receivedAt.getTime() - one.receivedAt.getTime())
        .slice(0, limit);
    },
    quarantined: async ({ onlyConfirmations, limit }) => {
      const which = onlyConfirmations ? "WHERE reason = 'confirmation'" : "";
      const rows = await rowsOf(
        `SELECT * FROM mail_quarantine ${which} ORDER BY quarantine_id DESC LIMIT ?`,
        limit,
      );
      return rows.map(quarantinedMail);
    },
    find,
    rawOf: async (emailId) => {
      const columns = `raw_sha256, ${arrivalColumn}, ${smtpColumn}`;
      const [row] = await rowsOf(
        `SELECT ${columns} FROM mail WHERE email_id = ?1
          UNION ALL SELECT ${columns} FROM mail_quarantine AS mail WHERE email_id = ?1`,
        emailId,
      );
      return row && { rawSha256: textOf(row, "raw_sha256") ?? "", ...cameBy(row) };
    },
    arrivals: async (emailId) => {
      const rows = await rowsOf(
        "SELECT * FROM mail_receipts WHERE email_id = ? ORDER BY receipt_id",
        emailId,
      );
      return rows.map(arrived);
    },
    retry: async (firstStep, emailId) => {
      const dueNow = `due_at = ${now}, attempts = 0, failure = NULL`;
      const [changed] = await database.write([
        emailId === undefined
          ? { sql: `UPDATE mail SET ${dueNow} WHERE ${failed} RETURNING mail_id`, args: [] }
          : {
              // A message that is being processed is left to its process.
              sql: `UPDATE mail SET step = coalesce(step, ?), ${dueNow}
                WHERE email_id = ? AND (lease_until IS NULL OR lease_until <= ${now}) RETURNING mail_id`,
              args: [firstStep, emailId],
            },
      ]);
      return changed?.rows.length ?? 0;
    },
    retrySummaries: async (emailId) => {
      // A summary that is being written is left to its process.
      const [changed] = await database.write([
        {
          sql: `INSERT INTO mail_summaries (mail_id, due_at) SELECT mail_id, ${now} FROM mail
            WHERE search_id IS NOT NULL AND text_bytes > 0 AND iif(?1 IS NULL, summary_source = 'extract', email_id = ?1)
            ON CONFLICT (mail_id) DO UPDATE SET due_at = excluded.due_at, attempts = 0, failure = NULL
            WHERE lease_until IS NULL OR lease_until <= ${now} RETURNING mail_id`,
          args: [emailId ?? null],
        },
      ]);
      return changed?.rows.length ?? 0;
    },
    release: async (emailId, firstStep) => {
      const [released] = await database.write([
        {
          sql: `INSERT INTO mail (email_id, raw_sha256, raw_bytes, received_at, step, due_at)
            SELECT email_id, raw_sha256, raw_bytes, received_at, ?, ${now} FROM mail_quarantine WHERE email_id = ?
            ON CONFLICT (email_id) DO NOTHING RETURNING mail_id`,
          args: [firstStep, emailId],
        },
        { sql: "DELETE FROM mail_quarantine WHERE email_id = ?", args: [emailId] },
      ]);
      return (released?.rows.length ?? 0) > 0;
    },
    forget,
    needsRaw: async (sha256) => {
      const rows = await rowsOf("SELECT 1 FROM mail_receipts WHERE raw_sha256 = ? LIMIT 1", sha256);
      return rows.length > 0;
    },
    needsPart: async (sha256) => {
      const rows = await rowsOf(
        `SELECT 1 WHERE EXISTS (SELECT 1 FROM mail WHERE text_sha256 = ?1)
          OR EXISTS (SELECT 1 FROM mail_attachments WHERE text_sha256 = ?1 OR sha256 = ?1)`,
        sha256,
      );
      return rows.length > 0;
    },
  };
}

/** Returns the fields that every message has. */
function listed<State extends AdminMail["state"]>(row: Row, state: State) {
  return {
    emailId: textOf(row, "email_id") ?? "",
    state,
    receivedAt: dateOf(row, "received_at") ?? new Date(0),
    bytes: numberOf(row, "raw_bytes") ?? 0,
    from: textOf(row, "from_header") ?? "",
    subject: textOf(row, "subject") ?? "",
    attempts: numberOf(row, "attempts") ?? 0,
  };
}

function deskMail(row: Row): AdminMail {
  const forwarder = forwarderOf(row);
  const isDue = row["due_at"] !== null;
  const problem = textOf(row, "failure") ?? textOf(row, "parse_problem");
  const step = textOf(row, "step");
  return {
    ...listed(row, row["search_id"] !== null ? "searchable" : isDue ? "pending" : "failed"),
    from: inWords(senderOf(row)),
    ...(forwarder !== undefined && { forwardedBy: inWords(forwarder) }),
    ...(step !== undefined && { step }),
    ...(problem !== undefined && { problem }),
    ...hiddenOf(row),
  };
}

function inWords({ name, address }: MailPerson): string {
  return name === undefined ? address : `${name} <${address}>`;
}

function summaryState(row: Row): Pick<AdminMail, "summary"> {
  const summary = summaryOf(row);
  if (summary === undefined) return {};
  const problem = textOf(row, "summary_failure");
  return { summary: { source: summary.source, ...(problem !== undefined && { problem }) } };
}

function quarantinedMail(row: Row): QuarantinedMail {
  const confirmation = textOf(row, "confirmation");
  return {
    ...listed(row, "quarantined"),
    reason: row["reason"] === "confirmation" ? "confirmation" : "sender",
    // mail-store.ts wrote this type.
    ...(confirmation !== undefined && { confirmation: JSON.parse(confirmation) as Confirmation }),
  };
}

function refusedMail(row: Row): RefusedMail {
  return {
    ...listed(row, "refused"),
    problem: textOf(row, "reason") ?? "",
    source: textOf(row, "source") ?? "",
    liesIn: textOf(row, "lies_in") ?? "",
  };
}

function arrived(row: Row): Arrived {
  const envelopeFrom = textOf(row, "envelope_from");
  const envelopeTo = textOf(row, "envelope_to");
  const peer = textOf(row, "peer");
  return {
    at: dateOf(row, "received_at") ?? new Date(0),
    intake: textOf(row, "intake") ?? "",
    ...(envelopeFrom !== undefined && { envelopeFrom }),
    envelopeTo: envelopeTo === undefined ? [] : (JSON.parse(envelopeTo) as string[]),
    ...(peer !== undefined && { peer }),
  };
}
