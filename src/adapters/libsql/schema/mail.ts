import { sql } from "drizzle-orm";
import {
  blob,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

// All times are milliseconds since 1970. `mail_words`, the FTS5 index, is created by the migration's own SQL.

/** Senders, each once. A search by sender reads this table instead of all mail. */
export const mailSenders = sqliteTable(
  "mail_senders",
  {
    senderId: integer("sender_id").primaryKey(),
    name: text("name").notNull(),
    address: text("address").notNull(),
    /** Name and address in lower case. */
    folded: text("folded").notNull(),
  },
  (table) => [uniqueIndex("mail_senders_once").on(table.name, table.address)],
);

/** Recipients, each once, for searches as with senders. */
export const mailRecipients = sqliteTable(
  "mail_recipients",
  {
    recipientId: integer("recipient_id").primaryKey(),
    name: text("name").notNull(),
    address: text("address").notNull(),
    /** Name and address in lower case. */
    folded: text("folded").notNull(),
  },
  (table) => [uniqueIndex("mail_recipients_once").on(table.name, table.address)],
);

/** The recipients (To and Cc) of each searchable message. WITHOUT ROWID, which only the migration can declare. */
export const mailSentTo = sqliteTable(
  "mail_sent_to",
  {
    searchId: integer("search_id").notNull(),
    recipientId: integer("recipient_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.searchId, table.recipientId] }),
    index("mail_by_recipient").on(table.recipientId, table.searchId),
  ],
);

/** One row per message, even if it arrived several times. */
export const mail = sqliteTable(
  "mail",
  {
    mailId: integer("mail_id").primaryKey(),
    emailId: text("email_id").notNull().unique(),
    rawSha256: blob("raw_sha256", { mode: "buffer" }).notNull(),
    rawBytes: integer("raw_bytes").notNull(),
    receivedAt: integer("received_at").notNull(),
    /** The path of the file if the message first arrived by import, or empty. Null for another first arrival. */
    importedFrom: text("imported_from"),

    /** The next step, or the failed one. Null when all are done. */
    step: text("step"),
    attempts: integer("attempts").notNull().default(0),
    /** The due time of the step. Null if none is due. */
    dueAt: integer("due_at"),
    failure: text("failure"),
    claim: text("claim"),
    leaseUntil: integer("lease_until"),

    /**
     * Set when the message is searchable. Grows with its date, so that the newest are at one end: see mail-order.ts.
     */
    searchId: integer("search_id").unique(),
    /** Minutes by which `search_id` is higher than the date. Null for most messages. */
    displaced: integer("displaced"),
    senderId: integer("sender_id"),
    /** Null if the sender is that of the header. */
    senderSource: text("sender_source"),
    forwardedBy: text("forwarded_by"),
    /** Lists of ids, To and Cc, as JSON. Until the message is searchable `{to, cc}` with names and addresses. */
    recipients: text("recipients"),
    /** `{spf?, dkim?, dmarc?, from?}` as JSON, without `from` if it is `unverified`. */
    authentication: text("authentication"),
    subject: text("subject").notNull().default(""),
    date: integer("date"),
    /** Null if the text is a part of the raw message. */
    textSha256: text("text_sha256"),
    /** The position of such a text in the raw message. */
    textAt: integer("text_at"),
    textBytes: integer("text_bytes"),
    parseProblem: text("parse_problem"),
    /** 1 if the text part and the HTML part differ. */
    partsDiffer: integer("parts_differ"),
    /** Sign-in codes that subject and text do not show. Null without any. */
    hiddenCodes: integer("hidden_codes"),
    attachmentCount: integer("attachment_count").notNull().default(0),
    /** Deflated, or a short text: see packed-text.ts. */
    summary: blob("summary", { mode: "buffer" }),
    /** Null for the first sentences of the text. */
    summarySource: text("summary_source"),
    /** `due` while a notice is due, then `sent`. Null if no notice is wanted. */
    notice: text("notice"),
  },
  (table) => [
    index("mail_due")
      .on(table.dueAt)
      .where(sql`${table.dueAt} is not null`),
    index("mail_pending")
      .on(table.mailId)
      .where(sql`${table.searchId} is null and ${table.dueAt} is not null`),
    index("mail_by_sender").on(table.senderId, table.searchId),
    // The reverse order, to test one message against many senders without reading its row.
    index("mail_with_sender").on(table.searchId, table.senderId),
    index("mail_with_attachment")
      .on(table.searchId)
      .where(sql`${table.attachmentCount} > 0`),
    index("mail_notices")
      .on(table.mailId)
      .where(sql`${table.notice} = 'due'`),
    index("mail_displaced")
      .on(table.displaced)
      .where(sql`${table.displaced} is not null`),
    index("mail_received")
      .on(table.receivedAt)
      .where(sql`${table.searchId} is not null`),
  ],
);

/** The bytes of new messages until they are in the object store, so that row and bytes share one commit. */
export const mailInbox = sqliteTable("mail_inbox", {
  mailId: integer("mail_id").primaryKey(),
  raw: blob("raw", { mode: "buffer" }).notNull(),
});

/**
 * One row per arrival, except a first one by import, which `mail.imported_from` names. WITHOUT ROWID, which only the
 * migration can declare.
 */
export const mailReceipts = sqliteTable(
  "mail_receipts",
  {
    emailId: text("email_id").notNull(),
    /** From 0, in the order of arrival. */
    position: integer("position").notNull(),
    receivedAt: integer("received_at").notNull(),
    intake: text("intake").notNull(),
    /** Null for the bytes that the row of the message names. */
    rawSha256: blob("raw_sha256", { mode: "buffer" }),
    bytes: integer("bytes").notNull(),
    envelopeFrom: text("envelope_from"),
    envelopeTo: text("envelope_to", { mode: "json" }),
    peer: text("peer"),
    helo: text("helo"),
  },
  (table) => [primaryKey({ columns: [table.emailId, table.position] })],
);

/**
 * Messages in quarantine. A separate table, so that readers of `mail` cannot see them by mistake. Their raw bytes and
 * receipts are stored like those of other mail.
 */
export const mailQuarantine = sqliteTable(
  "mail_quarantine",
  {
    quarantineId: integer("quarantine_id").primaryKey(),
    emailId: text("email_id").notNull().unique(),
    rawSha256: blob("raw_sha256", { mode: "buffer" }).notNull(),
    rawBytes: integer("raw_bytes").notNull(),
    receivedAt: integer("received_at").notNull(),
    /** From the message: untrusted text. */
    fromHeader: text("from_header").notNull(),
    subject: text("subject").notNull(),
    reason: text("reason").notNull(),
    /** `{provider, code?, link?}` of a forwarding confirmation. */
    confirmation: text("confirmation", { mode: "json" }),
    /** True if people were notified of it. */
    notified: integer("notified", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    index("mail_quarantine_received").on(table.receivedAt),
    index("mail_quarantine_due")
      .on(table.quarantineId)
      .where(sql`${table.notified} = 0`),
  ],
);

/** Records of rejected messages. The messages themselves are elsewhere. */
export const mailRejections = sqliteTable(
  "mail_rejections",
  {
    rejectionId: text("rejection_id").primaryKey(),
    rejectedAt: integer("rejected_at").notNull(),
    intake: text("intake").notNull(),
    source: text("source").notNull(),
    location: text("location").notNull(),
    bytes: integer("bytes").notNull(),
    /** From the message: untrusted text. */
    fromHeader: text("from_header").notNull(),
    subject: text("subject").notNull(),
    reason: text("reason").notNull(),
  },
  (table) => [index("mail_rejections_at").on(table.rejectedAt)],
);

export const mailAttachments = sqliteTable(
  "mail_attachments",
  {
    mailId: integer("mail_id").notNull(),
    /** From 0, in the order of the message. */
    position: integer("position").notNull(),
    attachmentId: text("attachment_id").notNull(),
    name: text("name"),
    /** The words of its name and the usual extension of its type, with blanks around each, for `filename:`. */
    folded: text("folded").notNull().default(""),
    mediaType: text("media_type").notNull(),
    bytes: integer("bytes").notNull(),
    sha256: text("sha256").notNull(),
    inline: integer("inline", { mode: "boolean" }).notNull(),
    /** The extracted text, if any. */
    textSha256: text("text_sha256"),
    textBytes: integer("text_bytes"),
  },
  (table) => [primaryKey({ columns: [table.mailId, table.position] })],
);

/** The compressed beginning of a message's text, for snippets without requests to a bucket. */
export const mailLeads = sqliteTable("mail_leads", {
  mailId: integer("mail_id").primaryKey(),
  deflated: blob("deflated", { mode: "buffer" }).notNull(),
});

/** Messages for a model summary. A row without a due time was given up. */
export const mailSummaries = sqliteTable(
  "mail_summaries",
  {
    mailId: integer("mail_id").primaryKey(),
    dueAt: integer("due_at"),
    attempts: integer("attempts").notNull().default(0),
    failure: text("failure"),
    claim: text("claim"),
    leaseUntil: integer("lease_until"),
  },
  (table) => [
    index("mail_summaries_due")
      .on(table.dueAt)
      .where(sql`${table.dueAt} is not null`),
  ],
);

/**
 * The keys of objects that a deletion removes after its rows, and `mail_words` for the words of the index. A killed
 * deletion continues from here.
 */
export const mailLeftovers = sqliteTable("mail_leftovers", {
  key: text("key").primaryKey(),
});

/** Counters per day (UTC), with the day of the last count. */
export const dailyCounts = sqliteTable("daily_counts", {
  name: text("name").primaryKey(),
  day: text("day").notNull(),
  count: integer("count").notNull(),
});
