import { once } from "node:events";
import { visible } from "../../core/shared/text/visible.ts";
import { eventToJson, summarizeEvent } from "../../channels/audit-lines.ts";
import { keysOfFile } from "../platform/install-secret.ts";
import { defineCommand, form } from "../command-line/define-command.ts";
import { envFile, json, text, texts, time } from "../command-line/options.ts";
import type { Stores } from "../compose/open/open-stores.ts";
import { withStores } from "../compose/with-stores.ts";
import { verifyAudit } from "../audit/verify-audit.ts";

/** Breaks printed in full. Further ones are only counted. */
const breaksShown = 20;

export const command = defineCommand({
  about: "Lists and verifies the audit record.",
  exitCodes: { 1: "failed, or `verify` found a change" },
  forms: [
    form({
      name: "list",
      help: "list every event, the oldest first",
      options: {
        since: time("only events from this time on: 2026-11-22, or 2026-11-22T10:00Z"),
        until: time("only events before this time"),
        tool: text("NAME", "only events of this tool"),
        principal: text("NAME", "only events of this caller"),
        json,
        envFile,
      },
      run: async (options) => {
        const { since, until, tool, principal } = options;
        const filter = {
          ...(since !== undefined && { since }),
          ...(until !== undefined && { until }),
          ...(tool !== undefined && { tool }),
          ...(principal !== undefined && { principal }),
        };
        return await withStores(options.envFile, ({ stores }) =>
          list(stores, filter, options.json),
        );
      },
    }),
    form({
      name: "verify",
      help: "follow the record from its beginning, and name the place where an event was changed, inserted, moved or removed; compare it with the heads in the data directory and the object store, and with the approval requests of the last day",
      options: {
        key: texts(
          "FILE",
          "also accept the install.key of another installation with the same database",
        ),
        json,
        envFile,
      },
      run: async (options) => {
        const others = options.key.map(keysOfFile);
        return await withStores(options.envFile, async ({ stores }) => {
          const keys = new Map([stores.keys, ...others].map(({ keyId, audit }) => [keyId, audit]));
          return tellVerdict(await verifyAudit(stores, keys), options.json);
        });
      },
    }),
  ],
});

async function list(
  { auditReader }: Stores,
  filter: Parameters<Stores["auditReader"]["rows"]>[0],
  isJson: boolean,
): Promise<number> {
  let isEmpty = true;
  for await (const found of auditReader.rows(filter)) {
    isEmpty = false;
    const line = isJson ? JSON.stringify(eventToJson(found)) : summarizeEvent(found);
    // A slow reader delays the output instead of filling our memory.
    if (!process.stdout.write(`${line}\n`)) await once(process.stdout, "drain");
  }
  if (isEmpty && !isJson) console.log("No events were found.");
  return 0;
}

function tellVerdict(verdict: Awaited<ReturnType<typeof verifyAudit>>, isJson: boolean): number {
  const { complete, summary, breaks, requests } = verdict;
  const lines = [
    ...breaks.map(({ what }) => `BROKEN: ${what}.`),
    ...requests.differences.map(
      ({ ticketId, what, isUnrecorded }) =>
        `${isUnrecorded ? "not recorded" : "BROKEN"}: the approval request ${ticketId}: ${what}.`,
    ),
  ];
  if (isJson) console.log(JSON.stringify(verdict));
  else {
    for (const line of lines.slice(0, breaksShown)) console.error(visible(line));
    const more = lines.length - breaksShown;
    if (more > 0) console.error(`and ${more} more places.`);
    (complete ? console.log : console.error)(summary);
  }
  return complete ? 0 : 1;
}
