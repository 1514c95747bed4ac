import { join } from "node:path";
import { statSync } from "node:fs";
import { type SettingName, settings } from "../../config/settings.ts";
import type { SettingsPlace } from "../platform/settings.ts";

/** The access that a secret gives, and how it is revoked. */
interface Credential {
  opens: string;
  revoke: string;
}

const ofSettings: Readonly<Partial<Record<SettingName, Credential>>> = {
  DATABASE_AUTH_TOKEN: {
    opens: "all approval requests, mail and the audit record on the libSQL server",
    revoke: "at the libSQL server: invalidate its tokens and make a new one",
  },
  S3_SECRET_ACCESS_KEY: {
    opens: "every object that this access key may read and write",
    revoke: "at the store's provider: delete the access key",
  },
  CALDAV_PASSWORD: {
    opens: "all calendars of this account, and with some providers its mail",
    revoke: "at the calendar's provider: delete the app-specific password or change the password",
  },
  CALDAV_OAUTH_CLIENT_SECRET: {
    opens: "nothing alone; together with a refresh token, the calendars",
    revoke: "at the provider's developer console: delete the client's secret",
  },
  CALDAV_OAUTH_REFRESH_TOKEN: {
    opens: "the calendars that were granted",
    revoke: "at the account's list of connected apps: remove the app",
  },
  TAVILY_API_KEY: {
    opens: "searches that are charged to you",
    revoke: "at app.tavily.com, API Keys",
  },
  SUMMARY_API_KEY: {
    opens: "model calls that are charged to you",
    revoke: "at the model's provider: delete the API key",
  },
  ASSISTANT_API_KEY: {
    opens: "model calls that are charged to you",
    revoke: "at the model's provider: delete the API key",
  },
  IMAP_PASSWORD: {
    opens: "all mail of this mailbox",
    revoke: "at the mailbox's provider: delete the app-specific password or change the password",
  },
  TELEGRAM_BOT_TOKEN: {
    opens: "the bot: messages to it, and sending messages in its name",
    revoke: "in Telegram: write /revoke to @BotFather",
  },
  HTTP_TOKENS: {
    opens: "the tools over HTTP, for each name in it",
    revoke: "here: replace the secret and restart serve --http",
  },
  APPROVERS: {
    opens: "approval of every request, for each name in it",
    revoke: "here: replace the secret and restart all servers",
  },
  INGEST_HTTP_TOKEN: {
    opens: "delivery of messages over HTTP; it reads nothing",
    revoke: "here and at the sender: replace it and restart ingest",
  },
};

/** Files in the data directory that are secrets themselves. */
const ofFiles: Readonly<Record<string, Credential>> = {
  "install.key": {
    opens: "the audit record's signatures and the approval page's sessions",
    revoke: "do not delete it: the audit record cannot be verified without it",
  },
  "server-sign-ins.json": {
    opens: "the upstream servers where you signed in; it is encrypted with install.key",
    revoke:
      "at each server's list of connected apps, then remove the server with the command servers remove NAME",
  },
};

export interface UsedCredential extends Credential {
  name: string;
  /** The environment, or the file. */
  from: string;
}

/** Every setting that holds a secret. A test checks that each is explained. */
export const secretSettings = (Object.keys(settings) as SettingName[]).filter(
  (name) => settings[name].isSecret === true,
);

/** Returns the secrets in use, without their values. */
export function usedCredentials({
  given,
  fromFile,
  file,
  dataDir,
}: SettingsPlace): readonly UsedCredential[] {
  const ofThese = secretSettings.flatMap((name) => {
    const from =
      given[name] === undefined ? (fromFile[name] ? file : undefined) : "the environment";
    const known = ofSettings[name];
    return from === undefined || known === undefined ? [] : [{ name, from, ...known }];
  });
  const files = Object.entries(ofFiles).flatMap(([name, known]) => {
    const path = join(dataDir, name);
    return statSync(path, { throwIfNoEntry: false }) ? [{ name, from: path, ...known }] : [];
  });
  return [...ofThese, ...files];
}

/** Returns the secret settings without an explanation. */
export function unexplained(): readonly SettingName[] {
  return secretSettings.filter((name) => ofSettings[name] === undefined);
}
