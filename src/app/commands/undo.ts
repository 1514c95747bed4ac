import { parseArgs } from "node:util";
import { changeAsData, changeInShort, offerInFull } from "../../review/change-lines.ts";
import { createLog } from "../platform/log.ts";
import { openStores, type Stores } from "../compose/open-stores.ts";
import { ownCommand } from "../platform/own-command.ts";
import { provenPerson } from "../page/proven-person.ts";
import { loadSettings } from "../platform/settings.ts";

export const usage = `Usage: countersign undo list [--json]
       countersign undo ID [--secret-stdin] [--json]

Restores the version of a file from before a change: a replaced or deleted file is put back, a new one is removed. On a
terminal you type the fingerprint of what is shown. The version that is there now is kept and can be restored too.

  list             what can be undone now, newest first
  --secret-stdin   an approver's secret (see APPROVERS) comes on standard input, for scripts
  --json           one JSON object a line
  --env-file PATH  read the settings from this file instead of .env in the data directory`;

/** Changes listed at most; the rest is in `countersign activity`. */
const listLimit = 200;
const nothing = "Nothing was undone.";

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      "secret-stdin": { type: "boolean", default: false },
      "env-file": { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [what, ...rest] = positionals;
  if (values.help || what === undefined || rest.length > 0) {
    (values.help ? console.log : console.error)(usage);
    return values.help ? 0 : 2;
  }
  const config = loadSettings({ envFile: values["env-file"] });
  const stores = openStores(config, createLog(config.logLevel));
  const { json } = values;
  try {
    if (what === "list") return await list(stores, json, config.undoHours);
    const offer = await stores.undo.look(what);
    const by = await provenPerson(
      {
        ...offer,
        inFull: offerInFull(offer),
        question: "Type the fingerprint to undo this",
        nothing,
      },
      { approvers: config.approvals.approvers, secretStdin: values["secret-stdin"] },
    );
    const { version } = offer;
    const { sentence } = await stores.undo.undo(what, { by, channel: "terminal", version });
    console.log(json ? JSON.stringify({ undoId: what, undone: true, sentence }) : told(sentence));
    return 0;
  } finally {
    await stores.close();
  }
}

async function list({ recentChanges }: Stores, json: boolean, undoHours: number): Promise<number> {
  const from = new Date(Date.now() - undoHours * 3_600_000);
  const found = await recentChanges.newest({ from, limit: listLimit });
  const possible = found.filter(({ undo }) => undo?.state === "possible");
  for (const change of possible) {
    console.log(json ? JSON.stringify(changeAsData(change)) : changeInShort(change));
  }
  if (json) return 0;
  if (possible.length === 0) console.log("There is nothing to undo.");
  if (found.length === listLimit) {
    console.log(`Only the newest ${listLimit} changes were read: see ${ownCommand()} activity.`);
  }
  return 0;
}

/** `Restored notes/a.md.` */
function told(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}
