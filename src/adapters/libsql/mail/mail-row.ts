import type { Authentication, MailPerson, Sender } from "../../../ports/mail/mail-reader.ts";
import type {
  ClaimedMail,
  MailSummary,
  Receipt,
  SmtpFacts,
  StoredText,
} from "../../../ports/mail/mail-store.ts";
import type { Row } from "../driver/statement.ts";
import { foldedCase } from "../search/folding.ts";
import { unpackedText } from "./packed-text.ts";

/** A sender's name and address for a row of `mail`. */
export const senderColumns = `(SELECT name FROM mail_senders s WHERE s.sender_id = mail.sender_id) AS sender_name,
  (SELECT address FROM mail_senders s WHERE s.sender_id = mail.sender_id) AS sender_address`;

/** The first SMTP session of a row of `mail`, as JSON. */
export const smtpColumn = `(SELECT json_object('remoteAddress', peer, 'helo', helo, 'mailFrom', coalesce(envelope_from, ''), 'at', r.received_at)
  FROM mail_receipts r WHERE r.email_id = mail.email_id AND intake = 'smtp' AND helo IS NOT NULL
  ORDER BY position LIMIT 1) AS smtp`;

/** The first arrival of a row of `mail_quarantine AS mail`, as JSON. */
export const quarantineArrivalColumn = `(${firstReceipt("json_object('intake', intake, 'peer', peer)")}) AS arrival`;

/** The first arrival of a row of `mail`, as JSON. */
export const arrivalColumn = `iif(imported_from IS NULL, (${firstReceipt("json_object('intake', intake, 'peer', peer)")}),
  json_object('intake', 'import', 'peer', nullif(imported_from, ''))) AS arrival`;

/** True if the first arrival of a row of `mail` was an import. */
export const isImported = `(imported_from IS NOT NULL OR (${firstReceipt("intake = 'import'")}) IS TRUE)`;

function firstReceipt(value: string): string {
  return `SELECT ${value} FROM mail_receipts r WHERE r.email_id = mail.email_id ORDER BY position LIMIT 1`;
}

/**
 * The recipients of a row of `mail`, as JSON. The row of a searchable message has their ids, because a mailbox has the
 * same few recipients in each message.
 */
export const recipientsColumn = `iif(mail.recipients LIKE '[%',
  json_object('to', json(${recipientsAt(0)}), 'cc', json(${recipientsAt(1)})), mail.recipients) AS recipient_list`;

function recipientsAt(position: number): string {
  return `(SELECT json_group_array(json_object('name', name, 'address', address)) FROM (SELECT name, address
    FROM json_each(mail.recipients, '$[${position}]') JOIN mail_recipients r ON r.recipient_id = value ORDER BY key))`;
}

/** The texts of the attachments of a row of `mail`, in order, as JSON. */
export const attachmentTextsColumn = `(SELECT json_group_array(json_object('sha256', text_sha256, 'bytes', text_bytes)) FROM
  (SELECT text_sha256, text_bytes FROM mail_attachments a WHERE a.mail_id = mail.mail_id AND text_sha256 IS NOT NULL
    ORDER BY position)) AS attachment_texts`;

/** Returns the text of a row of `mail`. Undefined if the message has not been parsed yet. */
export function storedTextOf(row: Row): StoredText | undefined {
  const inRawAt = numberOf(row, "text_at");
  const bytes = numberOf(row, "text_bytes") ?? 0;
  if (inRawAt !== undefined) return { sha256: hashOf(row, "raw_sha256"), bytes, inRawAt };
  const sha256 = textOf(row, "text_sha256");
  return sha256 === undefined ? undefined : { sha256, bytes };
}

export function attachmentTextsOf(row: Row): StoredText[] {
  // `attachmentTextsColumn` wrote this type.
  return JSON.parse(textOf(row, "attachment_texts") ?? "[]") as StoredText[];
}

/** The raw message of a row of `mail`, if it is not yet in the object store. */
export const inboxColumn = "(SELECT raw FROM mail_inbox i WHERE i.mail_id = mail.mail_id) AS inbox";

export function textOf(row: Row, column: string): string | undefined {
  const value = row[column];
  return typeof value === "string" ? value : undefined;
}

/** Returns a hash, which is stored as bytes, in hexadecimal. */
export function hashOf(row: Row, column: string): string {
  const bytes = row[column];
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString("hex") : "";
}

export function numberOf(row: Row, column: string): number | undefined {
  const value = row[column];
  return typeof value === "number" ? value : undefined;
}

export function dateOf(row: Row, column: string): Date | undefined {
  const value = numberOf(row, column);
  return value === undefined ? undefined : new Date(value);
}

export function senderOf(row: Row): Sender {
  const name = textOf(row, "sender_name") ?? "";
  return {
    ...(name !== "" && { name }),
    address: textOf(row, "sender_address") ?? "",
    source: row["sender_source"] === "forwarded" ? "forwarded" : "header",
  };
}

/** Returns the text in which a search by sender or recipient looks. */
export function personFolded({ name, address }: MailPerson): string {
  return foldedCase(`${name ?? ""} <${address}>`);
}

/** Returns the recipients from `recipientsColumn`. */
export function recipientsOf(row: Row): { to: MailPerson[]; cc: MailPerson[] } {
  const json = textOf(row, "recipient_list");
  if (json === undefined) return { to: [], cc: [] };
  // mail-store.ts wrote this type.
  const { to, cc } = JSON.parse(json) as { to: MailPerson[]; cc: MailPerson[] };
  return { to: to.map(namedPerson), cc: cc.map(namedPerson) };
}

/** Leaves out an empty name, which is how `mail_recipients` stores that there is none. */
function namedPerson({ name, address }: MailPerson): MailPerson {
  return { ...(name !== undefined && name !== "" && { name }), address };
}

export function forwarderOf(row: Row): MailPerson | undefined {
  const json = textOf(row, "forwarded_by");
  return json === undefined ? undefined : (JSON.parse(json) as MailPerson);
}

export function authenticationOf(row: Row): Authentication | undefined {
  const json = textOf(row, "authentication");
  // `storedAuthentication` wrote this type.
  return json === undefined
    ? undefined
    : { from: "unverified", ...(JSON.parse(json) as Partial<Authentication>) };
}

export function hiddenOf(row: Row): { hidden?: number } {
  const hidden = numberOf(row, "hidden_codes");
  return hidden === undefined ? {} : { hidden };
}

export function summaryOf(row: Row): MailSummary | undefined {
  const stored = row["summary"];
  if (stored === undefined || stored === null) return undefined;
  const source = row["summary_source"] === "model" ? "model" : "extract";
  return { text: unpackedText(stored), source };
}

function smtpOf(row: Row): SmtpFacts | undefined {
  const json = textOf(row, "smtp");
  if (json === undefined) return undefined;
  // `smtpColumn` wrote this type.
  const facts = JSON.parse(json) as Omit<SmtpFacts, "at"> & { at: number };
  return { ...facts, at: new Date(facts.at) };
}

function arrivalOf(row: Row): ClaimedMail["arrival"] {
  const json = textOf(row, "arrival");
  if (json === undefined) return undefined;
  // `arrivalColumn` wrote this type.
  const { intake, peer } = JSON.parse(json) as { intake: Receipt["intake"]; peer: string | null };
  return { intake, ...(peer !== null && { peer }) };
}

/** Returns the first arrival of a row from `arrivalColumn` and `smtpColumn`. */
export function firstArrival(row: Row): Pick<ClaimedMail, "arrival" | "smtp"> {
  const arrival = arrivalOf(row);
  const smtp = smtpOf(row);
  return { ...(arrival !== undefined && { arrival }), ...(smtp !== undefined && { smtp }) };
}

export function claimedMail(row: Row): ClaimedMail {
  const receivedAt = dateOf(row, "received_at") ?? new Date(0);
  const forwardedBy = forwarderOf(row);
  const parseProblem = textOf(row, "parse_problem");
  const text = storedTextOf(row);
  const summary = summaryOf(row);
  const authentication = authenticationOf(row);
  const inbox = row["inbox"];
  return {
    emailId: textOf(row, "email_id") ?? "",
    claim: textOf(row, "claim") ?? "",
    step: textOf(row, "step") ?? "",
    attempts: numberOf(row, "attempts") ?? 0,
    rawSha256: hashOf(row, "raw_sha256"),
    rawBytes: numberOf(row, "raw_bytes") ?? 0,
    ...(inbox instanceof Uint8Array && { inbox }),
    receivedAt,
    ...firstArrival(row),
    attachmentTexts: attachmentTextsOf(row),
    ...(authentication !== undefined && { authentication }),
    ...(text !== undefined && {
      facts: {
        from: senderOf(row),
        ...recipientsOf(row),
        subject: textOf(row, "subject") ?? "",
        date: dateOf(row, "date") ?? receivedAt,
        ...(forwardedBy !== undefined && { forwardedBy }),
        text,
        ...(parseProblem !== undefined && { parseProblem }),
        ...(row["parts_differ"] === 1 && { partsDiffer: true }),
        ...hiddenOf(row),
      },
    }),
    ...(summary !== undefined && { summary }),
  };
}
