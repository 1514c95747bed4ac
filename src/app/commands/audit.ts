import { once } from "node:events";
import { parseArgs } from "node:util";
import { dayOrTime } from "../../core/shared/day-or-time.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { eventAsData, eventInShort } from "../../review/audit-lines.ts";
import { keysOfFile } from "../platform/install-secret.ts";
import { createLog } from "../platform/log.ts";
import { openStores, type Stores } from "../compose/open-stores.ts";
import { loadSettings } from "../platform/settings.ts";
import { verifyAudit } from "../jobs/verify-audit.ts";

export const usage = `Usage: countersign audit list [--since TIME] [--until TIME] [--tool NAME] [--principal NAME] [--json]
       countersign audit verify [--key FILE]... [--json]

The record of everything that happened.

  list             every event, oldest first; --json streams one object a line
  verify           follows it from the beginning: says where an event was changed, put in, moved or removed, and compares
                   it with the heads that are kept in the data directory and in the object store
  --since TIME     from this time on: 2026-11-22, or 2026-11-22T10:00Z
  --until TIME     before this time
  --key FILE       the install.key of another installation that writes to the same database
  --env-file PATH  read the settings from this file instead of .env in the data directory`;

/** Places where the record is broken that are told; the rest is counted. */
const breaksShown = 20;

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      since: { type: "string" },
      until: { type: "string" },
      tool: { type: "string" },
      principal: { type: "string" },
      key: { type: "string", multiple: true, default: [] },
      "env-file": { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [action, ...rest] = positionals;
  if (values.help || (action !== "list" && action !== "verify") || rest.length > 0) {
    (values.help ? console.log : console.error)(usage);
    return values.help ? 0 : 2;
  }
  const others = values.key.map(keysOfFile);
  const filter = {
    ...times("since", values.since),
    ...times("until", values.until),
    ...(values.tool !== undefined && { tool: values.tool }),
    ...(values.principal !== undefined && { principal: values.principal }),
  };
  const config = loadSettings({ envFile: values["env-file"] });
  const stores = openStores(config, createLog(config.logLevel));
  try {
    if (action === "list") return await list(stores, filter, values.json);
    const keys = new Map([stores.keys, ...others].map(({ keyId, audit }) => [keyId, audit]));
    return tellVerdict(await verifyAudit(stores, keys), values.json);
  } finally {
    await stores.close();
  }
}

function times(name: "since" | "until", text: string | undefined): { since?: Date; until?: Date } {
  if (text === undefined) return {};
  const time = dayOrTime(text);
  if (time !== undefined) return { [name]: time };
  throw new ToolError("invalid_input", `--${name}: ${text} is no date and no time.`);
}

async function list(
  { auditReader }: Stores,
  filter: Parameters<Stores["auditReader"]["rows"]>[0],
  json: boolean,
): Promise<number> {
  for await (const found of auditReader.rows(filter)) {
    const line = json ? JSON.stringify(eventAsData(found)) : eventInShort(found);
    // Whoever reads slowly keeps us waiting, not our memory filling.
    if (!process.stdout.write(`${line}\n`)) await once(process.stdout, "drain");
  }
  return 0;
}

function tellVerdict(verdict: Awaited<ReturnType<typeof verifyAudit>>, json: boolean): number {
  const { complete, summary, breaks } = verdict;
  if (json) console.log(JSON.stringify(verdict));
  else {
    for (const { what } of breaks.slice(0, breaksShown)) console.error(`BROKEN: ${what}.`);
    const more = breaks.length - breaksShown;
    if (more > 0) console.error(`and ${more} more places.`);
    (complete ? console.log : console.error)(summary);
  }
  return complete ? 0 : 1;
}
