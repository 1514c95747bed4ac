import { ConfigError } from "../../config/config-error.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { Prompter } from "../../setup/person.ts";
import { fileState, ingestService, installService } from "./install-unit.ts";
import { managerHere } from "./supervisor.ts";
import type { IngestService } from "./unit-text.ts";

/** Returns whether the service of this machine runs with these settings. */
export function isInstalled(envFile: string | undefined): boolean {
  const manager = managerHere();
  const service = serviceOf(envFile);
  return (
    manager !== undefined && service !== undefined && fileState(manager, service) === "current"
  );
}

/** Asks the last question of `init`, if the settings receive mail and this machine can run the service. */
export async function offerService(person: Prompter, envFile: string | undefined): Promise<void> {
  const manager = managerHere();
  const service = serviceOf(envFile);
  if (manager === undefined || service === undefined || isInstalled(envFile)) return;
  if (fileState(manager, service) === "foreign" || !(await manager.isReachable())) return;
  const wanted = await person.chooseOne(
    `Receive mail in the background after each login? This writes ${manager.file}.`,
    [
      { value: false, label: "No" },
      { value: true, label: "Yes" },
    ],
    false,
  );
  if (!wanted) return;
  try {
    const { file } = await installService(manager, service, { force: false });
    person.success([`The service runs. Written to ${file}.`, ...manager.hints].join("\n"));
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    person.warn(error.message);
  }
}

/** Returns the service, or undefined if these settings cannot run as one. */
export function serviceOf(envFile: string | undefined): IngestService | undefined {
  try {
    return ingestService(envFile);
  } catch (error) {
    if (error instanceof ToolError || error instanceof ConfigError) return undefined;
    throw error;
  }
}
