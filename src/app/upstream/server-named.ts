import type { Config } from "../../config.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { ServerEntry } from "../../ports/upstream/upstream-server.ts";
import { hasServersFile } from "./has-servers-file.ts";
import { readServersFile } from "./read-servers-file.ts";
import { unknownServer } from "./unknown-server.ts";

/** Returns one server of the file. @throws ToolError if there is none of this name, or it cannot be used */
export function serverNamed(
  name: string,
  config: Config,
  envFile: string | undefined,
): ServerEntry {
  const servers = hasServersFile(config) ? readServersFile(config, envFile) : [];
  const entry = servers.find((one) => one.name === name);
  if (entry === undefined)
    throw unknownServer(
      name,
      servers.map((one) => one.name),
    );
  if (entry.problem !== undefined)
    throw new ToolError("not_configured", `${entry.problem} Nothing was done.`);
  return entry;
}
