import * as v from "./kinds.ts";
import { setting, type Setting } from "./kinds.ts";
import { assistant } from "./assistant-settings.ts";
import {
  bucketIntake,
  httpIntake,
  imap,
  mail,
  mailNotices,
  smtp,
  summary,
} from "./mail-settings.ts";

const general = {
  COUNTERSIGN_DATA_DIR: setting(
    v.fullPath,
    "The directory of the database, the object store and `.env`.",
    undefined,
    "the default directory of the operating system",
  ),
  LOG_LEVEL: setting(
    v.oneOf("debug", "info", "warn", "error"),
    "The lowest level of messages in the log.",
    "info",
  ),
  TZ: setting(
    v.timeZone,
    "Your time zone, for the approval page, dialogs and the diary.",
    undefined,
    "the machine's",
  ),
};

const database = {
  DATABASE_URL: setting(
    v.databaseUrl,
    "The libSQL database.",
    undefined,
    "`countersign.db` in the data directory",
  ),
  DATABASE_AUTH_TOKEN: setting(v.secret, "The token of a remote libSQL server."),
};

const s3 = {
  S3_BUCKET: setting(v.text, "The bucket for files, mail and undo copies."),
  S3_ENDPOINT: setting(v.httpUrl, "The store's URL.", undefined, "Amazon's, by region"),
  S3_REGION: setting(v.text, "The bucket's region.", "us-east-1"),
  S3_ACCESS_KEY_ID: setting(v.text, "The access key's id."),
  S3_SECRET_ACCESS_KEY: setting(v.secret, "The access key's secret."),
  S3_PREFIX: setting(v.keyPrefix, "The prefix of all keys in the bucket."),
  S3_FORCE_PATH_STYLE: setting(
    v.flag,
    "Put the bucket's name into the path instead of the host name.",
    undefined,
    "`true` with `S3_ENDPOINT`, else `false`",
  ),
};

const calendar = {
  CALDAV_URL: setting(v.httpUrl, "The CalDAV server.", "https://caldav.icloud.com"),
  CALDAV_USERNAME: setting(v.text, "The account."),
  CALDAV_AUTH: setting(
    v.oneOf("basic", "oauth"),
    "The kind of sign-in: `basic` needs `CALDAV_PASSWORD`, `oauth` (Google) the `CALDAV_OAUTH_` settings.",
    "basic",
  ),
  CALDAV_PASSWORD: setting(
    v.secret,
    "The account's password; iCloud needs an app-specific password.",
  ),
  CALDAV_OAUTH_CLIENT_ID: setting(v.text, "The OAuth client's id."),
  CALDAV_OAUTH_CLIENT_SECRET: setting(v.secret, "The OAuth client's secret."),
  CALDAV_OAUTH_REFRESH_TOKEN: setting(v.secret, "The refresh token."),
  CALDAV_OAUTH_TOKEN_URL: setting(
    v.httpsUrl,
    "The address that renews access tokens.",
    "https://oauth2.googleapis.com/token",
  ),
  CALDAV_CALENDAR: setting(
    v.text,
    "The calendar's name, or its address if two calendars share a name. No other calendar is used.",
  ),
  CALDAV_ALLOWED_HOSTS: setting(
    v.listOf("host names, or `.suffix` for every host below it", (item) =>
      /^\.?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::\d+)?$/.test(item) ? item.toLowerCase() : undefined,
    ),
    "Further hosts that may receive requests and the password, in addition to the host of `CALDAV_URL`.",
    undefined,
    "`.icloud.com` with iCloud, else none",
  ),
};

const webSearch = {
  TAVILY_API_KEY: setting(v.secret, "The key of the search service."),
  TAVILY_BASE_URL: setting(v.httpUrl, "The search service's address.", "https://api.tavily.com"),
};

const http = {
  HTTP_HOST: setting(v.text, "The address to listen on.", "127.0.0.1"),
  HTTP_PORT: setting(v.port, "The port to listen on; 0 chooses a free port.", "8080"),
  // Tokens are pasted and not typed, so a minimum of 16 characters is no burden.
  HTTP_TOKENS: setting(
    v.namedSecrets(16),
    "The callers and their tokens. The name identifies the caller in approval requests and in the audit record.",
    undefined,
    "created and printed at the first start, unless `OAUTH=on`",
  ),
  PUBLIC_URL: setting(v.httpsUrl, "The public address. Required unless `HTTP_HOST` is loopback."),
  OAUTH: setting(
    v.oneOf("on", "off"),
    "Let clients sign in with OAuth, as claude.ai and ChatGPT do. Needs `PUBLIC_URL` and `APPROVERS`.",
    "off",
  ),
  OAUTH_ISSUER: setting(
    v.httpsUrl,
    "Your organisation's own authorization server, exactly as it names itself in its tokens. Needs `OAUTH=on`.",
    undefined,
    "Countersign's own authorization server, where approvers sign in",
  ),
  OAUTH_AUDIENCE: setting(
    v.text,
    "The audience that tokens of `OAUTH_ISSUER` must have.",
    undefined,
    "`PUBLIC_URL` with `/mcp`",
  ),
  OAUTH_CALLER_CLAIM: setting(
    v.text,
    "The claim in tokens of `OAUTH_ISSUER` that names the caller.",
    "sub",
  ),
  ALLOWED_HOSTS: setting(
    v.listOf("host names", (item) =>
      /^[A-Za-z0-9.:[\]-]+$/.test(item) ? item.toLowerCase() : undefined,
    ),
    "The accepted values of the `Host` header.",
    undefined,
    "loopback names and the host of `PUBLIC_URL`",
  ),
  ALLOWED_ORIGINS: setting(
    v.listOf("origins such as `https://host`", (item) =>
      URL.canParse(item) && new URL(item).origin === item ? item : undefined,
    ),
    "Origins of web pages that may send MCP requests. Pages of `ALLOWED_HOSTS` always may.",
    undefined,
    "with `OAUTH=on` `https://claude.ai`, `https://claude.com` and `https://chatgpt.com`, else none",
  ),
};

const approvals = {
  // Guesses from many networks are slowed down but not all refused, because a flood of guesses could otherwise lock a
  // person out. The length makes guessing hopeless.
  APPROVERS: setting(
    v.namedSecrets(16),
    "The approvers and their secrets. `operator` decides for every caller, any other name for the caller of that name.",
  ),
  APPROVAL_TTL_SECONDS: setting(
    v.integer(60, 604_800),
    "The time for which an approval request stays open.",
    "86400",
  ),
  // Clients give up after 60 s. A response after more than 45 s may come too late.
  APPROVAL_WAIT_MS: setting(
    v.integer(100, 45_000),
    "The time for which a call waits for a decision before it returns.",
    "10000",
  ),
  APPROVAL_OPEN: setting(
    v.text,
    "How the approval page opens in your browser: `auto`, `never`, or a command that receives the path.",
    "auto",
  ),
};

const files = {
  FILE_SEARCH: setting(
    v.flag,
    "Index the words of your files, and offer the tool `search_files`.",
    "false",
  ),
  UNDO_HOURS: setting(
    v.integer(1, 720),
    "The time for which replaced and deleted files and events can be restored.",
    "24",
  ),
};

const record = {
  // A week covers a short absence. Ten years exceed any legal retention period for a household.
  AUDIT_KEEP_DAYS: setting(
    v.integer(7, 3_650),
    "The time for which events of the audit record are kept.",
    "365",
  ),
};

const rules = {
  POLICY_FILE: setting(
    v.path,
    "The policy file (JSON): who may call which tool, which approval channel may decide, and which high-risk calls run without approval.",
  ),
  FLOW_HOURS: setting(
    v.integer(1, 168),
    "The time for which outgoing text is compared with private content that a caller received.",
    "24",
  ),
};

const upstream = {
  SERVERS_FILE: setting(
    v.path,
    "The file of upstream MCP servers (JSON), whose tools are offered after a review.",
    undefined,
    "`servers.json` in the data directory, if it exists",
  ),
  TOOL_LIST_TOKENS: setting(
    v.integer(0, 1_000_000),
    "The limit on tokens of listed upstream tools. Above it, the assistant finds tools with `find_tools`.",
    "12000",
  ),
};

const budgets = {
  TOOL_CALLS_PER_MINUTE: setting(v.integer(1, 10_000), "Calls per minute, for each caller.", "60"),
  TOOL_CALLS_PER_TURN: setting(
    v.integer(1, 1_000),
    "Calls while the assistant works on one of your messages. Each caller has ten times as many per hour.",
    "40",
  ),
  // People do not carefully read more than five requests in a row.
  HIGH_RISK_CALLS_PER_TURN: setting(
    v.integer(1, 100),
    "High-risk calls among the calls of `TOOL_CALLS_PER_TURN`. Each caller has four times as many per hour. An approval resets both counts. An approval in the client's dialog resets only the first.",
    "5",
  ),
};

const telegram = {
  TELEGRAM_BOT_TOKEN: setting(v.secret, "The bot's token."),
  TELEGRAM_CHAT_ID: setting(
    v.listOf("chat ids", (item) => (/^-?\d{1,16}$/.test(item) ? item : undefined)),
    "The private chat that the bot writes to; for a team, one per person.",
  ),
  TELEGRAM_APPROVER_IDS: setting(
    v.telegramApprovers,
    "The Telegram users who may decide. A bare id is the approver `operator`, who decides for every caller. `name:id` is the approver `name`.",
  ),
  TELEGRAM_API_URL: setting(
    v.httpUrl,
    "The address of the bot service.",
    "https://api.telegram.org",
  ),
  DIGEST_AT: setting(
    v.timeOfDay,
    "The time of a daily digest in Telegram: new mail, busy times, waiting requests, and yesterday's calls without approval.",
  ),
};

export const settings = {
  ...general,
  ...database,
  ...s3,
  ...bucketIntake,
  ...calendar,
  ...webSearch,
  ...summary,
  ...mail,
  ...mailNotices,
  ...smtp,
  ...httpIntake,
  ...imap,
  ...http,
  ...approvals,
  ...files,
  ...rules,
  ...record,
  ...upstream,
  ...budgets,
  ...telegram,
  ...assistant,
};

export type SettingName = keyof typeof settings;

/** The value of each setting. `undefined` without value and default. */
export type Values = {
  [Name in SettingName]: (typeof settings)[Name] extends Setting<infer T> ? T : never;
};

/** Settings of one capability. If one is set, all of `needs` must be set. */
export interface SettingGroup {
  title: string;
  needs: SettingName[];
  settings: Record<string, Setting<unknown>>;
}

export const settingGroups: SettingGroup[] = [
  { title: "General", needs: [], settings: general },
  { title: "Database", needs: [], settings: database },
  {
    title: "Object store on S3",
    needs: ["S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
    settings: s3,
  },
  { title: "Mail", needs: [], settings: mail },
  {
    title: "Mail from the bucket",
    needs: ["S3_BUCKET"],
    settings: bucketIntake,
  },
  { title: "Notices of new mail", needs: [], settings: mailNotices },
  { title: "Mail over SMTP or LMTP", needs: ["INGEST_RECIPIENTS"], settings: smtp },
  {
    title: "Mail over HTTP",
    needs: ["INGEST_HTTP_PORT", "INGEST_HTTP_TOKEN"],
    settings: httpIntake,
  },
  {
    title: "Mail from an IMAP mailbox",
    needs: ["IMAP_HOST", "IMAP_USERNAME", "IMAP_PASSWORD"],
    settings: imap,
  },
  {
    title: "Summaries by a model",
    needs: ["SUMMARY_PROVIDER", "SUMMARY_MODEL"],
    settings: summary,
  },
  {
    title: "Calendar",
    needs: ["CALDAV_USERNAME", "CALDAV_CALENDAR"],
    settings: calendar,
  },
  { title: "Web search", needs: ["TAVILY_API_KEY"], settings: webSearch },
  { title: "Approvals", needs: [], settings: approvals },
  { title: "Files and undo", needs: [], settings: files },
  { title: "Policy and information flow", needs: [], settings: rules },
  { title: "Audit record", needs: [], settings: record },
  { title: "Upstream servers", needs: [], settings: upstream },
  { title: "Budgets", needs: [], settings: budgets },
  { title: "Server over HTTP", needs: [], settings: http },
  {
    title: "Telegram",
    needs: ["TELEGRAM_BOT_TOKEN", "TELEGRAM_CHAT_ID", "TELEGRAM_APPROVER_IDS"],
    settings: telegram,
  },
  {
    title: "Assistant",
    needs: ["ASSISTANT_PROVIDER", "ASSISTANT_MODEL"],
    settings: assistant,
  },
];
