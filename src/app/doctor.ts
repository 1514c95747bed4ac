import { parseArgs } from "node:util";
import { createTextModel } from "../adapters/llm/text-model.ts";
import { createTavilySearch } from "../adapters/tavily/web-search.ts";
import type { AuditKeys } from "../core/audit-chain.ts";
import { createTelegram } from "../adapters/telegram/messenger.ts";
import type { Log } from "../core/log.ts";
import { type ErrorFields, ToolError, errorFields } from "../core/tool-error.ts";
import { mailChecks } from "./fetch-mail.ts";
import { createLog } from "./log.ts";
import { openStores, type Stores } from "./open-stores.ts";
import { readRegistry } from "./read-registry.ts";
import { loadSettings } from "./settings.ts";
import { readPair } from "./smtp-certificate.ts";
import { checkHeads } from "./verify-audit.ts";

const usage = `Usage: countersign doctor [--json]

Tries every connection that the settings name, and says what to mend.

  --json           one JSON object a line
  --env-file PATH  read the settings from this file instead of .env in the data directory`;

/** One connection and what came of trying it; without `check` it is not configured. */
interface Patient {
  name: string;
  /** The settings that would bring it. */
  settings: string;
  check: (() => Promise<unknown>) | undefined;
}

/** Exit code 0 only where everything that is configured works. */
export async function run(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      json: { type: "boolean", default: false },
      "env-file": { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const config = loadSettings({ envFile: values["env-file"] });
  // What is wrong is told below in one sentence each; the vendors' own words only to who asks for them.
  const quiet: Log = createLog(config.logLevel === "debug" ? "debug" : "error");
  const stores = openStores(config, quiet);
  const { webSearch, smtp, summary, telegram } = config;
  const mail = mailChecks(config, quiet);
  const patients: Patient[] = [
    { name: "database", settings: "DATABASE_URL", check: () => stores.tickets.find("doctor") },
    { name: "files", settings: "S3_*", check: () => stores.objects.check() },
    {
      name: "policy file",
      settings: "POLICY_FILE",
      check: config.policyFile ? checkPolicy(config.policyFile) : undefined,
    },
    { name: "record", settings: "DATABASE_URL", check: () => checkHeads(stores, ownKeys(stores)) },
    { name: "calendar", settings: "CALDAV_*", check: stores.calendar && checkOf(stores.calendar) },
    {
      name: "web search",
      settings: "TAVILY_API_KEY",
      check: webSearch && checkOf(createTavilySearch({ ...webSearch, log: quiet })),
    },
    {
      name: "mail over SMTP",
      settings: "INGEST_RECIPIENTS",
      check: smtp && (async () => smtp.tls && (await readPair(smtp.tls))),
    },
    { name: "mail from IMAP", settings: "IMAP_*", check: mail.imap },
    { name: "mail from the bucket", settings: "INGEST_BUCKET_PREFIX", check: mail.bucket },
    {
      name: "summaries by a model",
      settings: "SUMMARY_*",
      check: summary && checkOf(createTextModel(summary)),
    },
    {
      name: "telegram",
      settings: "TELEGRAM_*",
      check: telegram && (() => createTelegram(telegram).check(telegram.chatIds)),
    },
  ];
  let allWell = true;
  try {
    for (const { name, settings, check } of patients) {
      const error = await problemOf(check);
      allWell &&= error === undefined;
      const state = check === undefined ? "not configured" : error === undefined ? "ok" : "failed";
      if (values.json) console.log(JSON.stringify({ name, state, ...(error && { error }) }));
      else console.log([`${name}: ${state}`, ...advice(state, settings, error)].join("\n  "));
    }
  } finally {
    await stores.close();
  }
  return allWell ? 0 : 1;
}

function checkPolicy(path: string): () => Promise<void> {
  return async () => {
    const { PolicyFileError, readPolicyFile } = await import("./policy/read-policy-file.ts");
    try {
      readPolicyFile(path, readRegistry());
    } catch (error) {
      if (!(error instanceof PolicyFileError)) throw error;
      throw new ToolError("not_configured", `${error.message}.`, {
        hint: "A running server keeps to the last good one; none starts with this.",
      });
    }
  };
}

function ownKeys({ keys }: Stores): AuditKeys {
  return new Map([[keys.keyId, keys.audit]]);
}

function checkOf(port: { check(): Promise<void> }): () => Promise<void> {
  return () => port.check();
}

async function problemOf(check: Patient["check"]): Promise<ErrorFields | undefined> {
  try {
    await check?.();
    return undefined;
  } catch (thrown) {
    return errorFields(
      thrown instanceof ToolError
        ? thrown
        : new ToolError("internal", "The check itself failed.", { cause: thrown }),
    );
  }
}

function advice(state: string, settings: string, error: ErrorFields | undefined): string[] {
  if (error !== undefined) return [error.message, ...(error.hint ? [error.hint] : [])];
  return state === "ok" ? [] : [`Set ${settings} to have it.`];
}
