import type { Config } from "../../../config.ts";
import { ConfigError } from "../../../config/config-error.ts";
import type { Log } from "../../../core/shared/log.ts";
import type { Upstream } from "../../upstream/open-upstream.ts";
import { readRegistry } from "../read-registry.ts";
import type { LivePolicy } from "./live-policy.ts";

/**
 * Opens the policy of a server. Resolves with undefined, and loads nothing, if no policy file is set.
 * @throws ConfigError if the file is not a valid policy
 */
export async function openPolicy(
  config: Config,
  log: Log,
  upstream?: Upstream,
): Promise<LivePolicy | undefined> {
  const { policyFile } = config;
  if (policyFile === undefined) return undefined;
  const { openLivePolicy } = await import("./live-policy.ts");
  try {
    const { knownTools } = await import("./read-policy-file.ts");
    const own = knownTools(readRegistry());
    const live = openLivePolicy(policyFile, () => [...own, ...(upstream?.known() ?? [])], log);
    upstream?.onChange(() => live.toolsChanged());
    return live;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "PolicyFileError") throw error;
    throw new ConfigError([
      { setting: "POLICY_FILE", problem: `names a file that cannot be used: ${error.message}` },
    ]);
  }
}
