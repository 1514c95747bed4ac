import { existsSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { formatSize } from "../../../core/shared/text/format.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import { writeBackup } from "../../backup/backup-file.ts";
import { newPassphrase, passphraseStdin } from "../../backup/passphrase.ts";
import { removeOldSnapshots, takeSnapshot } from "../../backup/snapshot.ts";
import { defineCommand, form } from "../../command-line/define-command.ts";
import { envFile, required } from "../../command-line/options.ts";
import { withStores } from "../../compose/with-stores.ts";
import { readSettings } from "../../platform/settings.ts";

export const command = defineCommand({
  about:
    "Writes everything that Countersign stores into one encrypted file, while other processes run. The data directory needs space for a second copy while the command runs.",
  forms: [
    form({
      arguments: { file: required("FILE") },
      options: { passphraseStdin, envFile },
      run: backup,
    }),
  ],
});

async function backup(
  options: { passphraseStdin: boolean; envFile: string | undefined },
  { file: given }: { file: string },
): Promise<number> {
  const file = resolve(given);
  refuseExisting(file);
  const passphrase = await newPassphrase(options.passphraseStdin);
  return await withStores(options.envFile, async ({ config, stores, log }) => {
    const settings = readSettings({ envFile: options.envFile, warn: () => undefined }).file;
    removeOldSnapshots(config.dataDir);
    const snapshot = await takeSnapshot({ config, objects: stores.objects, log }, settings);
    try {
      refuseExisting(file);
      const bytes = await writeBackup(snapshot, file, passphrase);
      console.log(
        `${file} contains everything (${formatSize(bytes)}). Only the passphrase decrypts it.`,
      );
    } finally {
      rmSync(snapshot, { recursive: true, force: true });
    }
    return 0;
  });
}

function refuseExisting(file: string): void {
  const directory = dirname(file);
  if (!existsSync(directory))
    throw new ToolError(
      "not_found",
      `The directory ${directory} does not exist. No backup was made. Create it, or choose another place.`,
    );
  if (!existsSync(file)) return;
  throw new ToolError("conflict", `${file} exists. No backup was made. Choose another name.`);
}
