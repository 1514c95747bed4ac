import { resolve } from "node:path";
import { statSync } from "node:fs";
import { ToolError } from "../../../core/tool/tool-error.ts";
import { knownPassphrase, passphraseStdin } from "../../backup/passphrase.ts";
import { restoreData } from "../../backup/restore-data.ts";
import { cancelledExit, defineCommand, form } from "../../command-line/define-command.ts";
import { envFile, required } from "../../command-line/options.ts";
import { createLog } from "../../platform/log.ts";

export const command = defineCommand({
  exitCodes: cancelledExit,
  about:
    'Restores a backup into a data directory that is empty, except for a .env and the same install.key. The restored approval requests, approvals with "allow similar" and access of clients are not valid. After an interruption, run it again with the same file.',
  forms: [
    form({
      arguments: { file: required("FILE") },
      options: { passphraseStdin, envFile },
      run: restore,
    }),
  ],
});

async function restore(
  options: { passphraseStdin: boolean; envFile: string | undefined },
  { file: given }: { file: string },
): Promise<number> {
  const file = resolve(given);
  const facts = statSync(file, { throwIfNoEntry: false });
  if (facts === undefined)
    throw new ToolError("not_found", `${file} does not exist. Nothing was restored.`);
  if (facts.isDirectory())
    throw new ToolError("invalid_input", `${file} is a directory. Nothing was restored.`);
  const passphrase = await knownPassphrase(options.passphraseStdin);
  const { at, ended, leftOut, clients, passkeys, dataDir, hasItsSettings } = await restoreData(
    file,
    {
      envFile: options.envFile,
      passphrase,
      log: createLog("warn"),
    },
  );
  console.log(`Restored the backup of ${at} into ${dataDir}.`);
  if (leftOut > 0)
    console.log(
      `Messages that the backup lists without their content, and that were left out: ${leftOut}.`,
    );
  if (ended > 0)
    console.log(
      `Approval requests, and approvals with "allow similar", that are no longer valid: ${ended}.`,
    );
  if (clients > 0) console.log(`Clients that must sign in again: ${clients}.`);
  if (passkeys > 0)
    console.log(
      `Passkeys of the backup: ${passkeys}. They include those that were removed later. Remove such passkeys on the approval page.`,
    );
  if (!hasItsSettings)
    console.log("Your own settings were kept. The settings in the backup were not used.");
  return 0;
}
