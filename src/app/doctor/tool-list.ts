import type { Config } from "../../config.ts";
import { ConfigError } from "../../config/config-error.ts";
import type { Log } from "../../core/shared/log.ts";
import { openUpstream } from "../upstream/open-upstream.ts";
import type { Fact } from "./facts.ts";

/** Returns how upstream tools are reached. Empty if there are no upstream servers. */
export async function toolListFacts(
  config: Config,
  log: Log,
  envFile: string | undefined,
): Promise<readonly Fact[]> {
  const upstream = await openUpstream(config, log, envFile).catch((error: unknown) => {
    // The line about the servers names the fault of their file.
    if (error instanceof ConfigError) return undefined;
    throw error;
  });
  if (upstream === undefined) return [];
  upstream.close();
  const count = [...upstream.tools().values()].filter(({ withheld }) => !withheld).length;
  const searched = upstream.searched();
  const number = searched === count ? `${count}` : `${searched} of ${count}`;
  const summary =
    searched > 0
      ? `${number} upstream tools are not listed, because they exceed TOOL_LIST_TOKENS (${config.servers.listTokens}), or model services refuse the names of their arguments. The assistant uses find_tools and call_tool`
      : `${count} upstream tools are listed`;
  return [{ name: "tool list", summary }];
}
