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

// All times are milliseconds since 1970. Beside these tables stands `mail_words`, the FTS5 index (a migration of its own).

/** Who mail came from, each once: a search by sender goes through these and not through all mail. */
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

/** Who mail went to, each once. As with senders, a search goes through these. */
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

/** Which message that can be found went to whom, To and Cc alike. WITHOUT ROWID, which only the migration can say. */
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

/** One row a message, however often it arrived. */
export const mail = sqliteTable(
  "mail",
  {
    mailId: integer("mail_id").primaryKey(),
    emailId: text("email_id").notNull().unique(),
    rawSha256: text("raw_sha256").notNull(),
    rawBytes: integer("raw_bytes").notNull(),
    receivedAt: integer("received_at").notNull(),

    /** The step that comes next, or that failed; null when all are done. */
    step: text("step"),
    attempts: integer("attempts").notNull().default(0),
    /** When the step is due; null when nothing is. */
    dueAt: integer("due_at"),
    failure: text("failure"),
    claim: text("claim"),
    leaseUntil: integer("lease_until"),

    /** Set when the message can be found. Grows with its date, so that the newest are at one end: see mail-order.ts. */
    searchId: integer("search_id").unique(),
    senderId: integer("sender_id"),
    senderSource: text("sender_source").notNull().default("header"),
    forwardedBy: text("forwarded_by"),
    recipients: text("recipients"),
    /** `{spf?, dkim?, dmarc?, from}` as JSON. */
    authentication: text("authentication"),
    subject: text("subject").notNull().default(""),
    date: integer("date"),
    textSha256: text("text_sha256"),
    textBytes: integer("text_bytes"),
    parseProblem: text("parse_problem"),
    /** 1 where the text part and the page say different things. */
    partsDiffer: integer("parts_differ"),
    attachmentCount: integer("attachment_count").notNull().default(0),
    summary: text("summary"),
    summarySource: text("summary_source"),
    /** `due` while people are to be told of it, then `told`; null where nobody is. */
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
    // The other way round: whether one message is from any of many, without reading its row.
    index("mail_with_sender").on(table.searchId, table.senderId),
    index("mail_with_attachment")
      .on(table.searchId)
      .where(sql`${table.attachmentCount} > 0`),
    index("mail_notices")
      .on(table.mailId)
      .where(sql`${table.notice} = 'due'`),
    index("mail_received")
      .on(table.receivedAt)
      .where(sql`${table.searchId} is not null`),
  ],
);

/**
 * The bytes of messages that came in just now, until they are in the object store: so they are durable with their row, in
 * one commit.
 */
export const mailInbox = sqliteTable("mail_inbox", {
  mailId: integer("mail_id").primaryKey(),
  raw: blob("raw", { mode: "buffer" }).notNull(),
});

/** One row an arrival. */
export const mailReceipts = sqliteTable(
  "mail_receipts",
  {
    receiptId: integer("receipt_id").primaryKey(),
    emailId: text("email_id").notNull(),
    receivedAt: integer("received_at").notNull(),
    intake: text("intake").notNull(),
    rawSha256: text("raw_sha256").notNull(),
    bytes: integer("bytes").notNull(),
    envelopeFrom: text("envelope_from"),
    envelopeTo: text("envelope_to", { mode: "json" }),
    peer: text("peer"),
    helo: text("helo"),
  },
  (table) => [index("mail_receipts_of").on(table.emailId)],
);

/**
 * Messages that nobody vouched for. A table of their own: whatever reads `mail` cannot see them by mistake. Their raw bytes
 * and receipts lie where those of all mail do.
 */
export const mailQuarantine = sqliteTable(
  "mail_quarantine",
  {
    quarantineId: integer("quarantine_id").primaryKey(),
    emailId: text("email_id").notNull().unique(),
    rawSha256: text("raw_sha256").notNull(),
    rawBytes: integer("raw_bytes").notNull(),
    receivedAt: integer("received_at").notNull(),
    /** As the message has it: a stranger's word. */
    fromHeader: text("from_header").notNull(),
    subject: text("subject").notNull(),
    reason: text("reason").notNull(),
    /** `{provider, code?, link?}` where a provider asks whether to forward. */
    confirmation: text("confirmation", { mode: "json" }),
    /** People were told that it waits. */
    told: integer("told", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    index("mail_quarantine_received").on(table.receivedAt),
    index("mail_quarantine_untold")
      .on(table.quarantineId)
      .where(sql`${table.told} = 0`),
  ],
);

/** Messages that lie elsewhere and could not be taken from there: nothing of them is here but this. */
export const mailRefusals = sqliteTable(
  "mail_refusals",
  {
    refusalId: text("refusal_id").primaryKey(),
    refusedAt: integer("refused_at").notNull(),
    intake: text("intake").notNull(),
    source: text("source").notNull(),
    liesIn: text("lies_in").notNull(),
    bytes: integer("bytes").notNull(),
    /** As the message has it: a stranger's word. */
    fromHeader: text("from_header").notNull(),
    subject: text("subject").notNull(),
    reason: text("reason").notNull(),
  },
  (table) => [index("mail_refusals_at").on(table.refusedAt)],
);

export const mailAttachments = sqliteTable(
  "mail_attachments",
  {
    mailId: integer("mail_id").notNull(),
    /** From 0, in the order of the message. */
    position: integer("position").notNull(),
    attachmentId: text("attachment_id").notNull(),
    name: text("name"),
    /** The words of its name, and the usual ending of its type, with a blank around each: what `filename:` looks through. */
    folded: text("folded").notNull().default(""),
    mediaType: text("media_type").notNull(),
    bytes: integer("bytes").notNull(),
    sha256: text("sha256").notNull(),
    inline: integer("inline", { mode: "boolean" }).notNull(),
    /** The text read out of it, where it has any. */
    textSha256: text("text_sha256"),
    textBytes: integer("text_bytes"),
  },
  (table) => [primaryKey({ columns: [table.mailId, table.position] })],
);

/** How the text of a message begins, compressed, so that a search can show its hits without going to the object store. */
export const mailLeads = sqliteTable("mail_leads", {
  mailId: integer("mail_id").primaryKey(),
  deflated: blob("deflated", { mode: "buffer" }).notNull(),
});

/** Messages whose summary a model is to write. A row stays, with nothing due, where that was given up. */
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

/** What may be done so often a day: how often it was, on the day of the last time (UTC). */
export const dailyCounts = sqliteTable("daily_counts", {
  name: text("name").primaryKey(),
  day: text("day").notNull(),
  count: integer("count").notNull(),
});
