import type { SettingName } from "../../src/config/settings.ts";

/**
 * The test that changes a setting through `.env` (`newHome`, `openIngestWorld` and `writeSettings` write it there) and
 * sees the effect in the built program. A new setting needs a place here.
 */
interface Proof {
  /** Below `test/`. */
  file: string;
  /** The beginning of the test's name. */
  name: string;
  settings: readonly SettingName[];
}

const effects = "protocol/setting-effects.test.ts";
const outside = "protocol/setting-effects-outside.test.ts";

export const settingProofs: readonly Proof[] = [
  {
    file: "protocol/oauth-pages.test.ts",
    name: "answers the pages of ALLOWED_ORIGINS",
    settings: ["ALLOWED_ORIGINS"],
  },
  {
    file: effects,
    name: "listens, authorises and shows the page",
    settings: ["HTTP_HOST", "HTTP_PORT", "HTTP_TOKENS", "PUBLIC_URL", "ALLOWED_HOSTS", "APPROVERS"],
  },
  {
    file: effects,
    name: "asks, counts, keeps and searches",
    settings: [
      "DATABASE_URL",
      "APPROVAL_TTL_SECONDS",
      "APPROVAL_WAIT_MS",
      "UNDO_HOURS",
      "POLICY_FILE",
      "SERVERS_FILE",
      "TOOL_CALLS_PER_TURN",
      "HIGH_RISK_CALLS_PER_TURN",
      "TAVILY_API_KEY",
      "TAVILY_BASE_URL",
      "TZ",
    ],
  },
  {
    file: effects,
    name: "shows sign-in codes with MAIL_HIDE_CODES",
    settings: ["MAIL_HIDE_CODES"],
  },
  {
    file: effects,
    name: "prints the stack of an unexpected error at LOG_LEVEL=debug",
    settings: ["LOG_LEVEL"],
  },
  {
    file: effects,
    name: "limits calls per minute",
    settings: ["TOOL_CALLS_PER_MINUTE"],
  },
  {
    file: effects,
    name: "receives mail at the address of SMTP_HOST",
    settings: ["SMTP_HOST", "SMTP_PORT", "INGEST_RECIPIENTS"],
  },
  {
    file: effects,
    name: "keeps its data where the file of --env-file says",
    settings: ["COUNTERSIGN_DATA_DIR"],
  },
  {
    file: outside,
    name: "renew the calendar's token and follow its partition",
    settings: [
      "CALDAV_URL",
      "CALDAV_AUTH",
      "CALDAV_OAUTH_CLIENT_ID",
      "CALDAV_OAUTH_CLIENT_SECRET",
      "CALDAV_OAUTH_REFRESH_TOKEN",
      "CALDAV_OAUTH_TOKEN_URL",
      "CALDAV_ALLOWED_HOSTS",
    ],
  },
  {
    file: "protocol/calendar.test.ts",
    name: "may omit the offset if timeZone is given",
    settings: ["CALDAV_USERNAME", "CALDAV_PASSWORD", "CALDAV_CALENDAR"],
  },
  {
    file: outside,
    name: "get requests signed for the bucket's region",
    settings: ["S3_REGION", "S3_FORCE_PATH_STYLE"],
  },
  {
    file: "protocol/s3.test.ts",
    name: "[store.end-to-end] keeps files in the bucket",
    settings: ["S3_BUCKET", "S3_ENDPOINT", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY", "S3_PREFIX"],
  },
  {
    file: outside,
    name: "are read for mail in the folder that IMAP_MAILBOX names",
    settings: ["IMAP_HOST", "IMAP_PORT", "IMAP_USERNAME", "IMAP_PASSWORD", "IMAP_MAILBOX"],
  },
  {
    file: outside,
    name: "have no part in the record",
    settings: ["AUDIT_KEEP_DAYS"],
  },
  {
    file: "protocol/remove.test.ts",
    name: "is finished by a repeat, wherever it was killed, and leaves",
    settings: ["DATABASE_AUTH_TOKEN"],
  },
  { file: "protocol/oauth.test.ts", name: "lets the official client", settings: ["OAUTH"] },
  {
    file: "protocol/oauth-issuer.test.ts",
    name: "is the authorization server that clients are sent to",
    settings: ["OAUTH_ISSUER"],
  },
  {
    file: "protocol/oauth-issuer.test.ts",
    name: "change the audience and the claim",
    settings: ["OAUTH_AUDIENCE", "OAUTH_CALLER_CLAIM"],
  },
  { file: "protocol/page-open.test.ts", name: "stays closed: %s", settings: ["APPROVAL_OPEN"] },
  {
    file: "protocol/search-files.test.ts",
    name: "is listed only with FILE_SEARCH",
    settings: ["FILE_SEARCH"],
  },
  {
    file: "protocol/flow.test.ts",
    name: "is compared with content of the last $hours hours",
    settings: ["FLOW_HOURS"],
  },
  {
    file: "protocol/upstream-search.test.ts",
    name: "stay in the list up to TOOL_LIST_TOKENS",
    settings: ["TOOL_LIST_TOKENS"],
  },
  {
    file: "protocol/telegram.test.ts",
    name: "ignores presses of others in a listed chat",
    settings: [
      "TELEGRAM_BOT_TOKEN",
      "TELEGRAM_CHAT_ID",
      "TELEGRAM_APPROVER_IDS",
      "TELEGRAM_API_URL",
    ],
  },
  {
    file: "protocol/digest.test.ts",
    name: "is sent only if it has content, and only after its time",
    settings: ["DIGEST_AT"],
  },
  {
    file: "protocol/telegram-mail.test.ts",
    name: "is counted if imported or in quarantine",
    settings: ["NOTIFY_NEW_MAIL"],
  },
  {
    file: "protocol/chat.test.ts",
    name: "calls the model that ASSISTANT_MODEL names",
    settings: [
      "ASSISTANT_PROVIDER",
      "ASSISTANT_MODEL",
      "ASSISTANT_API_KEY",
      "ASSISTANT_BASE_URL",
      "ASSISTANT_MAX_STEPS",
    ],
  },
  {
    file: "protocol/chat.test.ts",
    name: "reports %s of the service",
    settings: ["ASSISTANT_TIMEOUT_MS"],
  },
  {
    file: "protocol/telegram-assistant.test.ts",
    name: "answers in the chat with tools",
    settings: ["ASSISTANT_TELEGRAM"],
  },
  {
    file: "integration/mail-bucket.test.ts",
    name: "is imported once by several processes and then removed",
    settings: ["INGEST_BUCKET_PREFIX"],
  },
  {
    file: "integration/mail-smtp.test.ts",
    name: "that is too large is refused",
    settings: ["INGEST_MAX_BYTES"],
  },
  {
    file: "protocol/mail-keep.test.ts",
    name: "mail older than MAIL_KEEP_DAYS is deleted",
    settings: ["MAIL_KEEP_DAYS"],
  },
  {
    file: "protocol/mail.test.ts",
    name: "that an owner forwarded names its sender",
    settings: ["OWNER_ADDRESSES"],
  },
  {
    file: "integration/mail-trust.test.ts",
    name: "is acknowledged immediately and searchable later if DNS does not answer",
    settings: ["INGEST_DNS"],
  },
  {
    file: "integration/mail-quarantine.test.ts",
    name: "is not mail that names a listed sender in %s",
    settings: ["INGEST_SENDERS", "TRUSTED_AUTHSERV_ID", "TRUSTED_RELAYS"],
  },
  {
    file: "integration/mail-smtp.test.ts",
    name: "a certificate is renewed at SIGHUP",
    settings: ["SMTP_TLS_CERT", "SMTP_TLS_KEY"],
  },
  {
    file: "integration/mail-relay.test.ts",
    name: "over %s waits there without a listener",
    settings: ["SMTP_PROTOCOL"],
  },
  {
    file: "integration/mail-http.test.ts",
    name: "answers 202 with the id of a stored message",
    settings: ["INGEST_HTTP_PORT", "INGEST_HTTP_TOKEN"],
  },
  {
    file: "integration/mail-summaries.test.ts",
    name: "is requested for at most SUMMARY_CONCURRENCY mails at a time",
    settings: [
      "SUMMARY_PROVIDER",
      "SUMMARY_MODEL",
      "SUMMARY_API_KEY",
      "SUMMARY_BASE_URL",
      "SUMMARY_CONCURRENCY",
    ],
  },
  {
    file: "integration/mail-summaries.test.ts",
    name: "arrives later if the service fails, is slow",
    settings: ["SUMMARY_TIMEOUT_MS"],
  },
  {
    file: "integration/mail-summaries.test.ts",
    name: "are counted across restarts",
    settings: ["SUMMARY_CALLS_PER_DAY"],
  },
];
