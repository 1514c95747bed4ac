import type { SettingName } from "../../src/config/settings.ts";

/** A value of each setting that is not its default, and what has to be set beside it. A new setting needs a row. */
interface Sample {
  value: string;
  with?: Partial<Record<SettingName, string>>;
}

const bucket = { S3_BUCKET: "b", S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "secret" };
const calendar = { CALDAV_USERNAME: "me", CALDAV_PASSWORD: "secret", CALDAV_CALENDAR: "Work" };
const oauth = {
  CALDAV_USERNAME: "me",
  CALDAV_CALENDAR: "Work",
  CALDAV_AUTH: "oauth",
  CALDAV_OAUTH_CLIENT_ID: "id",
  CALDAV_OAUTH_CLIENT_SECRET: "secret",
  CALDAV_OAUTH_REFRESH_TOKEN: "token",
};
const otherIssuer = {
  OAUTH: "on",
  PUBLIC_URL: "https://me.example.org",
  OAUTH_ISSUER: "https://other.example.org/",
};
const summary = {
  SUMMARY_PROVIDER: "anthropic",
  SUMMARY_MODEL: "model",
  SUMMARY_API_KEY: "secret",
};
const smtp = { INGEST_RECIPIENTS: "me@example.org" };
const tls = { ...smtp, SMTP_TLS_CERT: "cert.pem", SMTP_TLS_KEY: "key.pem" };
const upload = { INGEST_HTTP_PORT: "8100", INGEST_HTTP_TOKEN: "a-token-of-16-chars" };
const imap = { IMAP_HOST: "mail.example.org", IMAP_USERNAME: "me", IMAP_PASSWORD: "secret" };
const telegram = {
  TELEGRAM_BOT_TOKEN: "1:a",
  TELEGRAM_CHAT_ID: "12",
  TELEGRAM_APPROVER_IDS: "12",
};
const assistant = {
  ASSISTANT_PROVIDER: "anthropic",
  ASSISTANT_MODEL: "model",
  ASSISTANT_API_KEY: "secret",
};
const remote = { DATABASE_URL: "https://db.example.org" };

export const settingSamples: Readonly<Record<SettingName, Sample>> = {
  COUNTERSIGN_DATA_DIR: { value: "/nowhere/countersign" },
  LOG_LEVEL: { value: "debug" },
  TZ: { value: "Asia/Tokyo" },
  DATABASE_URL: { value: "file:other.db" },
  DATABASE_AUTH_TOKEN: { value: "other", with: { ...remote, DATABASE_AUTH_TOKEN: "token" } },
  S3_BUCKET: { value: "other", with: bucket },
  S3_ENDPOINT: { value: "http://127.0.0.1:9000", with: bucket },
  S3_REGION: { value: "eu-central-1", with: bucket },
  S3_ACCESS_KEY_ID: { value: "other", with: bucket },
  S3_SECRET_ACCESS_KEY: { value: "other", with: bucket },
  S3_PREFIX: { value: "mine/", with: bucket },
  S3_FORCE_PATH_STYLE: { value: "true", with: bucket },
  INGEST_BUCKET_PREFIX: { value: "incoming/", with: bucket },
  CALDAV_URL: { value: "https://dav.example.org", with: calendar },
  CALDAV_USERNAME: { value: "other", with: calendar },
  CALDAV_AUTH: {
    value: "oauth",
    with: { ...oauth, CALDAV_PASSWORD: "secret", CALDAV_AUTH: "basic" },
  },
  CALDAV_PASSWORD: { value: "other", with: calendar },
  CALDAV_OAUTH_CLIENT_ID: { value: "other", with: oauth },
  CALDAV_OAUTH_CLIENT_SECRET: { value: "other", with: oauth },
  CALDAV_OAUTH_REFRESH_TOKEN: { value: "other", with: oauth },
  CALDAV_OAUTH_TOKEN_URL: { value: "https://example.org/token", with: oauth },
  CALDAV_CALENDAR: { value: "Home", with: calendar },
  CALDAV_ALLOWED_HOSTS: { value: ".example.org", with: calendar },
  TAVILY_API_KEY: { value: "tvly-1" },
  TAVILY_BASE_URL: { value: "http://127.0.0.1:9000", with: { TAVILY_API_KEY: "tvly-1" } },
  SUMMARY_PROVIDER: { value: "openai-compatible", with: summary },
  SUMMARY_MODEL: { value: "other", with: summary },
  SUMMARY_API_KEY: { value: "other", with: summary },
  SUMMARY_BASE_URL: { value: "http://127.0.0.1:9000", with: summary },
  SUMMARY_TIMEOUT_MS: { value: "2000", with: summary },
  SUMMARY_CONCURRENCY: { value: "3", with: summary },
  SUMMARY_CALLS_PER_DAY: { value: "7", with: summary },
  INGEST_MAX_BYTES: { value: "65536" },
  MAIL_KEEP_DAYS: { value: "90" },
  OWNER_ADDRESSES: { value: "me@example.org" },
  INGEST_DNS: { value: "off" },
  TRUSTED_AUTHSERV_ID: { value: "mx.example.org" },
  TRUSTED_RELAYS: { value: "10.1.2.0/24" },
  MAIL_HIDE_CODES: { value: "off" },
  INGEST_SENDERS: { value: "@example.org" },
  NOTIFY_NEW_MAIL: { value: "true", with: telegram },
  INGEST_RECIPIENTS: { value: "me@example.org" },
  SMTP_HOST: { value: "127.0.0.2", with: smtp },
  SMTP_PORT: { value: "2526", with: smtp },
  SMTP_PROTOCOL: { value: "lmtp", with: smtp },
  SMTP_TLS_CERT: { value: "other.pem", with: tls },
  SMTP_TLS_KEY: { value: "other.pem", with: tls },
  INGEST_HTTP_PORT: { value: "8200", with: upload },
  INGEST_HTTP_TOKEN: { value: "another-token-of-16", with: upload },
  IMAP_HOST: { value: "other.example.org", with: imap },
  IMAP_PORT: { value: "143", with: imap },
  IMAP_USERNAME: { value: "other", with: imap },
  IMAP_PASSWORD: { value: "other", with: imap },
  IMAP_MAILBOX: { value: "Forwarded", with: imap },
  HTTP_HOST: { value: "127.0.0.2" },
  HTTP_PORT: { value: "8765" },
  HTTP_TOKENS: { value: "alice:a-token-of-16-chars" },
  PUBLIC_URL: { value: "https://me.example.org" },
  OAUTH: {
    value: "on",
    with: {
      PUBLIC_URL: "https://me.example.org",
      APPROVERS: "alice:a-secret-of-hers-that-is-long",
    },
  },
  OAUTH_ISSUER: { value: "https://sign-in.example.org/", with: otherIssuer },
  OAUTH_AUDIENCE: { value: "countersign", with: otherIssuer },
  OAUTH_CALLER_CLAIM: { value: "email", with: otherIssuer },
  ALLOWED_HOSTS: { value: "me.example.org" },
  ALLOWED_ORIGINS: { value: "https://pages.example.org" },
  APPROVERS: { value: "alice:a-secret-of-hers-that-is-long" },
  APPROVAL_TTL_SECONDS: { value: "120" },
  APPROVAL_WAIT_MS: { value: "200" },
  APPROVAL_OPEN: { value: "never" },
  FILE_SEARCH: { value: "true" },
  UNDO_HOURS: { value: "2" },
  FLOW_HOURS: { value: "2" },
  AUDIT_KEEP_DAYS: { value: "30" },
  POLICY_FILE: { value: "policy.json" },
  SERVERS_FILE: { value: "upstream.json" },
  TOOL_LIST_TOKENS: { value: "500" },
  TOOL_CALLS_PER_MINUTE: { value: "9" },
  TOOL_CALLS_PER_TURN: { value: "8" },
  HIGH_RISK_CALLS_PER_TURN: { value: "1" },
  TELEGRAM_BOT_TOKEN: { value: "2:b", with: telegram },
  TELEGRAM_CHAT_ID: { value: "13", with: telegram },
  TELEGRAM_APPROVER_IDS: { value: "13", with: telegram },
  TELEGRAM_API_URL: { value: "http://127.0.0.1:9000", with: telegram },
  DIGEST_AT: { value: "06:30", with: telegram },
  ASSISTANT_TELEGRAM: { value: "true", with: { ...telegram, ...assistant } },
  ASSISTANT_PROVIDER: { value: "openai-compatible", with: assistant },
  ASSISTANT_MODEL: { value: "other", with: assistant },
  ASSISTANT_API_KEY: { value: "other", with: assistant },
  ASSISTANT_BASE_URL: { value: "http://127.0.0.1:9000", with: assistant },
  ASSISTANT_MAX_STEPS: { value: "3", with: assistant },
  ASSISTANT_TIMEOUT_MS: { value: "2000", with: assistant },
};
