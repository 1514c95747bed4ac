import type { Requirement } from "./requirement.ts";

/** The requirements for mail. They are part of the list in requirements.ts. */
export const mailRequirements: readonly Requirement[] = [
  { id: "mail.recipients", sentence: "Mail to other recipients is refused with 550." },
  { id: "mail.durable-first", sentence: "Raw bytes and row are durable before `250 OK`." },
  {
    id: "mail.no-loss",
    sentence: "A kill at any moment loses no acknowledged message and makes no duplicate.",
  },
  {
    id: "mail.handled-once",
    sentence: "No two processes on one database work on the same message.",
  },
  { id: "mail.idempotent", sentence: "A second arrival adds a receipt, not a mail." },
  { id: "mail.put-off", sentence: "A message that cannot be stored gets a temporary failure." },
  { id: "mail.raw", sentence: "The bytes are kept as received." },
  { id: "mail.readable", sentence: "HTML is read as text: links kept, invisible text removed." },
  {
    id: "mail.hostile",
    sentence: "A message that breaks the parser is stored, listed and readable.",
  },
  {
    id: "mail.search",
    sentence: "Search covers subject, sender, summary and body, in every script.",
  },
  {
    id: "mail.forwarded",
    sentence: "A message that an owner forwards is shown with its original sender.",
  },
  {
    id: "mail.forward-extract",
    sentence: "The summary of a forward begins with the forwarded message. The note follows.",
  },
  {
    id: "mail.forward-by-others",
    sentence: "A message that another person forwards keeps its own headers.",
  },
  { id: "mail.attachment-text", sentence: "Attachments are read as text if they have any." },
  {
    id: "mail.attachment-search",
    sentence: "Search covers the text of attachments, and a hit says in which.",
  },
  { id: "mail.query", sentence: "A query may name fields, exclude words, offer alternatives." },
  { id: "mail.results-fit", sentence: "Every page of every mail is under 25 000 tokens." },
  { id: "mail.newest", sentence: "An empty query lists the newest." },
  {
    id: "mail.quarantine",
    sentence:
      "If `INGEST_SENDERS` is set, other mail is stored, listed, releasable and hidden from tools.",
  },
  {
    id: "mail.senders",
    sentence:
      "`INGEST_SENDERS` accepts mail if it names all authors, or the envelope sender and that is verified.",
  },
  {
    id: "mail.trusted-relay",
    sentence:
      "Over SMTP and LMTP only the relays in `TRUSTED_RELAYS` are trusted about a sender, whatever network a peer is in.",
  },
  {
    id: "mail.confirmation",
    sentence: "A provider's forwarding confirmation is recognised and shown, and no tool sees it.",
  },
  {
    id: "mail.delete",
    sentence: "`mail delete` removes row, index and objects, and is in the audit record.",
  },
  {
    id: "mail.desk",
    sentence:
      "`mail list` and `mail show` show the progress of each message, for people and programs. `mail show` prints its text.",
  },
  {
    id: "mail.quarantine-page",
    sentence:
      "The approval page shows mail in quarantine with its text and sender check, and releases it.",
  },
  {
    id: "mail.retry",
    sentence: "A failed message is listed with its reason and can be processed again.",
  },
  {
    id: "mail.http",
    sentence:
      "`POST /ingest` accepts raw messages with a token: 202 when stored, 401, 413, 503 otherwise.",
  },
  {
    id: "mail.leader",
    sentence:
      "One process is the leader. A `serve` becomes the leader 10 s after its first call, if there is no other.",
  },
  {
    id: "mail.authenticated",
    sentence:
      "`read_email` returns the check of the sender's domain: aligned, unverified or failed.",
  },
  {
    id: "mail.without-dns",
    sentence: "Without DNS a message is unverified, never failed, and acceptance does not wait.",
  },
  {
    id: "mail.forged-owner",
    sentence: "A message that failed DMARC is not unwrapped, whatever sender it names.",
  },
  { id: "mail.summary", sentence: "A summary is one model call, with the mail fenced as data." },
  {
    id: "mail.summary-later",
    sentence: "Without a model, or while it fails, an extract is the summary.",
  },
  {
    id: "mail.summary-budget",
    sentence: "Model calls per day are limited, across restarts and processes.",
  },
  { id: "mail.summary-retry", sentence: "`mail retry --summaries` replaces extracts." },
  { id: "mail.unfetched", sentence: "Results of mail tools say when no process fetches mail." },
  {
    id: "mail.smtp-bounds",
    sentence:
      "Connections, recipients, commands and the time of a message are limited over SMTP and LMTP.",
  },
  {
    id: "mail.smtp-shares",
    sentence: "A network cannot occupy the SMTP connections that another needs.",
  },
  {
    id: "mail.esmtp",
    sentence:
      "SMTP announces the largest size, pipelining, 8BITMIME and SMTPUTF8, and supports them.",
  },
  {
    id: "mail.smtp-whole",
    sentence: "One sequence ends a message. Content of a message never becomes a second message.",
  },
  {
    id: "mail.starttls",
    sentence: "STARTTLS is offered if there is a certificate, and commands before it do not count.",
  },
  {
    id: "mail.relay",
    sentence: "A relay delivers mail over SMTP and LMTP, also mail that waited for a listener.",
  },
  {
    id: "mail.imap",
    sentence:
      "A mailbox and its junk folder are emptied: stored mail moves to one folder, rejected mail to another.",
  },
  {
    id: "mail.bucket",
    sentence:
      "Raw messages under a prefix of the bucket are accepted once, and removed when they are stored.",
  },
  {
    id: "mail.import",
    sentence: "`import` reports each message and returns when they can be found.",
  },
  { id: "mail.import-progress", sentence: "On a terminal `import` shows its progress." },
];
