import type {
  Arrived,
  AdminMail,
  MailAdmin,
  QuarantinedMail,
  AdminRejectedMail,
} from "../../../ports/mail/mail-admin.ts";
import type { Confirmation } from "../../../ports/mail/mail-store.ts";
import { type Database, databaseClock as now, leaseExpired } from "../driver/database.ts";
import { type Row, type SqlValue } from "../driver/statement.ts";
import { createMailDeletion } from "./mail-deletion.ts";
import { createMailNeeds } from "./mail-needs.ts";
import {
  arrivalColumn,
  authenticationOf,
  firstArrival,
  dateOf,
  forwarderOf,
  hashOf,
  hiddenOf,
  numberOf,
  quarantineArrivalColumn,
  senderColumns,
  senderOf,
  smtpColumn,
  summaryOf,
  textOf,
} from "./mail-row.ts";
import { formatAddress } from "../../../core/shared/text/mail-address.ts";

/** Failed permanently: a step remains, and no attempt is due. */
const failed = "due_at IS NULL AND step IS NOT NULL";

/** Rejected mail, with the column names of a message. */
const rejections = `(SELECT *, rejection_id AS email_id, rejected_at AS received_at, bytes AS raw_bytes FROM mail_rejections)`;

export function createMailAdmin(database: Database): MailAdmin {
  async function rowsOf(sql: string, ...args: SqlValue[]): Promise<readonly Row[]> {
    return (await database.read({ sql, args })).rows;
  }

  async function find(
    emailId: string,
  ): Promise<AdminMail | QuarantinedMail | AdminRejectedMail | undefined> {
    const [known] = await rowsOf(
      `SELECT *, ${senderColumns}, (SELECT failure FROM mail_summaries s WHERE s.mail_id = mail.mail_id) AS summary_failure
        FROM mail WHERE email_id = ?`,
      emailId,
    );
    if (known !== undefined) {
      const authentication = authenticationOf(known);
      return {
        ...adminMail(known),
        ...summaryState(known),
        ...(authentication !== undefined && { authentication }),
      };
    }
    const [held] = await rowsOf("SELECT * FROM mail_quarantine WHERE email_id = ?", emailId);
    if (held !== undefined) return quarantinedMail(held);
    const [rejected] = await rowsOf(`SELECT * FROM ${rejections} WHERE email_id = ?`, emailId);
    return rejected && rejectedMail(rejected);
  }

  return {
    list: async ({ onlyFailed, limit }) => {
      const where = onlyFailed ? `WHERE ${failed}` : "";
      const rows = await rowsOf(
        `SELECT *, ${senderColumns} FROM mail ${where} ORDER BY mail_id DESC LIMIT ?`,
        limit,
      );
      const rejected = await rowsOf(
        `SELECT * FROM ${rejections} ORDER BY received_at DESC, email_id LIMIT ?`,
        limit,
      );
      return [...rows.map(adminMail), ...rejected.map(rejectedMail)]
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
      const columns = `raw_sha256, raw_bytes, ${smtpColumn}`;
      const [row] = await rowsOf(
        `SELECT ${columns}, ${arrivalColumn} FROM mail WHERE email_id = ?1
          UNION ALL SELECT ${columns}, ${quarantineArrivalColumn} FROM mail_quarantine AS mail WHERE email_id = ?1`,
        emailId,
      );
      const rawBytes = numberOf(row ?? {}, "raw_bytes") ?? 0;
      return row && { rawSha256: hashOf(row, "raw_sha256"), rawBytes, ...firstArrival(row) };
    },
    arrivals: async (emailId) => {
      const rows = await rowsOf(
        `SELECT received_at, 'import' AS intake, NULL AS envelope_from, NULL AS envelope_to, nullif(imported_from, '') AS peer,
            -1 AS position FROM mail WHERE email_id = ?1 AND imported_from IS NOT NULL
          UNION ALL SELECT received_at, intake, envelope_from, envelope_to, peer, position FROM mail_receipts WHERE email_id = ?1
          ORDER BY position`,
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
              // A message that is being processed keeps its step.
              sql: `UPDATE mail SET step = coalesce(step, ?), ${dueNow}
                WHERE email_id = ? AND (lease_until IS NULL OR ${leaseExpired("lease_until")}) RETURNING mail_id`,
              args: [firstStep, emailId],
            },
      ]);
      return changed?.rows.length ?? 0;
    },
    retrySummaries: async (emailId) => {
      // A summary that is being written is not requested again.
      const [changed] = await database.write([
        {
          sql: `INSERT INTO mail_summaries (mail_id, due_at) SELECT mail_id, ${now} FROM mail
            WHERE search_id IS NOT NULL AND text_bytes > 0 AND iif(?1 IS NULL, summary IS NOT NULL AND summary_source IS NULL, email_id = ?1)
            ON CONFLICT (mail_id) DO UPDATE SET due_at = excluded.due_at, attempts = 0, failure = NULL
            WHERE lease_until IS NULL OR ${leaseExpired("lease_until")} RETURNING mail_id`,
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
    ...createMailDeletion(database),
    ...createMailNeeds(database),
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

function adminMail(row: Row): AdminMail {
  const forwarder = forwarderOf(row);
  const isDue = row["due_at"] !== null;
  const problem = textOf(row, "failure") ?? textOf(row, "parse_problem");
  const step = textOf(row, "step");
  return {
    ...listed(row, row["search_id"] !== null ? "searchable" : isDue ? "pending" : "failed"),
    from: formatAddress(senderOf(row)),
    ...(forwarder !== undefined && { forwardedBy: formatAddress(forwarder) }),
    ...(step !== undefined && { step }),
    ...(problem !== undefined && { problem }),
    ...hiddenOf(row),
  };
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

function rejectedMail(row: Row): AdminRejectedMail {
  return {
    ...listed(row, "rejected"),
    problem: textOf(row, "reason") ?? "",
    source: textOf(row, "source") ?? "",
    location: textOf(row, "location") ?? "",
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
