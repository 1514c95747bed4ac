import { visible } from "../../core/shared/text/visible.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { Passkey } from "../../ports/people/passkeys.ts";
import { accessForms, recordEnd } from "../compose/access-forms.ts";
import { defineCommand } from "../command-line/define-command.ts";
import type { Stores } from "../compose/open/open-stores.ts";
import { printLines } from "../platform/print-lines.ts";

export const command = defineCommand({
  about:
    "Lists the passkeys with which approvers sign in on the approval page, and removes them. An approver adds a passkey on that page.",
  forms: accessForms({
    list: { help: "list the passkeys with their approvers and last use", run: list },
    end: {
      name: "remove",
      help: "remove a passkey; the sessions that it opened on the approval page end too",
      run: remove,
    },
  }),
});

async function list({ passkeys }: Stores, isJson: boolean): Promise<number> {
  const known = await passkeys.list();
  for (const each of known) {
    const { passkeyId, approver, name, createdAt, usedAt } = each;
    const shown = { passkeyId, approver, name, createdAt, usedAt };
    if (isJson) console.log(JSON.stringify(shown));
    else printLines(formatPasskey(each));
  }
  if (known.length === 0 && !isJson) console.log("No approver has a passkey.");
  return 0;
}

function formatPasskey({ passkeyId, approver, name, createdAt, usedAt }: Passkey): string {
  const used = usedAt === undefined ? "never used" : `last used ${usedAt.toISOString()}`;
  return `${passkeyId}  "${visible(name)}"  of ${approver}  added ${createdAt.toISOString()}  ${used}`;
}

async function remove(stores: Stores, passkeyId: string, isJson: boolean): Promise<number> {
  const removed = await stores.passkeys.remove(passkeyId);
  if (removed === undefined) {
    throw new ToolError("not_found", "No passkey has this id. Nothing was removed.", {
      hint: "`passkeys list` shows the ids.",
    });
  }
  const sentence = `removed the passkey "${visible(removed.name)}" of ${removed.approver}`;
  await recordEnd(stores, { sentence, outcome: "removed" });
  console.log(isJson ? JSON.stringify({ passkeyId, removed: true }) : "The passkey was removed.");
  return 0;
}
