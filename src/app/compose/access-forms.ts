import { recordBestEffort } from "../../core/audit/audit.ts";
import { randomId } from "../../core/shared/digest.ts";
import type { Stores } from "./open/open-stores.ts";
import { withStores } from "./with-stores.ts";
import { type CommandForm, form } from "../command-line/define-command.ts";
import { envFile, json, required } from "../command-line/options.ts";

/**
 * Returns the forms of a command that lists what gives access, and ends one access. Each form returns the exit code.
 * @param end.name the word on the command line, for example `revoke`
 */
export function accessForms({
  list,
  end,
}: {
  list: { help: string; run: (stores: Stores, isJson: boolean) => Promise<number> };
  end: {
    name: string;
    help: string;
    run: (stores: Stores, id: string, isJson: boolean) => Promise<number>;
  };
}): CommandForm[] {
  const options = { json, envFile };
  return [
    form({
      name: "list",
      help: list.help,
      options,
      run: ({ envFile: file, json: isJson }) =>
        withStores(file, ({ stores }) => list.run(stores, isJson)),
    }),
    form({
      name: end.name,
      help: end.help,
      arguments: { id: required("ID") },
      options,
      run: ({ envFile: file, json: isJson }, { id }) =>
        withStores(file, ({ stores }) => end.run(stores, id, isJson)),
    }),
  ];
}

/** Adds an audit event: the operator ended an access at the terminal. */
export async function recordEnd(
  { audit }: Stores,
  { sentence, outcome }: { sentence: string; outcome: string },
): Promise<void> {
  await recordBestEffort(audit, {
    type: "decided",
    at: new Date(),
    callId: randomId("sign-in"),
    principal: "operator",
    client: "terminal",
    tool: "oauth",
    sentence,
    outcome,
  });
}
