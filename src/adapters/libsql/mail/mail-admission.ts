import { randomUUID } from "node:crypto";
import type { MailStore, Receipt, Quarantined } from "../../../ports/mail/mail-store.ts";
import { arrivalColumn, smtpColumn } from "./mail-row.ts";
import { databaseClock as now } from "../driver/database.ts";
import { type Statement } from "../driver/statement.ts";

export interface NewMail {
  emailId: string;
  rawSha256: string;
  bytes: number;
  firstStep: string;
}

/** Stored receipts of one message, so that repeated sending cannot fill the disk. */
export const maxReceipts = 100;

/** The number of arrivals of a message. */
export const arrivals = (emailId: string): string =>
  `((SELECT count(imported_from) FROM mail WHERE email_id = ${emailId}) +
    (SELECT count(*) FROM mail_receipts WHERE email_id = ${emailId}))`;

/** Builds all statements of an arrival. The second one returns a row if the message is new. */
export function admission(
  mail: NewMail,
  receipt: Receipt,
  { quarantine, leaseMs, raw }: NonNullable<Parameters<MailStore["admit"]>[2]> = {},
): Statement[] {
  if (quarantine !== undefined)
    return [arrived(mail, receipt, { isQuarantined: true }), quarantined(mail, quarantine)];
  const claim = leaseMs === undefined ? undefined : randomUUID();
  const released = "DELETE FROM mail_quarantine WHERE email_id = ?";
  const ours = "FROM mail WHERE email_id = ? AND claim = ?";
  if (raw === undefined || claim === undefined) {
    return [
      arrived(mail, receipt),
      entered(mail, receipt, claim, leaseMs),
      { sql: released, args: [mail.emailId] },
    ];
  }
  return [
    arrived(mail, receipt, { onlyIfNew: true }),
    entered(mail, receipt, claim, leaseMs),
    {
      sql: `INSERT INTO mail_inbox (mail_id, raw) SELECT mail_id, ? ${ours}`,
      args: [raw, mail.emailId, claim],
    },
    {
      sql: `${released} AND EXISTS (SELECT 1 ${ours})`,
      args: [mail.emailId, mail.emailId, claim],
    },
  ];
}

function entered(
  mail: NewMail,
  receipt: Receipt,
  claim: string | undefined,
  leaseMs: number | undefined,
): Statement {
  return {
    // A message that left quarantine has receipts, and the first of them is not an import.
    sql: `INSERT INTO mail (email_id, raw_sha256, raw_bytes, received_at, step, due_at, claim, lease_until, attempts, imported_from)
      VALUES (?1, unhex(?2), ?3, ${now}, ?4, ${now}, ?5, ${now} + ?6, ?7,
        iif(EXISTS (SELECT 1 FROM mail_receipts WHERE email_id = ?1), NULL, ?8)) ON CONFLICT (email_id) DO NOTHING
      RETURNING email_id, claim, step, attempts, raw_sha256, raw_bytes, received_at, ${arrivalColumn}, ${smtpColumn}`,
    args: [
      mail.emailId,
      mail.rawSha256,
      mail.bytes,
      mail.firstStep,
      claim ?? null,
      leaseMs ?? null,
      claim === undefined ? 0 : 1,
      importedFrom(receipt),
    ],
  };
}

/** Returns `mail.imported_from` for a first arrival. */
function importedFrom({ intake, peer = "", ...receipt }: Receipt): string | null {
  const hasSession = Object.keys(receipt).some((fact) => !["rawSha256", "bytes"].includes(fact));
  return intake === "import" && !hasSession ? peer : null;
}

/** Builds the quarantine row. A message that was accepted or released before is not quarantined again. */
function quarantined(
  mail: NewMail,
  { reason, from, subject, confirmation }: Quarantined,
): Statement {
  return {
    sql: `INSERT INTO mail_quarantine (email_id, raw_sha256, raw_bytes, received_at, from_header, subject, reason, confirmation)
      SELECT ?, unhex(?), ?, ${now}, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM mail WHERE email_id = ?)
      ON CONFLICT (email_id) DO NOTHING RETURNING quarantine_id`,
    args: [
      mail.emailId,
      mail.rawSha256,
      mail.bytes,
      from,
      subject,
      reason,
      confirmation === undefined ? null : JSON.stringify(confirmation),
      mail.emailId,
    ],
  };
}

/**
 * Builds the receipt. If the first arrival is an import, the row of the message has it. A receipt names its bytes only
 * if the row of the message will not: that row is older and has another form of the message, or does not exist because
 * the message is in quarantine.
 */
function arrived(
  { emailId }: NewMail,
  receipt: Receipt,
  { onlyIfNew = false, isQuarantined = false } = {},
): Statement {
  const isNew = "NOT EXISTS (SELECT 1 FROM mail WHERE email_id = ?1)";
  const isInRow = importedFrom(receipt) !== null && !isQuarantined;
  const named = `(SELECT raw_sha256 FROM mail WHERE email_id = ?1)`;
  return {
    sql: `INSERT INTO mail_receipts (email_id, position, received_at, intake, raw_sha256, bytes, envelope_from, envelope_to, peer, helo)
      SELECT ?1, arrivals, ${now}, ?2, nullif(unhex(?3), ${isQuarantined ? named : `coalesce(${named}, unhex(?3))`}), ?4, ?5, ?6, ?7, ?8
      FROM (SELECT ${arrivals("?1")} AS arrivals) WHERE arrivals < ${maxReceipts}
      ${isInRow ? `AND NOT (arrivals = 0 AND ${isNew})` : ""} ${onlyIfNew ? `AND ${isNew}` : ""}`,
    args: [
      emailId,
      receipt.intake,
      receipt.rawSha256,
      receipt.bytes,
      receipt.envelopeFrom ?? null,
      receipt.envelopeTo === undefined ? null : JSON.stringify(receipt.envelopeTo),
      receipt.peer ?? null,
      receipt.helo ?? null,
    ],
  };
}
