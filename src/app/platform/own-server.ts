import { isAbsolute } from "node:path";
import type { ServerCommand } from "../../setup/clients/client.ts";
import { programPath } from "./own-command.ts";

/**
 * Returns how a client starts this server: with npx if this process was started so, else with the full paths of Node and of the
 * program, as what a desktop starts often does not find Node where a shell does.
 */
export function ownServer(
  place: { envFile?: string | undefined; dataDir?: string | undefined },
  program = programPath,
  system: NodeJS.Platform = process.platform,
): ServerCommand {
  const { envFile, dataDir } = place;
  const own = envFile === undefined ? [] : ["--env-file", envFile];
  const isNpx = /[\\/]_npx[\\/]/.test(program);
  const [command, before] = isNpx ? npx(system) : [process.execPath, [program]];
  const isGiven = dataDir !== undefined && isAbsolute(dataDir);
  return {
    command,
    args: [...before, "serve", ...own],
    ...(isGiven && { env: { COUNTERSIGN_DATA_DIR: dataDir } }),
  };
}

/** Windows starts no script without its shell. */
function npx(system: NodeJS.Platform): readonly [string, readonly string[]] {
  const args = ["-y", "countersign"];
  return system === "win32" ? ["cmd", ["/c", "npx", ...args]] : ["npx", args];
}
