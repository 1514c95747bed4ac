import { parseArgs } from "node:util";
import type { Log } from "../../core/shared/log.ts";
import type { ErrorFields } from "../../core/tool/tool-error.ts";
import { connectionsOf, problemOf } from "../compose/connections.ts";
import { createLog } from "../platform/log.ts";
import { openStores } from "../compose/open-stores.ts";
import { loadSettings } from "../platform/settings.ts";

export const usage = `Usage: countersign doctor [--json]

Tries every connection that the settings name, and says what to mend.

  --json           one JSON object a line
  --env-file PATH  read the settings from this file instead of .env in the data directory`;

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
  let allWell = true;
  try {
    for (const connection of connectionsOf(config, stores, quiet)) {
      const { name, settings, check } = connection;
      const error = await problemOf(connection);
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

function advice(state: string, settings: string, error: ErrorFields | undefined): string[] {
  if (error !== undefined) return [error.message, ...(error.hint ? [error.hint] : [])];
  return state === "ok" ? [] : [`Set ${settings} to have it.`];
}
