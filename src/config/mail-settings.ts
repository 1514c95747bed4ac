import * as v from "./kinds.ts";
import { setting } from "./kinds.ts";

export const bucketIntake = {
  INGEST_BUCKET_PREFIX: setting(
    v.keyPrefix,
    "The prefix below which another program stores raw messages. It starts at the bucket's root.",
  ),
};

export const summary = {
  SUMMARY_PROVIDER: setting(
    v.oneOf("anthropic", "openai-compatible"),
    "The kind of model service. Without it a summary is the first sentences of the mail, and no mail leaves the machine.",
  ),
  SUMMARY_MODEL: setting(v.text, "The model's name."),
  SUMMARY_API_KEY: setting(
    v.secret,
    "The service's key. A local `openai-compatible` server may not need one.",
  ),
  SUMMARY_BASE_URL: setting(v.httpUrl, "The service's address.", undefined, "the provider's own"),
  // Ten minutes are enough for a long mail on a processor without an accelerator.
  SUMMARY_TIMEOUT_MS: setting(
    v.integer(1_000, 600_000),
    "The time limit of one request for a summary, in milliseconds. A request that takes longer is tried again later.",
    "60000",
  ),
  SUMMARY_CONCURRENCY: setting(
    v.integer(1, 16),
    "The number of summaries that are written at a time.",
    "2",
  ),
  // The import of a year of mail must not cause a large bill.
  SUMMARY_CALLS_PER_DAY: setting(
    v.integer(1, 100_000),
    "The limit on requests per day (UTC), of all processes together. Other mail waits for the next day.",
    "500",
  ),
};

export const mail = {
  // Large providers accept 25 MiB. The ceiling keeps one message within a worker's memory.
  INGEST_MAX_BYTES: setting(
    v.integer(65_536, 157_286_400),
    "The largest message that is accepted, in bytes.",
    "26214400",
  ),
  // Ten years, as with the audit record.
  MAIL_KEEP_DAYS: setting(
    v.integer(1, 3_650),
    "The days after which a received mail is permanently deleted, with its attachments and index entries.",
    undefined,
    "mail is never deleted automatically",
  ),
  OWNER_ADDRESSES: setting(
    v.addresses,
    "Your own addresses. Mail that they forward by hand is shown with its original sender.",
    undefined,
    "forwarded mail is shown with its forwarder as the sender",
  ),
  INGEST_DNS: setting(v.dnsServers, "The DNS servers for SPF, DKIM and DMARC.", "system"),
  TRUSTED_AUTHSERV_ID: setting(
    v.hostName,
    "The name of a mail server that checks your mail, and whose `Authentication-Results` are trusted. It must remove headers with this name from mail that it receives. Over SMTP and LMTP these headers are trusted only from `TRUSTED_RELAYS`.",
  ),
  TRUSTED_RELAYS: setting(
    v.networks,
    "The addresses from which your own mail server delivers over SMTP or LMTP. Only name addresses that no other host can have. Behind Docker's NAT every sender has the gateway's address.",
    undefined,
    "none",
  ),
  MAIL_HIDE_CODES: setting(
    v.oneOf("on", "off"),
    "Hide sign-in codes, reset links and recovery keys from tools, search, summaries and notices. Mail that was processed before does not change.",
    "on",
  ),
  INGEST_SENDERS: setting(
    v.addressesOrDomains,
    "The senders that you accept. All authors in `From` must be listed, or the envelope sender, if SPF verifies its domain. Other mail goes to quarantine.",
    undefined,
    "every sender",
  ),
};

export const mailNotices = {
  NOTIFY_NEW_MAIL: setting(v.flag, "Send notices of new mail to Telegram.", "false"),
};

export const smtp = {
  INGEST_RECIPIENTS: setting(
    v.addressesOrDomains,
    "The accepted recipients. Mail to any other recipient is refused with 550.",
  ),
  SMTP_HOST: setting(v.text, "The address to listen on.", "127.0.0.1"),
  SMTP_PORT: setting(v.port, "The port to listen on; 0 chooses a free port.", "2525"),
  SMTP_PROTOCOL: setting(v.oneOf("smtp", "lmtp"), "The protocol of that port.", "smtp"),
  SMTP_TLS_CERT: setting(v.path, "The certificate for STARTTLS (PEM)."),
  SMTP_TLS_KEY: setting(v.path, "The certificate's key (PEM)."),
};

export const httpIntake = {
  INGEST_HTTP_PORT: setting(
    v.port,
    "The port of `POST /ingest` for raw messages, at `HTTP_HOST`; 0 chooses a free port.",
  ),
  INGEST_HTTP_TOKEN: setting(v.token(16), "The token that a program must send to deliver mail."),
};

export const imap = {
  IMAP_HOST: setting(v.text, "The server of a mailbox that exists only for forwarded mail."),
  IMAP_PORT: setting(
    v.integer(1, 65_535),
    "The server's port. 993 uses TLS from the start. Any other uses STARTTLS, which is optional on loopback only.",
    "993",
  ),
  IMAP_USERNAME: setting(v.text, "The account."),
  IMAP_PASSWORD: setting(v.secret, "The account's password."),
  IMAP_MAILBOX: setting(v.text, "The folder that is read.", "INBOX"),
};
