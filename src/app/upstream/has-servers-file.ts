import { existsSync } from "node:fs";
import type { Config } from "../../config.ts";

/** Returns true if there is a file to read, or if one was named. */
export function hasServersFile({ servers }: Config): boolean {
  return servers.isNamed || existsSync(servers.file);
}
