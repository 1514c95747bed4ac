import { ToolError } from "../../core/tool/tool-error.ts";
import { changeToJson, summarizeChange, formatOffer } from "../../channels/change-lines.ts";
import { defineCommand, form } from "../command-line/define-command.ts";
import { envFile, json, required, secretStdin } from "../command-line/options.ts";
import type { Stores } from "../compose/open/open-stores.ts";
import { type OpenedStores, withStores } from "../compose/with-stores.ts";
import { ownCommand } from "../platform/own-command.ts";
import { printLines } from "../platform/print-lines.ts";
import { isUpstreamName } from "../../upstream/tool-name.ts";
import { provenPerson } from "../approvals/proven-person.ts";

/** Largest number of listed changes. `countersign activity` has the rest. */
const listLimit = 200;
const nothing = "Nothing was undone.";

export const command = defineCommand({
  about:
    "Undoes a change of a file or an event. It restores a replaced or deleted version, or removes a new file. In a terminal it shows what will happen, and you type the fingerprint. The present version is kept, so an undo can be undone too.",
  forms: [
    form({
      name: "list",
      help: "list the changes that can be undone, the newest first",
      options: { json, envFile },
      run: (options) =>
        withStores(options.envFile, ({ config, stores }) =>
          list(stores, options.json, config.undoHours),
        ),
    }),
    form({
      arguments: { undoId: required("ID") },
      options: { secretStdin, json, envFile },
      run: (options, { undoId }) =>
        withStores(options.envFile, (opened) => undo(undoId, opened, options)),
    }),
  ],
});

async function undo(
  undoId: string,
  { config, stores }: OpenedStores,
  options: { json: boolean; secretStdin: boolean },
): Promise<number> {
  const request = await stores.tickets.find(undoId);
  if (request !== undefined && isUpstreamName(request.tool)) {
    throw new ToolError(
      "invalid_input",
      `A call of ${request.tool} cannot be undone here, because its server made the change. ${nothing}`,
    );
  }
  const offer = await stores.undo.offer(undoId);
  const by = await provenPerson(
    {
      ...offer,
      inFull: formatOffer(offer),
      question: "Type the fingerprint to undo this",
      nothing,
    },
    { approvers: config.approvals.approvers, secretStdin: options.secretStdin },
  );
  const { version } = offer;
  const { sentence } = await stores.undo.undo(undoId, { by, channel: "terminal", version });
  console.log(
    options.json ? JSON.stringify({ undoId, undone: true, sentence }) : formatUndone(sentence),
  );
  return 0;
}

async function list(
  { recentChanges }: Stores,
  isJson: boolean,
  undoHours: number,
): Promise<number> {
  const from = new Date(Date.now() - undoHours * 3_600_000);
  const found = await recentChanges.newest({ from, limit: listLimit });
  const possible = found.filter(({ undo }) => undo?.state === "possible");
  for (const change of possible) {
    if (isJson) console.log(JSON.stringify(changeToJson(change)));
    else printLines(summarizeChange(change));
  }
  if (isJson) return 0;
  if (possible.length === 0) console.log("There is nothing to undo.");
  if (found.length === listLimit) {
    console.log(`Only the newest ${listLimit} changes were read: see ${ownCommand()} activity.`);
  }
  return 0;
}

/** Formats a result as a sentence: `Restored notes/a.md.` */
function formatUndone(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}
