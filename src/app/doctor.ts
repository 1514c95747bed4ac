import { parseArgs } from "node:util";
import { createTavilySearch } from "../adapters/tavily/web-search.ts";
import type { Log } from "../core/log.ts";
import { type ErrorFields, ToolError, errorFields } from "../core/tool-error.ts";
import { createLog } from "./log.ts";
import { openStores } from "./open-stores.ts";
import { loadSettings } from "./settings.ts";

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
  const { webSearch } = config;
  const patients: Patient[] = [
    { name: "database", settings: "DATABASE_URL", check: () => stores.tickets.find("doctor") },
    { name: "files", settings: "S3_*", check: () => stores.objects.check() },
    { name: "calendar", settings: "CALDAV_*", check: stores.calendar && checkOf(stores.calendar) },
    {
      name: "web search",
      settings: "TAVILY_API_KEY",
      check: webSearch && checkOf(createTavilySearch({ ...webSearch, log: quiet })),
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
