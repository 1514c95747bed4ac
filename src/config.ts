import { ConfigError, type Problem } from "./config/config-error.ts";
import { crossCheck } from "./config/cross-check.ts";
import { isLoopback } from "./config/loopback.ts";
import { isAbsolute, type Setting } from "./config/kinds.ts";
import { settings, type Values } from "./config/settings.ts";

export type Environment = Record<string, string | undefined>;

/** The configuration of the program. A capability that is not configured is `undefined`. */
export type Config = ReturnType<typeof build>;

/**
 * Parses every setting and reports all problems together.
 * @param dataDir absolute path of the data directory, against which relative paths are resolved
 * @throws {ConfigError}
 */
export function parseSettings(env: Environment, dataDir: string): Config {
  const problems: Problem[] = [];
  const values = read(env, problems);
  const wrong = new Set(problems.map(({ setting }) => setting));
  const conflicts = crossCheck(values, (name) => given(env, name) !== undefined);
  // A wrong value is not missing too.
  problems.push(...conflicts.filter(({ setting }) => !wrong.has(setting)));
  if (problems.length > 0) throw new ConfigError(problems);
  return build(values, dataDir);
}

/** Returns a value. An empty string, which a client's form sends for no value, counts as unset. */
function given(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}

function read(env: Environment, problems: Problem[]): Values {
  const values = Object.entries<Setting<unknown>>(settings).map(
    ([name, { schema, default: initial }]) => {
      const value = given(env, name) ?? initial;
      if (value === undefined) return [name, undefined];
      const result = schema.safeParse(value);
      if (result.success) return [name, result.data];
      for (const { message } of result.error.issues)
        problems.push({ setting: name, problem: message });
      return [name, undefined];
    },
  );
  // Each name was parsed with the schema of its own row, from which `Values` is computed.
  return Object.fromEntries(values) as Values;
}

function resolve(dataDir: string, path: string): string {
  return isAbsolute(path) ? path : `${dataDir.replace(/[\\/]$/, "")}/${path}`;
}

function databaseOf(
  { DATABASE_URL: url, DATABASE_AUTH_TOKEN: authToken }: Values,
  dataDir: string,
) {
  if (url !== undefined && !url.startsWith("file:"))
    return { kind: "remote" as const, url, ...(authToken && { authToken }) };
  const path = url?.replace(/^file:(\/\/(?=\/))?/, "") ?? "countersign.db";
  return { kind: "file" as const, path: resolve(dataDir, path) };
}

/** Returns whether all of these are set. Incomplete groups were refused before. */
function hasAll<Name extends keyof Values>(
  values: Values,
  ...names: Name[]
): values is Values & { [Each in Name]: NonNullable<Values[Each]> } {
  return names.every((name) => values[name] !== undefined);
}

function s3Of(values: Values) {
  if (!hasAll(values, "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY")) return undefined;
  return {
    bucket: values.S3_BUCKET,
    endpoint: values.S3_ENDPOINT,
    region: values.S3_REGION,
    accessKeyId: values.S3_ACCESS_KEY_ID,
    secretAccessKey: values.S3_SECRET_ACCESS_KEY,
    /** Empty, or ends with a slash. */
    prefix: values.S3_PREFIX ?? "",
    forcePathStyle: values.S3_FORCE_PATH_STYLE ?? values.S3_ENDPOINT !== undefined,
  };
}

function calendarOf(values: Values) {
  const auth = calendarAuthOf(values);
  if (auth === undefined || !hasAll(values, "CALDAV_USERNAME", "CALDAV_CALENDAR")) return undefined;
  return {
    url: values.CALDAV_URL,
    username: values.CALDAV_USERNAME,
    auth,
    /** The name or the URL. */
    name: values.CALDAV_CALENDAR,
    /** Hosts besides that of `url`, in lower case. `.suffix` covers every host below it. */
    allowedHosts: values.CALDAV_ALLOWED_HOSTS ?? [],
  };
}

function calendarAuthOf(values: Values) {
  if (values.CALDAV_AUTH === "basic") {
    if (!hasAll(values, "CALDAV_PASSWORD")) return undefined;
    return { kind: "basic" as const, password: values.CALDAV_PASSWORD };
  }
  if (
    !hasAll(
      values,
      "CALDAV_OAUTH_CLIENT_ID",
      "CALDAV_OAUTH_CLIENT_SECRET",
      "CALDAV_OAUTH_REFRESH_TOKEN",
    )
  )
    return undefined;
  return {
    kind: "oauth" as const,
    clientId: values.CALDAV_OAUTH_CLIENT_ID,
    clientSecret: values.CALDAV_OAUTH_CLIENT_SECRET,
    refreshToken: values.CALDAV_OAUTH_REFRESH_TOKEN,
    tokenUrl: values.CALDAV_OAUTH_TOKEN_URL,
  };
}

function webSearchOf(values: Values) {
  if (!hasAll(values, "TAVILY_API_KEY")) return undefined;
  return { apiKey: values.TAVILY_API_KEY, baseUrl: values.TAVILY_BASE_URL };
}

function summaryOf(values: Values) {
  if (!hasAll(values, "SUMMARY_PROVIDER", "SUMMARY_MODEL")) return undefined;
  return {
    provider: values.SUMMARY_PROVIDER,
    model: values.SUMMARY_MODEL,
    apiKey: values.SUMMARY_API_KEY,
    baseUrl: values.SUMMARY_BASE_URL,
    timeoutMs: values.SUMMARY_TIMEOUT_MS,
    concurrency: values.SUMMARY_CONCURRENCY,
    /** For all processes together, by UTC. */
    callsPerDay: values.SUMMARY_CALLS_PER_DAY,
  };
}

function assistantOf(values: Values) {
  if (!hasAll(values, "ASSISTANT_PROVIDER", "ASSISTANT_MODEL")) return undefined;
  return {
    provider: values.ASSISTANT_PROVIDER,
    model: values.ASSISTANT_MODEL,
    apiKey: values.ASSISTANT_API_KEY,
    baseUrl: values.ASSISTANT_BASE_URL,
    maxSteps: values.ASSISTANT_MAX_STEPS,
    isInTelegram: values.ASSISTANT_TELEGRAM,
    /** Longest silence of the service. */
    timeoutMs: values.ASSISTANT_TIMEOUT_MS,
  };
}

function smtpOf(values: Values, dataDir: string) {
  if (!hasAll(values, "INGEST_RECIPIENTS")) return undefined;
  return {
    host: values.SMTP_HOST,
    /** 0 uses a free port. */
    port: values.SMTP_PORT,
    protocol: values.SMTP_PROTOCOL,
    tls: hasAll(values, "SMTP_TLS_CERT", "SMTP_TLS_KEY")
      ? {
          certFile: resolve(dataDir, values.SMTP_TLS_CERT),
          keyFile: resolve(dataDir, values.SMTP_TLS_KEY),
        }
      : undefined,
    /** Normalised addresses. `@domain` covers every address there. */
    recipients: values.INGEST_RECIPIENTS,
  };
}

function imapOf(values: Values) {
  if (!hasAll(values, "IMAP_HOST", "IMAP_USERNAME", "IMAP_PASSWORD")) return undefined;
  return {
    host: values.IMAP_HOST,
    port: values.IMAP_PORT,
    tls: imapTls(values.IMAP_HOST, values.IMAP_PORT),
    username: values.IMAP_USERNAME,
    password: values.IMAP_PASSWORD,
    mailbox: values.IMAP_MAILBOX,
  };
}

/**
 * Returns the TLS mode. Port 993 uses TLS from the start. Others use STARTTLS, which is required before a password is
 * sent to another machine.
 */
function imapTls(host: string, port: number): "implicit" | "starttls" | "none" {
  if (port === 993) return "implicit";
  return isLoopback(host) ? "none" : "starttls";
}

function ingestOf(values: Values) {
  return {
    maxBytes: values.INGEST_MAX_BYTES,
    /** Normalised addresses. `@domain` covers every address there. Undefined accepts all senders. */
    senders: values.INGEST_SENDERS,
    /** Normalised addresses. */
    ownerAddresses: values.OWNER_ADDRESSES ?? [],
    hidesCodes: values.MAIL_HIDE_CODES === "on",
    /** Undefined keeps mail for ever. */
    keepDays: values.MAIL_KEEP_DAYS,
    /** `off`, `system`, or server addresses. */
    dns: values.INGEST_DNS,
    /** In lower case. */
    trustedHost: values.TRUSTED_AUTHSERV_ID,
    /** If undefined, no peer is trusted. */
    trustedRelays: values.TRUSTED_RELAYS,
    notifyNewMail: values.NOTIFY_NEW_MAIL,
    http: hasAll(values, "INGEST_HTTP_PORT", "INGEST_HTTP_TOKEN")
      ? { port: values.INGEST_HTTP_PORT, token: values.INGEST_HTTP_TOKEN }
      : undefined,
    /** Ends with a slash. Relative to the root of the bucket, not to `s3.prefix`. */
    bucketPrefix: values.INGEST_BUCKET_PREFIX,
  };
}

function telegramOf(values: Values) {
  if (!hasAll(values, "TELEGRAM_BOT_TOKEN", "TELEGRAM_CHAT_ID", "TELEGRAM_APPROVER_IDS"))
    return undefined;
  return {
    botToken: values.TELEGRAM_BOT_TOKEN,
    chatIds: values.TELEGRAM_CHAT_ID,
    approvers: values.TELEGRAM_APPROVER_IDS,
    apiUrl: values.TELEGRAM_API_URL,
    /** Minutes from midnight. */
    digestAt: values.DIGEST_AT,
  };
}

function build(values: Values, dataDir: string) {
  return {
    dataDir,
    logLevel: values.LOG_LEVEL,
    /** IANA name. Undefined for the machine's own zone. */
    timeZone: values.TZ,
    database: databaseOf(values, dataDir),
    s3: s3Of(values),
    calendar: calendarOf(values),
    webSearch: webSearchOf(values),
    summary: summaryOf(values),
    ingest: ingestOf(values),
    smtp: smtpOf(values, dataDir),
    imap: imapOf(values),
    http: {
      host: values.HTTP_HOST,
      /** 0 uses a free port. */
      port: values.HTTP_PORT,
      tokens: values.HTTP_TOKENS ?? [],
      publicUrl: values.PUBLIC_URL,
      oauth:
        values.OAUTH === "on"
          ? {
              /** Undefined for our own authorization server. */
              issuer: values.OAUTH_ISSUER,
              /** Undefined for the address of the MCP endpoint. */
              audience: values.OAUTH_AUDIENCE,
              callerClaim: values.OAUTH_CALLER_CLAIM,
            }
          : undefined,
      allowedHosts: values.ALLOWED_HOSTS,
      allowedOrigins: values.ALLOWED_ORIGINS,
    },
    approvals: {
      approvers: values.APPROVERS ?? [],
      ttlSeconds: values.APPROVAL_TTL_SECONDS,
      waitMs: values.APPROVAL_WAIT_MS,
      /** `auto`, `never`, or a command that receives the path. */
      open: values.APPROVAL_OPEN,
    },
    policyFile: values.POLICY_FILE && resolve(dataDir, values.POLICY_FILE),
    servers: {
      file: resolve(dataDir, values.SERVERS_FILE ?? "servers.json"),
      /** A named file must exist. */
      isNamed: values.SERVERS_FILE !== undefined,
      listTokens: values.TOOL_LIST_TOKENS,
    },
    budget: {
      callsPerMinute: values.TOOL_CALLS_PER_MINUTE,
      callsPerTurn: values.TOOL_CALLS_PER_TURN,
      highPerTurn: values.HIGH_RISK_CALLS_PER_TURN,
    },
    searchesFiles: values.FILE_SEARCH,
    undoHours: values.UNDO_HOURS,
    flowHours: values.FLOW_HOURS,
    auditKeepDays: values.AUDIT_KEEP_DAYS,
    telegram: telegramOf(values),
    assistant: assistantOf(values),
  };
}
