import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import type { Config } from "../../config.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { plainNames } from "../backup/backup-format.ts";
import { readEnvFile } from "../platform/env-file.ts";
import { environmentForOthers, loadSettings } from "../platform/settings.ts";
import { refuseUnfinished, syncDirectory, syncFile } from "../platform/unfinished.ts";

export const nothingCopied = "Nothing was copied.";

/**
 * Loads the settings of the target from its file alone. Settings of this process's environment belong to the source.
 * Without COUNTERSIGN_DATA_DIR in the file, the data directory stays.
 * @param file a relative path starts at the data directory, as with `--env-file`
 * @throws ConfigError, ToolError
 */
export function targetSettings(file: string, { dataDir }: Config): Config {
  const path = resolve(dataDir, file);
  const text = readEnvFile(path, () => undefined);
  if (text === undefined) {
    throw new ToolError("not_found", `The file ${path} does not exist. ${nothingCopied}`);
  }
  const hasDirectory = (parseEnv(text)["COUNTERSIGN_DATA_DIR"] ?? "").trim() !== "";
  const env = {
    ...environmentForOthers(),
    ...(!hasDirectory && { COUNTERSIGN_DATA_DIR: dataDir }),
  };
  return loadSettings({ envFile: path, env });
}

/**
 * Copies the key of the installation and the small files beside it, if the target has another data directory.
 * @throws ToolError if that directory belongs to another installation
 */
export function copySmallFiles(from: string, to: string): void {
  if (from === to) return;
  refuseUnfinished(to);
  const key = "install.key";
  const isOther =
    existsSync(join(to, key)) && !readFileSync(join(to, key)).equals(readFileSync(join(from, key)));
  if (isOther) {
    throw new ToolError(
      "conflict",
      `${join(to, key)} is the key of a different installation. ${nothingCopied} Set COUNTERSIGN_DATA_DIR to an empty directory.`,
    );
  }
  for (const name of plainNames) copyIfMissing(join(from, name), join(to, name));
  if (!existsSync(join(from, "audit"))) return;
  mkdirSync(join(to, "audit"), { recursive: true, mode: 0o700 });
  for (const name of readdirSync(join(from, "audit")))
    copyIfMissing(join(from, "audit", name), join(to, "audit", name));
  syncDirectory(join(to, "audit"));
}

function copyIfMissing(from: string, to: string): void {
  if (!existsSync(from) || existsSync(to)) return;
  // Complete under its name or not at all, for a process that is killed.
  copyFileSync(from, `${to}.copying`);
  syncFile(`${to}.copying`);
  renameSync(`${to}.copying`, to);
}
