import type { Receipt, Withheld } from "../../ports/mail-store.ts";
import { databaseClock as now, type Statement } from "./database.ts";

export interface NewMail {
  emailId: string;
  rawSha256: string;
  bytes: number;
  firstStep: string;
}

/** All that an arrival writes. The first statement returns a row where the message is new. */
export function admission(mail: NewMail, receipt: Receipt, withheld?: Withheld): Statement[] {
  return [
    withheld === undefined ? entered(mail) : quarantined(mail, withheld),
    arrived(mail, receipt),
    ...(withheld === undefined
      ? [{ sql: "DELETE FROM mail_quarantine WHERE email_id = ?", args: [mail.emailId] }]
      : []),
  ];
}

function entered(mail: NewMail): Statement {
  return {
    sql: `INSERT INTO mail (email_id, raw_sha256, raw_bytes, received_at, step, due_at)
      VALUES (?, ?, ?, ${now}, ?, ${now}) ON CONFLICT (email_id) DO NOTHING RETURNING mail_id`,
    args: [mail.emailId, mail.rawSha256, mail.bytes, mail.firstStep],
  };
}

/** What was admitted once, or released, stays so: its words are known. */
function quarantined(mail: NewMail, { reason, from, subject, confirmation }: Withheld): Statement {
  return {
    sql: `INSERT INTO mail_quarantine (email_id, raw_sha256, raw_bytes, received_at, from_header, subject, reason, confirmation)
      SELECT ?, ?, ?, ${now}, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM mail WHERE email_id = ?)
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

function arrived({ emailId }: NewMail, receipt: Receipt): Statement {
  return {
    sql: `INSERT INTO mail_receipts (email_id, received_at, intake, raw_sha256, bytes, envelope_from, envelope_to, peer)
      VALUES (?, ${now}, ?, ?, ?, ?, ?, ?)`,
    args: [
      emailId,
      receipt.intake,
      receipt.rawSha256,
      receipt.bytes,
      receipt.envelopeFrom ?? null,
      receipt.envelopeTo === undefined ? null : JSON.stringify(receipt.envelopeTo),
      receipt.peer ?? null,
    ],
  };
}
