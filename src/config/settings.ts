import * as v from "./kinds.ts";
import { setting, type Setting } from "./kinds.ts";
import { database, s3, files, record } from "./storage-settings.ts";
import { approvals, rules, budgets, telegram } from "./approval-settings.ts";
import { http, upstream } from "./server-settings.ts";
import { calendar } from "./calendar-settings.ts";
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

const webSearch = {
  TAVILY_API_KEY: setting(v.secret, "The key of the search service."),
  TAVILY_BASE_URL: setting(v.httpUrl, "The search service's address.", "https://api.tavily.com"),
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
