import type { Setting } from "../config/kinds.ts";
import { type SettingName, settingGroups, settings } from "../config/settings.ts";

/** A question of `init` for one setting. */
export interface SetupQuestion {
  name: SettingName;
  setting: Setting<unknown>;
  isNeeded: boolean;
  /** Asked only if that setting has this value. */
  where?: { name: SettingName; is: string };
}

/** A capability that a person can set up. */
export interface Capability {
  title: string;
  /** The connection that tests it, by the doctor's name. */
  connection: string;
  questions: readonly SetupQuestion[];
}

/** Every mail intake asks for the accepted senders. */
const mail = ["OWNER_ADDRESSES", "INGEST_SENDERS"] as const;

export const capabilities: readonly Capability[] = [
  {
    title: "Mail from a dedicated mailbox (IMAP)",
    connection: "mail from IMAP",
    questions: [
      ...asked("IMAP_HOST", "IMAP_PORT", "IMAP_USERNAME", "IMAP_PASSWORD", "IMAP_MAILBOX"),
      ...asked(...mail),
    ],
  },
  {
    title: "Mail over SMTP or LMTP, received on this machine",
    connection: "mail over SMTP",
    questions: [
      ...asked("INGEST_RECIPIENTS", "SMTP_HOST", "SMTP_PORT", "SMTP_PROTOCOL"),
      ...asked("SMTP_TLS_CERT", "SMTP_TLS_KEY", ...mail),
    ],
  },
  {
    title: "Mail over HTTP, received on this machine",
    connection: "mail over HTTP",
    questions: asked("INGEST_HTTP_PORT", "INGEST_HTTP_TOKEN", ...mail),
  },
  {
    title: "Files and mail in a bucket instead of on this disk (S3)",
    connection: "files",
    questions: [
      ...asked("S3_BUCKET", "S3_ENDPOINT", "S3_REGION"),
      ...asked("S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY", "S3_PREFIX"),
    ],
  },
  {
    title: "Mail that another service writes into that bucket",
    connection: "mail from the bucket",
    questions: [needed("INGEST_BUCKET_PREFIX"), ...asked(...mail)],
  },
  {
    title: "A calendar (CalDAV)",
    connection: "calendar",
    questions: [
      ...asked("CALDAV_URL", "CALDAV_AUTH", "CALDAV_USERNAME"),
      needed("CALDAV_PASSWORD", { name: "CALDAV_AUTH", is: "basic" }),
      needed("CALDAV_OAUTH_CLIENT_ID", { name: "CALDAV_AUTH", is: "oauth" }),
      needed("CALDAV_OAUTH_CLIENT_SECRET", { name: "CALDAV_AUTH", is: "oauth" }),
      needed("CALDAV_OAUTH_REFRESH_TOKEN", { name: "CALDAV_AUTH", is: "oauth" }),
      ...asked("CALDAV_CALENDAR"),
    ],
  },
  {
    title: "Web search (Tavily)",
    connection: "web search",
    questions: asked("TAVILY_API_KEY"),
  },
  {
    title: "Summaries by a model, which receives every mail",
    connection: "summaries by a model",
    questions: asked("SUMMARY_PROVIDER", "SUMMARY_MODEL", "SUMMARY_BASE_URL", "SUMMARY_API_KEY"),
  },
  {
    title: "Approval requests and notices in Telegram",
    connection: "Telegram",
    questions: [
      ...asked("TELEGRAM_BOT_TOKEN", "TELEGRAM_CHAT_ID", "TELEGRAM_APPROVER_IDS"),
      ...asked("NOTIFY_NEW_MAIL"),
    ],
  },
  {
    title: "An assistant without a client (chat), whose model receives mail and files",
    connection: "assistant",
    questions: [
      ...asked("ASSISTANT_PROVIDER", "ASSISTANT_MODEL"),
      ...asked("ASSISTANT_BASE_URL", "ASSISTANT_API_KEY"),
    ],
  },
];

/** Returns the required settings without a value, including those that another answer requires. */
export function missing(
  { questions }: Capability,
  value: (name: SettingName) => string,
): readonly SettingName[] {
  return questions
    .filter((question) => question.isNeeded && applies(question, value))
    .map(({ name }) => name)
    .filter((name) => value(name) === "");
}

export function applies({ where }: SetupQuestion, value: (name: SettingName) => string): boolean {
  return where === undefined || value(where.name) === where.is;
}

/** Builds questions. A setting is required if its group requires it. */
function asked(...names: SettingName[]): SetupQuestion[] {
  const allNeeded = settingGroups.flatMap(({ needs }) => needs);
  return names.map((name) => ({
    name,
    setting: settings[name],
    isNeeded: allNeeded.includes(name),
  }));
}

function needed(name: SettingName, where?: SetupQuestion["where"]): SetupQuestion {
  return { name, setting: settings[name], isNeeded: true, ...(where && { where }) };
}
