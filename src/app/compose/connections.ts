import { createChatModel } from "../../adapters/llm/chat-model.ts";
import { createTextModel } from "../../adapters/llm/text-model.ts";
import { createTavilySearch } from "../../adapters/tavily/web-search.ts";
import type { Config } from "../../config.ts";
import type { AuditKeys } from "../../core/audit/audit-chain.ts";
import type { Log } from "../../core/shared/log.ts";
import { type ErrorFields, ToolError, errorFields } from "../../core/tool/tool-error.ts";
import { mailChecks } from "../mail/fetch-mail.ts";
import { listenAddressOf, tryListening } from "../platform/listening.ts";
import type { Calendar } from "../../ports/calendar/calendar.ts";
import type { Stores } from "./open/open-stores.ts";
import { reviewedNames } from "../upstream/reviewed-names.ts";
import { readRegistry } from "./read-registry.ts";
import { readPair } from "../mail/smtp-certificate.ts";
import { checkHeads } from "../audit/verify-audit.ts";

/** One configurable connection and its test. */
export interface CheckedConnection {
  name: string;
  /** The settings that configure it. */
  settings: string;
  /** True for a file of the data directory, which no setting repairs. */
  isOwnFile?: boolean;
  /** The settings to check if the service does not answer, for an error without advice. */
  place?: string;
  /** Undefined if it is not configured. Resolves with a sentence if the connection works with a limit. */
  check: (() => Promise<unknown>) | undefined;
}

/** The stores that are checked. Without those that need keys, the connections that need them are left out. */
export type CheckedStores = Pick<Stores, "database" | "objects"> & {
  keyed: Pick<Stores, "database" | "calendar" | "keys" | "auditReader" | "headPlaces"> | undefined;
};

/** Returns every connection that the settings allow. */
export function connectionsOf(
  config: Config,
  { database, objects, keyed }: CheckedStores,
  log: Log,
): readonly CheckedConnection[] {
  const { webSearch, smtp, ingest, http, summary, assistant, telegram } = config;
  const mail = mailChecks(config, log);
  return [
    { name: "database", settings: "DATABASE_URL", check: () => readable(database) },
    {
      name: "files",
      settings: "S3_*",
      isOwnFile: config.s3 === undefined,
      ...(config.s3 !== undefined && { place: "S3_ENDPOINT, and whether the object store runs" }),
      check: () => objects.check(),
    },
    {
      name: "policy file",
      settings: "POLICY_FILE",
      check: config.policyFile ? checkPolicy(config.policyFile, config) : undefined,
    },
    ...(keyed === undefined ? [] : keyedConnections(config, keyed)),
    {
      name: "web search",
      settings: "TAVILY_API_KEY",
      place: "TAVILY_BASE_URL, and whether this machine reaches it",
      check: webSearch && checkOf(createTavilySearch({ ...webSearch, log })),
    },
    {
      name: "mail over SMTP",
      settings: "INGEST_RECIPIENTS",
      check:
        smtp &&
        (async () => {
          if (smtp.tls !== undefined) await readPair(smtp.tls);
          await tryListening(listenAddressOf("SMTP", smtp), {
            hello: "",
            answer: /^220 .*Countersign/,
          });
        }),
    },
    {
      name: "mail over HTTP",
      settings: "INGEST_HTTP_*",
      check:
        ingest.http &&
        (async () => {
          const place = listenAddressOf("INGEST_HTTP", { ...http, ...ingest.http });
          await tryListening(place, { hello: "GET /ingest HTTP/1.0\r\n\r\n", answer: /Use POST/ });
        }),
    },
    {
      name: "mail from IMAP",
      settings: "IMAP_*",
      place: "IMAP_HOST and IMAP_PORT",
      check: mail.imap,
    },
    { name: "mail from the bucket", settings: "INGEST_BUCKET_PREFIX", check: mail.bucket },
    {
      name: "summaries by a model",
      settings: "SUMMARY_*",
      place: "SUMMARY_BASE_URL, and whether this machine reaches the service",
      check: summary && checkOf(createTextModel(summary)),
    },
    {
      name: "assistant",
      settings: "ASSISTANT_*",
      place: "ASSISTANT_BASE_URL, and whether this machine reaches the service",
      check: assistant && checkOf(createChatModel(assistant)),
    },
    {
      name: "Telegram",
      settings: "TELEGRAM_*",
      place: "TELEGRAM_API_URL, and whether this machine reaches the service",
      check:
        telegram &&
        (async () => {
          const { createTelegram } = await import("../../adapters/telegram/messenger.ts");
          await createTelegram(telegram).check(telegram.chatIds);
        }),
    },
    ...authorizationServer(config, log),
  ];
}

function keyedConnections(
  config: Config,
  stores: NonNullable<CheckedStores["keyed"]>,
): CheckedConnection[] {
  return [
    {
      name: "audit record",
      settings: "DATABASE_URL",
      check: async () => {
        await checkHeads(stores, ownKeys(stores));
        return await otherKeys(config, stores);
      },
    },
    {
      name: "calendar",
      settings: "CALDAV_*",
      place: "CALDAV_URL, and whether the server runs",
      check: stores.calendar && checkOfCalendar(stores.calendar),
    },
  ];
}

/** Reads one table, so that the database is opened and its version is checked. */
async function readable(database: Stores["database"]): Promise<void> {
  await database.read({ sql: "SELECT 1 FROM tickets LIMIT 1", args: [] });
}

function authorizationServer({ http }: Config, log: Log): CheckedConnection[] {
  const { issuer, callerClaim = "" } = http.oauth ?? {};
  if (issuer === undefined) return [];
  const check = async () => {
    const { createTokenIssuer } = await import("../../adapters/jose/token-issuer.ts");
    await createTokenIssuer({ issuer, audience: "", callerClaim, log }).check();
  };
  return [{ name: "authorization server", settings: "OAUTH_ISSUER", check }];
}

/** Faults that a wrong address may cause. */
const faultsOfPlace: ReadonlySet<string> = new Set(["unavailable", "timeout", "internal"]);

/** Tests a connection. Returns its fault or its limit in our own words, with what to check. */
export async function tested({
  check,
  place,
}: CheckedConnection): Promise<{ error?: ErrorFields; limit?: string }> {
  try {
    const limit = await check?.();
    return typeof limit === "string" ? { limit } : {};
  } catch (thrown) {
    const error = errorFields(
      thrown instanceof ToolError
        ? thrown
        : new ToolError("internal", "The check itself failed.", { cause: thrown }),
    );
    const { hint, kind } = error;
    const isMissing = hint === undefined && place !== undefined && faultsOfPlace.has(kind);
    return { error: isMissing ? { ...error, hint: `Check ${place}.` } : error };
  }
}

function checkPolicy(path: string, config: Config): () => Promise<string | undefined> {
  return async () => {
    const { PolicyFileError, idleSentences, knownTools, readPolicyFile } =
      await import("./policy/read-policy-file.ts");
    try {
      const tools = [...knownTools(readRegistry()), ...(await reviewedNames(config))];
      const idle = idleSentences(readPolicyFile(path, tools));
      return idle.length === 0 ? undefined : idle.join(" ");
    } catch (error) {
      if (!(error instanceof PolicyFileError)) throw error;
      throw new ToolError("not_configured", `${error.message}.`, {
        hint: "A running server keeps the last valid policy. A new one does not start with this file.",
      });
    }
  };
}

/** Reports events that another `install.key` signed. Several installations may share a database server. */
async function otherKeys(
  { database }: Config,
  { database: stored, keys }: Pick<Stores, "database" | "keys">,
): Promise<string | undefined> {
  if (database.kind !== "file") return undefined;
  const sql = "SELECT count(*) AS events, sum(key_id <> ?) AS others FROM audit";
  const { rows } = await stored.read({ sql, args: [keys.keyId] });
  const others = Number(rows[0]?.["others"] ?? 0);
  return others === 0
    ? undefined
    : `${others} of ${Number(rows[0]?.["events"])} events were signed with another install.key, so changes to them are not noticed. If that key was lost, put it back from a backup.`;
}

function ownKeys({ keys }: Pick<Stores, "keys">): AuditKeys {
  return new Map([[keys.keyId, keys.audit]]);
}

function checkOfCalendar(calendar: Calendar): () => Promise<string | undefined> {
  return async () => {
    const { isReadOnly } = await calendar.check();
    return isReadOnly
      ? "This account can only read the calendar, so events cannot be created, changed or deleted. Give it the right to write there, or set another CALDAV_CALENDAR."
      : undefined;
  };
}

function checkOf(port: { check(): Promise<unknown> }): () => Promise<unknown> {
  return () => port.check();
}
