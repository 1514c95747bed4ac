import { existsSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { formatSize } from "../../../core/shared/text/format.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import { draftOf, writeBackup } from "../../backup/backup-file.ts";
import { newPassphrase, passphraseStdin } from "../../backup/passphrase.ts";
import { removeOldSnapshots, snapshotIn, takeSnapshot } from "../../backup/snapshot.ts";
import { cancelledExit, defineCommand, form } from "../../command-line/define-command.ts";
import { envFile, required } from "../../command-line/options.ts";
import { withStores } from "../../compose/with-stores.ts";
import { readSettings } from "../../platform/settings.ts";
import { endBySignal } from "../../platform/stop-signal.ts";

export const command = defineCommand({
  exitCodes: cancelledExit,
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

/** Unlike for a server, the end of the terminal stops it too, and nothing waits for the rest of the work. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** While a directory is removed, the database's thread may create a file in it. `retryDelay` is in milliseconds. */
const retries = { maxRetries: 20, retryDelay: 10 };

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
    const removeSnapshot = (): void =>
      rmSync(snapshotIn(config.dataDir), { recursive: true, force: true, ...retries });
    // The snapshot is not encrypted, and keeps mail that is deleted later.
    const stop = (signal: NodeJS.Signals): void => {
      removeSnapshot();
      rmSync(draftOf(file), { force: true });
      console.error("Stopped. No backup was made.");
      endBySignal(signal);
    };
    for (const signal of signals) process.once(signal, stop);
    try {
      const snapshot = await takeSnapshot({ config, objects: stores.objects, log }, settings);
      refuseExisting(file);
      const bytes = await writeBackup(snapshot, file, passphrase);
      console.log(
        `${file} contains everything (${formatSize(bytes)}). Only the passphrase decrypts it.`,
      );
    } finally {
      for (const signal of signals) process.removeListener(signal, stop);
      removeSnapshot();
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
