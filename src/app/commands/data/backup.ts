import { existsSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { formatSize } from "../../../core/shared/text/format.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import { draftOf, writeBackup } from "../../backup/backup-file.ts";
import { newPassphrase, passphraseStdin } from "../../backup/passphrase.ts";
import {
  type SnapshotContent,
  refuseMissingDatabase,
  snapshotContent,
} from "../../backup/snapshot-content.ts";
import { removeOldSnapshots, snapshotIn, takeSnapshot } from "../../backup/snapshot.ts";
import { cancelledExit, defineCommand, form } from "../../command-line/define-command.ts";
import { envFile, required } from "../../command-line/options.ts";
import { type OpenedStores, withStores } from "../../compose/with-stores.ts";
import { ownCommand } from "../../platform/own-command.ts";
import { refuseUnused } from "../../platform/data-directory.ts";
import { readSettings } from "../../platform/settings.ts";
import { endBySignal } from "../../platform/stop-signal.ts";

export const command = defineCommand({
  exitCodes: { ...cancelledExit, 1: "failed, or the backup is not complete" },
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
  const { envFile } = options;
  refuseExisting(file);
  const act = async ({ config, stores, log }: OpenedStores): Promise<number> => {
    refuseMissingDatabase(config);
    const passphrase = await newPassphrase(options.passphraseStdin);
    const settings = readSettings({ envFile, warn: () => undefined }).file;
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
      const { objects, database: live } = stores;
      const snapshot = await takeSnapshot({ config, objects, log }, settings);
      const content = await snapshotContent(snapshot, { live, log });
      refuseExisting(file);
      const bytes = await writeBackup(snapshot, file, passphrase);
      return tell(file, bytes, content);
    } finally {
      for (const signal of signals) process.removeListener(signal, stop);
      removeSnapshot();
    }
  };
  return await withStores(envFile, act, { refuse: (dir) => refuseUnused(dir, nothingMade) });
}

/** Prints what the backup contains, and returns the exit code. */
function tell(file: string, bytes: number, { messages, missing, files }: SnapshotContent): number {
  const content = `Messages: ${messages}, files: ${files}. Only the passphrase decrypts it.`;
  if (missing.length === 0) {
    console.log(`${file} contains everything (${formatSize(bytes)}). ${content}`);
    return 0;
  }
  console.error(
    `${file} is not complete (${formatSize(bytes)}). ${content} The object store lacks the content of ${missing.length} messages. A restore leaves out those without the raw message. Run: ${ownCommand()} doctor`,
  );
  return 1;
}

const nothingMade = "No backup was made.";

function refuseExisting(file: string): void {
  const directory = dirname(file);
  if (!existsSync(directory))
    throw new ToolError(
      "not_found",
      `The directory ${directory} does not exist. ${nothingMade} Create it, or choose another place.`,
    );
  if (!existsSync(file)) return;
  throw new ToolError("conflict", `${file} exists. ${nothingMade} Choose another name.`);
}
