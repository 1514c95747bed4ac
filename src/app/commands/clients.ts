import { setTimeout as delay } from "node:timers/promises";
import { ToolError } from "../../core/tool/tool-error.ts";
import { clientName } from "../../core/shared/text/client-name.ts";
import { type GrantedClient, revocationWithinMs } from "../../ports/people/oauth-store.ts";
import { accessForms, recordEnd } from "../compose/access-forms.ts";
import { defineCommand } from "../command-line/define-command.ts";
import type { Stores } from "../compose/open/open-stores.ts";
import { printLines } from "../platform/print-lines.ts";

export const command = defineCommand({
  about:
    "Lists the clients that signed in with OAuth, and revokes their access. A revoked client has to sign in again.",
  forms: accessForms({
    list: {
      help: "list the clients with access: caller, last call, and when the access ends",
      run: list,
    },
    end: { name: "revoke", help: "end the access of a client, within a second", run: revoke },
  }),
});

async function list({ oauth }: Stores, isJson: boolean): Promise<number> {
  const granted = await oauth.listGrants();
  for (const each of granted) {
    if (isJson) console.log(JSON.stringify(each));
    else printLines(formatClient(each));
  }
  if (granted.length === 0 && !isJson) console.log("No client has access.");
  return 0;
}

function formatClient(client: GrantedClient): string {
  const { clientId, clientName: name = "", principal, seenAt, endsAt } = client;
  const seen = seenAt === undefined ? "no call yet" : `last call ${seenAt.toISOString()}`;
  return `${clientId}  ${clientName(name)}  as ${principal}  ${seen}  until ${endsAt.toISOString()}`;
}

async function revoke(stores: Stores, clientId: string, isJson: boolean): Promise<number> {
  if (!(await stores.oauth.removeClient(clientId))) {
    throw new ToolError("not_found", "No client has this id. Nothing was revoked.", {
      hint: "`clients list` shows the ids.",
    });
  }
  const sentence = `revoked the access of ${clientName(clientId)}`;
  await recordEnd(stores, { sentence, outcome: "revoked" });
  // A serving process may still remember the token.
  await delay(revocationWithinMs);
  console.log(isJson ? JSON.stringify({ clientId, revoked: true }) : "Its access has ended.");
  return 0;
}
