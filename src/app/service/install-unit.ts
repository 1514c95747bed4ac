import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Config } from "../../config.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { mailPlaces } from "../mail/fetch-mail.ts";
import { removeLeftDrafts, replaceFile } from "../platform/write-file.ts";
import { inShell } from "../../core/shared/text/shell-word.ts";
import { escaped } from "../../core/shared/text/visible.ts";
import { ownCommand, programPath } from "../platform/own-command.ts";
import { loadSettings, readSettings } from "../platform/settings.ts";
import type { ServiceManager } from "./supervisor.ts";
import { type IngestService, isOurs, unwritablePath } from "./unit-text.ts";
import { isMissing } from "../platform/safe-file.ts";

/** Returns whether `ingest` would have work with these settings. */
export function receivesMail(config: Config): boolean {
  const { smtp, ingest } = config;
  return smtp !== undefined || ingest.http !== undefined || mailPlaces(config).length > 0;
}

/**
 * Returns the service for the settings of the file alone, because a service does not see the environment.
 * @param options.needsMail false for a unit that is only printed, for example as a template for `serve --http`
 * @throws ConfigError, or ToolError `not_configured`
 */
export function ingestService(
  envFile: string | undefined,
  { needsMail = true }: { needsMail?: boolean } = {},
): IngestService {
  const { file, dataDir } = readSettings({ envFile, warn: () => undefined });
  const next = `Nothing was installed. Run: ${ownCommand()} init`;
  if (!existsSync(file))
    throw new ToolError("not_configured", `There are no settings in ${file}. ${next}`);
  const config = loadSettings({ envFile: file, env: { COUNTERSIGN_DATA_DIR: dataDir } });
  if (needsMail && !receivesMail(config))
    throw new ToolError(
      "not_configured",
      `${file} sets up no mail, so the service would have nothing to do. ${next}`,
    );
  const { database } = config;
  const place = database.kind === "file" ? dirname(database.path) : dataDir;
  const service = {
    node: process.execPath,
    program: programPath,
    envFile: file,
    dataDir,
    databaseDir: place === dataDir ? undefined : place,
  };
  const unwritable = unwritablePath(service);
  if (unwritable !== undefined)
    throw new ToolError(
      "invalid_input",
      `The path ${escaped(unwritable)} has a line break or another control character, which the file of a service cannot contain. Nothing was installed. Rename it.`,
    );
  return service;
}

export interface Installed {
  file: string;
  /** False if the same file existed before. */
  isNew: boolean;
  isSandboxed: boolean;
}

/**
 * Writes the service's file and starts the service. A second run changes only differences.
 * @throws ToolError if the file is foreign and `force` is false, or the service manager fails
 */
export async function installService(
  manager: ServiceManager,
  service: IngestService,
  { force }: { force: boolean },
): Promise<Installed> {
  const { file } = manager;
  removeLeftDrafts(file);
  const before = readIfThere(file);
  // A start with the sandbox failed before and would fail again.
  const open = manager.text(service, false);
  const wanted = before === open ? open : manager.text(service, true);
  refuseForeign(before, file, { force, nothing: "Nothing was installed." });
  // systemd starts no unit with a missing directory.
  if (service.databaseDir !== undefined)
    mkdirSync(service.databaseDir, { recursive: true, mode: 0o700 });
  if (before !== wanted) write(file, wanted);
  try {
    await manager.start();
    return { file, isNew: before !== wanted, isSandboxed: wanted !== open };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (wanted === open || !(await manager.failedInSandbox()))
      throw notStarted(file, error, await manager.isReachable());
  }
  write(file, open);
  await manager.start();
  return { file, isNew: true, isSandboxed: false };
}

/** A login with `su` or `sudo` has no connection to the user's own service manager. */
const logIn = "Log in as this user, not with su or sudo, and run";

function notStarted(file: string, { message }: ToolError, isReachable: boolean): ToolError {
  const retry = `${isReachable ? "Then run" : logIn}: ${ownCommand()} service install`;
  return new ToolError(
    "unavailable",
    `${file} was written, but the service was not started. ${message} ${retry}`,
  );
}

/**
 * Stops the service and removes its file only.
 * @returns false if it was not installed
 * @throws ToolError if `force` is false, and the file is foreign or the service manager does not answer
 */
export async function uninstallService(
  manager: ServiceManager,
  { force }: { force: boolean },
): Promise<boolean> {
  removeLeftDrafts(manager.file);
  const before = readIfThere(manager.file);
  if (before === undefined) return false;
  refuseForeign(before, manager.file, { force, nothing: "Nothing was removed." });
  const isReachable = await manager.isReachable();
  if (!isReachable && !force) {
    const again = `${ownCommand()} service uninstall`;
    throw new ToolError(
      "unavailable",
      `${manager.kind} does not answer, and the service may be running. Nothing was removed. ${logIn}: ${again}\nTo remove the file alone: ${again} --force`,
    );
  }
  if (isReachable) await manager.stop();
  rmSync(manager.file);
  if (isReachable) await manager.forget();
  return true;
}

/** `outdated`: ours, but with other paths than now. `foreign`: written by another program or edited since. */
export type FileState = "none" | "current" | "outdated" | "foreign";

export function fileState(manager: ServiceManager, service: IngestService | undefined): FileState {
  const text = readIfThere(manager.file);
  if (text === undefined) return "none";
  if (!isOurs(text)) return "foreign";
  const due = service === undefined ? [] : [true, false].map((one) => manager.text(service, one));
  return due.includes(text) ? "current" : "outdated";
}

function refuseForeign(
  text: string | undefined,
  file: string,
  { force, nothing }: { force: boolean; nothing: string },
): void {
  if (text === undefined || force || isOurs(text)) return;
  throw new ToolError(
    "conflict",
    `${file} was not written by service install, or was changed since. ${nothing} Read it with: cat ${inShell(file)}. To replace or remove it, add --force.`,
  );
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  replaceFile(file, text);
}
