import { isAbsolute } from "node:path";
import type { ServerCommand } from "../../setup/clients/client.ts";
import { programPath } from "./own-command.ts";

/**
 * Returns the command that starts this server in a client: npx if this process was started with it, or the absolute
 * paths of Node and of the program. A desktop program often has a shorter PATH than a shell.
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

/** Windows starts scripts only through its shell. */
function npx(system: NodeJS.Platform): readonly [string, readonly string[]] {
  const args = ["-y", "countersign"];
  return system === "win32" ? ["cmd", ["/c", "npx", ...args]] : ["npx", args];
}
