import { existsSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { formatSize } from "../../../core/shared/text/format.ts";
import { ToolError } from "../../../core/tool/tool-error.ts";
import { refuseExisting, writeBackup } from "../../backup/backup-file.ts";
import { newPassphrase, passphraseStdin } from "../../backup/passphrase.ts";
import {
  type SnapshotContent,
  refuseMissingDatabase,
  snapshotContent,
} from "../../backup/snapshot-content.ts";
import {
  removeOldSnapshots,
  settingsOutside,
  snapshotIn,
  takeSnapshot,
} from "../../backup/snapshot.ts";
import { formatKeys } from "../../mail/missing-objects.ts";
import { cancelledExit, defineCommand, form } from "../../command-line/define-command.ts";
import { envFile, required } from "../../command-line/options.ts";
import { type OpenedStores, withStores } from "../../compose/with-stores.ts";
import { ownCommand } from "../../platform/own-command.ts";
import { refuseUnused } from "../../platform/data-directory.ts";
import { readSettings } from "../../platform/settings.ts";
import { endBySignal } from "../../platform/stop-signal.ts";
import { draftOf, removeLeftDrafts } from "../../platform/write-file.ts";

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
  refuseName(file);
  const draft = draftOf(file);
  const act = async ({ config, stores, log }: OpenedStores): Promise<number> => {
    refuseMissingDatabase(config);
    const passphrase = await newPassphrase(options.passphraseStdin);
    const settings = readSettings({ envFile, warn: () => undefined }).file;
    removeOldSnapshots(config.dataDir);
    removeLeftDrafts(file);
    const removeSnapshot = (): void =>
      rmSync(snapshotIn(config.dataDir), { recursive: true, force: true, ...retries });
    // The snapshot is not encrypted, and keeps mail that is deleted later.
    const stop = (signal: NodeJS.Signals): void => {
      removeSnapshot();
      rmSync(draft, { force: true });
      console.error("Stopped. No backup was made.");
      endBySignal(signal);
    };
    for (const signal of signals) process.once(signal, stop);
    try {
      const { objects, database: live } = stores;
      const snapshot = await takeSnapshot({ config, objects, log }, settings);
      const content = await snapshotContent(snapshot, {
        live,
        isBucket: config.s3 !== undefined,
        log,
      });
      refuseExisting(file);
      const bytes = await writeBackup(snapshot, { file, draft }, passphrase);
      const code = tell(file, bytes, content);
      const outside = settingsOutside(config);
      if (outside.length > 0)
        console.log(`Not in the backup: the files of ${outside.join(", ")}. Copy them yourself.`);
      return code;
    } finally {
      for (const signal of signals) process.removeListener(signal, stop);
      removeSnapshot();
    }
  };
  return await withStores(envFile, act, { refuse: (dir) => refuseUnused(dir, nothingMade) });
}

/** Prints what the backup contains, and returns the exit code. */
function tell(
  file: string,
  bytes: number,
  { messages, missing, files, missingFiles }: SnapshotContent,
): number {
  const content = `Messages: ${messages}, files: ${files}. Only the passphrase decrypts it.`;
  if (missing.length + missingFiles.length === 0) {
    console.log(`${file} contains everything (${formatSize(bytes)}). ${content}`);
    return 0;
  }
  const lost = [
    ...(missing.length === 0
      ? []
      : [
          `The object store lacks the content of ${missing.length} messages. A restore leaves out those without the raw message.`,
        ]),
    ...(missingFiles.length === 0
      ? []
      : [`The object store lacks ${missingFiles.length} files: ${formatKeys(missingFiles)}.`]),
  ];
  console.error(
    `${file} is not complete (${formatSize(bytes)}). ${content} ${lost.join(" ")} Run: ${ownCommand()} doctor`,
  );
  return 1;
}

const nothingMade = "No backup was made.";

function refuseName(file: string): void {
  const directory = dirname(file);
  if (!existsSync(directory))
    throw new ToolError(
      "not_found",
      `The directory ${directory} does not exist. ${nothingMade} Create it, or choose another place.`,
    );
  refuseExisting(file);
}
