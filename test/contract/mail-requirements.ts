import type { Requirement } from "./requirement.ts";

/** The requirements for mail. They are part of the list in requirements.ts. */
export const mailRequirements: readonly Requirement[] = [
  { id: "mail.recipients", sentence: "Mail for anybody else is refused with 550." },
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
  { id: "mail.put-off", sentence: "What cannot be kept is put off with a temporary failure." },
  { id: "mail.raw", sentence: "The bytes are kept as received." },
  { id: "mail.readable", sentence: "HTML is read as text: links kept, invisible text removed." },
  { id: "mail.hostile", sentence: "What breaks the parser is kept, listed and readable." },
  {
    id: "mail.search",
    sentence: "Search covers subject, sender, summary and body, in every script.",
  },
  { id: "mail.forwarded", sentence: "What an owner passes on is shown under its true sender." },
  {
    id: "mail.forward-extract",
    sentence:
      "The summary of a forward begins with the forwarded message; the note comes after it.",
  },
  { id: "mail.stranger", sentence: "What anybody else passes on keeps its own headers." },
  { id: "mail.attachment-text", sentence: "Attachments are read as text where there is any." },
  {
    id: "mail.attachment-search",
    sentence: "Search covers the text of attachments, and a hit says in which.",
  },
  { id: "mail.query", sentence: "A query may name fields, exclude words, offer alternatives." },
  { id: "mail.answers-fit", sentence: "Every page of every mail is under 25 000 tokens." },
  { id: "mail.newest", sentence: "An empty query lists the newest." },
  {
    id: "mail.quarantine",
    sentence:
      "Where `INGEST_SENDERS` is set, other mail is kept, listed, releasable and unseen by tools.",
  },
  {
    id: "mail.senders",
    sentence:
      "`INGEST_SENDERS` lets in mail all of whose authors are named, or whose envelope is and is verified.",
  },
  {
    id: "mail.trusted-relay",
    sentence:
      "Over SMTP and LMTP only the relays in `TRUSTED_RELAYS` are believed about a sender, whatever network a peer is in.",
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
      "`mail list` and `mail show` say how far each message is, for people and programs; `mail show` prints its text.",
  },
  {
    id: "mail.quarantine-page",
    sentence:
      "The approval page shows mail in quarantine with its text and sender check, and releases it.",
  },
  { id: "mail.retry", sentence: "What failed is listed with its reason and can be tried again." },
  {
    id: "mail.http",
    sentence:
      "`POST /ingest` takes raw messages with a token: 202 when safe, 401, 413, 503 otherwise.",
  },
  {
    id: "mail.resident",
    sentence:
      "One process holds the resident role; a `serve` takes it 10 s after its first call when nobody does.",
  },
  {
    id: "mail.authenticated",
    sentence:
      "`read_email` says whether the sender's domain vouches: aligned, unverified or failed.",
  },
  {
    id: "mail.without-dns",
    sentence: "Without DNS a message is unverified, never failed, and acceptance does not wait.",
  },
  { id: "mail.forged-owner", sentence: "What failed DMARC is not unwrapped, whoever it names." },
  { id: "mail.summary", sentence: "A summary is one model call, with the mail fenced as data." },
  {
    id: "mail.summary-later",
    sentence: "Without a model, or when it fails, an extract stands in until the model is back.",
  },
  {
    id: "mail.summary-budget",
    sentence: "Model calls of a day are bounded, over restarts and processes.",
  },
  { id: "mail.summary-retry", sentence: "`mail retry --summaries` replaces extracts." },
  { id: "mail.unfetched", sentence: "Results of mail tools say when nobody fetches mail." },
  {
    id: "mail.smtp-bounds",
    sentence:
      "Connections, recipients, commands and the time of a message are bounded over SMTP and LMTP.",
  },
  {
    id: "mail.smtp-shares",
    sentence: "No network holds the SMTP connections that another needs to deliver.",
  },
  {
    id: "mail.esmtp",
    sentence:
      "SMTP announces the largest size, pipelining, 8BITMIME and SMTPUTF8, and keeps what it announces.",
  },
  {
    id: "mail.smtp-whole",
    sentence: "What ends a message is one sequence; nothing in it becomes a second message.",
  },
  {
    id: "mail.starttls",
    sentence: "STARTTLS is there where a certificate is, and nothing said before it counts.",
  },
  {
    id: "mail.relay",
    sentence: "A relay hands mail on over SMTP and LMTP, also what waited while nobody listened.",
  },
  {
    id: "mail.imap",
    sentence:
      "A mailbox and its junk folder are emptied: what is kept is moved away, what cannot be taken goes where it is seen.",
  },
  {
    id: "mail.bucket",
    sentence:
      "Raw messages under a prefix of the bucket are taken in once, and removed when they are safe.",
  },
  {
    id: "mail.import",
    sentence: "`import` tells each message and returns when they can be found.",
  },
  { id: "mail.import-progress", sentence: "On a terminal `import` shows how far it is." },
];
