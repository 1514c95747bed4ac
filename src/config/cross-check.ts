import { objectPrefixes } from "../core/shared/object-prefixes.ts";
import type { Problem } from "./config-error.ts";
import { isLoopback } from "./loopback.ts";
import { settingGroups, type SettingName, type Values } from "./settings.ts";

type IsSet = (name: string) => boolean;

/** Checks settings against each other: incomplete groups, shared secrets, overlapping prefixes, exposed addresses. */
export function crossCheck(values: Values, isSet: IsSet): Problem[] {
  return [
    ...incompleteGroups(isSet),
    ...pairs(isSet),
    ...calendarSecrets(values, isSet),
    ...modelKey("SUMMARY", values.SUMMARY_PROVIDER, isSet),
    ...modelKey("ASSISTANT", values.ASSISTANT_PROVIDER, isSet),
    ...notifications(values, isSet),
    ...publicUrl(values, isSet),
    ...oauth(values, isSet),
    ...sharedSecrets(values),
    ...principals(values),
    ...telegramUsers(values),
    ...overlappingPrefixes(values),
  ];
}

function incompleteGroups(isSet: IsSet): Problem[] {
  return settingGroups.flatMap(({ needs, settings }) => {
    const present = Object.keys(settings).filter(isSet);
    if (present.length === 0) return [];
    return needs
      .filter((name) => !isSet(name))
      .map((name) => ({ setting: name, problem: isMissing(present) }));
  });
}

function isMissing(beside: readonly string[]): string {
  return `is missing, because ${beside.join(", ")} ${beside.length > 1 ? "are" : "is"} set`;
}

/** Checks pairs within a group. If only one setting of a pair is set, that is a mistake. */
function pairs(isSet: IsSet): Problem[] {
  const couples: [SettingName, SettingName][] = [
    ["SMTP_TLS_CERT", "SMTP_TLS_KEY"],
    ["SMTP_TLS_KEY", "SMTP_TLS_CERT"],
    ["DATABASE_AUTH_TOKEN", "DATABASE_URL"],
  ];
  return couples
    .filter(([one, other]) => isSet(one) && !isSet(other))
    .map(([one, other]) => ({ setting: other, problem: `is missing, because ${one} is set` }));
}

/** Checks a calendar's credentials, without which the group is incomplete. */
function calendarSecrets({ CALDAV_AUTH: auth }: Values, isSet: IsSet): Problem[] {
  if (!isSet("CALDAV_CALENDAR") && !isSet("CALDAV_USERNAME")) return [];
  const needed: SettingName[] =
    auth === "oauth"
      ? ["CALDAV_OAUTH_CLIENT_ID", "CALDAV_OAUTH_CLIENT_SECRET", "CALDAV_OAUTH_REFRESH_TOKEN"]
      : ["CALDAV_PASSWORD"];
  return needed
    .filter((name) => !isSet(name))
    .map((name) => ({ setting: name, problem: `is missing, because CALDAV_AUTH is ${auth}` }));
}

function modelKey(
  group: "SUMMARY" | "ASSISTANT",
  provider: Values["SUMMARY_PROVIDER"],
  isSet: IsSet,
): Problem[] {
  // A local server (Ollama, llama.cpp) needs no key. The public services all do.
  const ownServer = provider === "openai-compatible" && isSet(`${group}_BASE_URL`);
  if (provider === undefined || ownServer || isSet(`${group}_API_KEY`)) return [];
  return [{ setting: `${group}_API_KEY`, problem: `is missing, because ${group}_PROVIDER is set` }];
}

function notifications(values: Values, isSet: IsSet): Problem[] {
  if (isSet("TELEGRAM_BOT_TOKEN")) return [];
  const missing = (reason: string): Problem[] => [
    { setting: "TELEGRAM_BOT_TOKEN", problem: `is missing, because ${reason}` },
  ];
  return [
    ...(values.NOTIFY_NEW_MAIL ? missing("NOTIFY_NEW_MAIL is true") : []),
    ...(values.ASSISTANT_TELEGRAM ? missing("ASSISTANT_TELEGRAM is true") : []),
  ];
}

function publicUrl({ HTTP_HOST: host }: Values, isSet: IsSet): Problem[] {
  if (isLoopback(host) || isSet("PUBLIC_URL")) return [];
  return [
    { setting: "PUBLIC_URL", problem: "is missing, because HTTP_HOST is not a loopback address" },
  ];
}

/** Checks the settings of OAuth: its addresses must be public, and its own pages need approvers' secrets. */
function oauth(values: Values, isSet: IsSet): Problem[] {
  const { OAUTH, OAUTH_ISSUER: issuer, PUBLIC_URL: url, APPROVERS: approvers } = values;
  const forIssuer = ["OAUTH_AUDIENCE", "OAUTH_CALLER_CLAIM"].filter(isSet);
  if (issuer === undefined && forIssuer.length > 0) {
    return [{ setting: "OAUTH_ISSUER", problem: isMissing(forIssuer) }];
  }
  if (OAUTH !== "on") {
    return issuer === undefined
      ? []
      : [{ setting: "OAUTH", problem: "is missing, because OAUTH_ISSUER is set" }];
  }
  const missing = { PUBLIC_URL: url, ...(issuer === undefined && { APPROVERS: approvers }) };
  const problems: Problem[] = Object.entries(missing)
    .filter(([, value]) => value === undefined)
    .map(([setting]) => ({ setting, problem: "is missing, because OAUTH is on" }));
  // RFC 8414, section 3.1: clients look for the metadata of an issuer at the root of its host.
  if (url !== undefined && new URL(url).pathname !== "/") {
    problems.push({ setting: "PUBLIC_URL", problem: "must have no path, because OAUTH is on" });
  }
  // A client that signs in is a caller with the name of its approver.
  if (issuer === undefined && approvers?.some(({ name }) => name === localCaller) === true) {
    problems.push({ setting: "APPROVERS", problem: `${notLocal}, because OAUTH is on` });
  }
  return problems;
}

/** Refuses secrets that callers and approvers share, because such a caller could approve its own requests. */
function sharedSecrets(values: Values): Problem[] {
  const approvers = values.APPROVERS ?? [];
  const callers = [
    ...(values.HTTP_TOKENS ?? []).map(({ name, secret }) => ({
      secret,
      holder: `"${name}" in HTTP_TOKENS`,
    })),
    ...(values.INGEST_HTTP_TOKEN
      ? [{ secret: values.INGEST_HTTP_TOKEN, holder: "INGEST_HTTP_TOKEN" }]
      : []),
  ];
  return approvers.flatMap((approver) =>
    callers
      .filter((caller) => caller.secret.reveal() === approver.secret.reveal())
      .map(({ holder }) => ({
        setting: "APPROVERS",
        problem: `gives "${approver.name}" the secret of ${holder}; an approver and a caller must have different secrets`,
      })),
  );
}

/** The caller over stdio. A remote caller with that name would share its requests and results. */
const localCaller = "local";
const notLocal = 'must not use the name "local", which is the caller over stdio';

function principals({ HTTP_TOKENS: tokens = [] }: Values): Problem[] {
  if (!tokens.some(({ name }) => name === localCaller)) return [];
  return [{ setting: "HTTP_TOKENS", problem: notLocal }];
}

function telegramUsers({ TELEGRAM_APPROVER_IDS: approvers = [] }: Values): Problem[] {
  const ids = approvers.map(({ userId }) => userId);
  return ids
    .filter((id, index) => ids.indexOf(id) < index)
    .map((id) => ({ setting: "TELEGRAM_APPROVER_IDS", problem: `names the user ${id} twice` }));
}

function overlappingPrefixes(values: Values): Problem[] {
  const { INGEST_BUCKET_PREFIX: intake, S3_PREFIX: root = "" } = values;
  if (intake === undefined) return [];
  return objectPrefixes
    .map((own) => `${root}${own}`)
    .filter((own) => own.startsWith(intake) || intake.startsWith(own))
    .map((own) => ({
      setting: "INGEST_BUCKET_PREFIX",
      problem: `overlaps with ${own}, which Countersign uses itself`,
    }));
}
