import * as v from "./kinds.ts";
import { setting, type Setting } from "./kinds.ts";

const general = {
  COUNTERSIGN_DATA_DIR: setting(
    v.fullPath,
    "Where the database, the embedded store and `.env` live.",
    undefined,
    "the platform's data directory",
  ),
  LOG_LEVEL: setting(
    v.oneOf("debug", "info", "warn", "error"),
    "What the log on stderr says.",
    "info",
  ),
  TZ: setting(
    v.timeZone,
    "Your time zone: times on the approval page, in dialogs and in the diary are shown in it.",
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
  DATABASE_AUTH_TOKEN: setting(v.secret, "Token of a remote libSQL server."),
};

const s3 = {
  S3_BUCKET: setting(v.text, "The bucket for files, mail and undo copies."),
  S3_ENDPOINT: setting(v.httpUrl, "The store's URL.", undefined, "Amazon's, by region"),
  S3_REGION: setting(v.text, "The bucket's region.", "us-east-1"),
  S3_ACCESS_KEY_ID: setting(v.text, "The access key's id."),
  S3_SECRET_ACCESS_KEY: setting(v.secret, "The access key's secret."),
  S3_PREFIX: setting(v.keyPrefix, "Everything is kept under this prefix."),
  S3_FORCE_PATH_STYLE: setting(
    v.flag,
    "Name the bucket in the path, not in the host name.",
    undefined,
    "`true` with `S3_ENDPOINT`, else `false`",
  ),
};

const bucketIntake = {
  INGEST_BUCKET_PREFIX: setting(
    v.keyPrefix,
    "Raw messages that something else puts under this prefix of the bucket are taken in.",
  ),
};

const calendar = {
  CALDAV_URL: setting(v.httpUrl, "The CalDAV server.", "https://caldav.icloud.com"),
  CALDAV_USERNAME: setting(v.text, "The account."),
  CALDAV_AUTH: setting(
    v.oneOf("basic", "oauth"),
    "How it signs in: with `CALDAV_PASSWORD`, or (Google) with the `CALDAV_OAUTH_` settings.",
    "basic",
  ),
  CALDAV_PASSWORD: setting(v.secret, "Its password; with iCloud an app-specific one."),
  CALDAV_OAUTH_CLIENT_ID: setting(v.text, "The OAuth client's id."),
  CALDAV_OAUTH_CLIENT_SECRET: setting(v.secret, "Its secret."),
  CALDAV_OAUTH_REFRESH_TOKEN: setting(v.secret, "The token that access tokens are renewed with."),
  CALDAV_OAUTH_TOKEN_URL: setting(
    v.httpsUrl,
    "Where they are renewed.",
    "https://oauth2.googleapis.com/token",
  ),
  CALDAV_CALENDAR: setting(
    v.text,
    "The one calendar that is used, and no other: its name, or its address where two share a name.",
  ),
  CALDAV_ALLOWED_HOSTS: setting(
    v.listOf("host names, or `.suffix` for every host below it", (item) =>
      /^\.?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::\d+)?$/.test(item) ? item.toLowerCase() : undefined,
    ),
    "Where requests and the password may go besides the host of `CALDAV_URL`.",
    undefined,
    "`.icloud.com` with iCloud, else nowhere",
  ),
};

const webSearch = {
  TAVILY_API_KEY: setting(v.secret, "Key of the search service."),
  TAVILY_BASE_URL: setting(v.httpUrl, "Its address.", "https://api.tavily.com"),
};

const summary = {
  SUMMARY_PROVIDER: setting(
    v.oneOf("anthropic", "openai-compatible"),
    "Who writes summaries. Unset: a summary is an extract of the mail, and no mail leaves the machine.",
  ),
  SUMMARY_MODEL: setting(v.text, "The model's name."),
  SUMMARY_API_KEY: setting(v.secret, "The key; a local `openai-compatible` server may need none."),
  SUMMARY_BASE_URL: setting(v.httpUrl, "The service's address.", undefined, "the provider's own"),
  // Ten minutes are a long mail for a model on a processor without any accelerator.
  SUMMARY_TIMEOUT_MS: setting(
    v.integer(1_000, 600_000),
    "How long a summary may take before it is given up, to be tried again.",
    "60000",
  ),
  SUMMARY_CONCURRENCY: setting(v.integer(1, 16), "Summaries written at a time.", "2"),
  // A year of mail that is imported at once must not become a bill.
  SUMMARY_CALLS_PER_DAY: setting(
    v.integer(1, 100_000),
    "Requests to the model a day (UTC), of all processes together; what is left waits for the next.",
    "500",
  ),
};

const mail = {
  // 25 MiB is what the large providers let through; the ceiling keeps one message within a worker's memory.
  INGEST_MAX_BYTES: setting(
    v.integer(65_536, 157_286_400),
    "The largest message that is taken.",
    "26214400",
  ),
  OWNER_ADDRESSES: setting(
    v.addresses,
    "Your own addresses: what these forward by hand is shown under its true sender.",
    undefined,
    "forwards are not unwrapped",
  ),
  INGEST_DNS: setting(v.dnsServers, "Where SPF, DKIM and DMARC are looked up.", "system"),
  TRUSTED_AUTHSERV_ID: setting(
    v.hostName,
    "A mail server of yours that mail passes on its way here: what it writes into `Authentication-Results` under this name is taken for true. It must remove such headers from what comes to it. Over SMTP and LMTP only `TRUSTED_RELAYS` are believed.",
  ),
  TRUSTED_RELAYS: setting(
    v.networks,
    "Where your own mail server delivers from over SMTP or LMTP. Only name addresses that nobody else can have: behind Docker's NAT every stranger has the gateway's.",
    undefined,
    "none: every peer is a stranger",
  ),
  INGEST_SENDERS: setting(
    v.addressesOrDomains,
    "Whose mail is taken: all authors in `From` must be named, or the envelope sender, whose domain is then verified (SPF). The rest goes to quarantine.",
    undefined,
    "everybody's",
  ),
};

const mailRules = {
  NOTIFY_NEW_MAIL: setting(v.flag, "Tell of new mail through Telegram.", "false"),
};

const smtp = {
  INGEST_RECIPIENTS: setting(
    v.addressesOrDomains,
    "Addresses that mail is accepted for; any other is refused with 550.",
  ),
  SMTP_HOST: setting(v.text, "Address to listen on.", "127.0.0.1"),
  SMTP_PORT: setting(v.port, "Port to listen on; 0 takes a free one.", "2525"),
  SMTP_PROTOCOL: setting(v.oneOf("smtp", "lmtp"), "What is spoken there.", "smtp"),
  SMTP_TLS_CERT: setting(v.path, "Certificate for STARTTLS (PEM)."),
  SMTP_TLS_KEY: setting(v.path, "Its key (PEM)."),
};

const httpIntake = {
  INGEST_HTTP_PORT: setting(
    v.port,
    "Port of `POST /ingest` for raw messages, at `HTTP_HOST`; 0 takes a free one.",
  ),
  INGEST_HTTP_TOKEN: setting(v.token(16), "The token that whoever delivers there must show."),
};

const imap = {
  IMAP_HOST: setting(v.text, "The server of a mailbox that exists only for forwarded mail."),
  IMAP_PORT: setting(
    v.integer(1, 65_535),
    "Its port. 993: TLS from the start; any other: STARTTLS, which only loopback goes without.",
    "993",
  ),
  IMAP_USERNAME: setting(v.text, "The account."),
  IMAP_PASSWORD: setting(v.secret, "Its password."),
  IMAP_MAILBOX: setting(v.text, "The folder that is read.", "INBOX"),
};

const http = {
  HTTP_HOST: setting(v.text, "Address to listen on.", "127.0.0.1"),
  HTTP_PORT: setting(v.port, "Port to listen on; 0 takes a free one.", "8080"),
  // A token is pasted, not typed: 16 characters cost nobody anything.
  HTTP_TOKENS: setting(
    v.namedSecrets(16),
    "Who may call. The name is the caller's, in requests and in the audit log.",
    undefined,
    "the first start makes one and prints it",
  ),
  PUBLIC_URL: setting(
    v.httpsUrl,
    "The address people see; required unless `HTTP_HOST` is loopback.",
  ),
  ALLOWED_HOSTS: setting(
    v.listOf("host names", (item) =>
      /^[A-Za-z0-9.:[\]-]+$/.test(item) ? item.toLowerCase() : undefined,
    ),
    "Host headers that are answered.",
    undefined,
    "loopback names and the host of `PUBLIC_URL`",
  ),
};

const approvals = {
  // Guesses from many networks are slowed down and never all refused, or others could lock a person out: length ends them.
  APPROVERS: setting(
    v.namedSecrets(16),
    "Who decides. `operator` decides for everybody, any other name for itself.",
  ),
  APPROVAL_TTL_SECONDS: setting(v.integer(60, 604_800), "How long a request stays open.", "86400"),
  // Clients cut a call after 60 s; past 45 s an answer may come too late to be seen.
  APPROVAL_WAIT_MS: setting(
    v.integer(100, 45_000),
    "How long a call waits for a person before it returns.",
    "10000",
  ),
  APPROVAL_OPEN: setting(
    v.text,
    "How your browser is opened: `auto`, `never`, or a command that receives the path.",
    "auto",
  ),
  UNDO_HOURS: setting(v.integer(1, 720), "How long replaced and deleted files are kept.", "24"),
  // A week is the least that a person comes back to; ten years are more than any law on records asks of a household.
  AUDIT_KEEP_DAYS: setting(
    v.integer(7, 3_650),
    "How long the record of what happened is kept.",
    "365",
  ),
};

const rules = {
  POLICY_FILE: setting(
    v.path,
    "Your rules (JSON): who may call what, which approval channel decides, what runs without approval.",
  ),
};

const budgets = {
  TOOL_CALLS_PER_MINUTE: setting(v.integer(1, 10_000), "Calls a minute, of each caller.", "60"),
  TOOL_CALLS_PER_TURN: setting(
    v.integer(1, 1_000),
    "Calls while the assistant works on one message of yours; of each caller ten times as many an hour.",
    "40",
  ),
  // More than five are not read with care between two sentences.
  HIGH_RISK_CALLS_PER_TURN: setting(
    v.integer(1, 100),
    "Those of them that need your approval; of each caller four times as many an hour. Approving one, or telling it to go on, starts anew.",
    "5",
  ),
};

const telegram = {
  TELEGRAM_BOT_TOKEN: setting(v.secret, "The bot's token."),
  TELEGRAM_CHAT_ID: setting(
    v.listOf("chat ids", (item) => (/^-?\d{1,16}$/.test(item) ? item : undefined)),
    "The private chat that it writes to; for a team one for each person.",
  ),
  TELEGRAM_APPROVER_IDS: setting(
    v.telegramApprovers,
    "Who may decide there. A bare id is the approver `operator`, who decides for everybody; with a name it is that approver.",
  ),
  TELEGRAM_API_URL: setting(v.httpUrl, "The bot service.", "https://api.telegram.org"),
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
  ...mailRules,
  ...smtp,
  ...httpIntake,
  ...imap,
  ...http,
  ...approvals,
  ...rules,
  ...budgets,
  ...telegram,
};

export type SettingName = keyof typeof settings;

/** What each setting came to; `undefined` where neither a value nor a default is there. */
export type Values = {
  [Name in SettingName]: (typeof settings)[Name] extends Setting<infer T> ? T : never;
};

/** Settings that make one capability. Where one is set, all of `needs` must be: half a set is an error. */
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
  { title: "Mail: notices", needs: [], settings: mailRules },
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
  { title: "Approvals and undo", needs: [], settings: approvals },
  { title: "Rules", needs: [], settings: rules },
  { title: "Budgets", needs: [], settings: budgets },
  { title: "Server over HTTP", needs: [], settings: http },
  {
    title: "Telegram",
    needs: ["TELEGRAM_BOT_TOKEN", "TELEGRAM_CHAT_ID", "TELEGRAM_APPROVER_IDS"],
    settings: telegram,
  },
];
