import type { Config, Environment } from "../../../config.ts";
import type { Log } from "../../../core/shared/log.ts";
import { type LinkedServer, openLinked } from "../../../mcp/stdio.ts";
import { createBackend } from "../../compose/create-backend.ts";
import { openPolicy } from "../../compose/policy/open-policy.ts";
import { startLeaderJobs } from "../../leader/serving-leader.ts";
import { openUpstream } from "../../upstream/open-upstream.ts";

/**
 * Opens the server of `countersign serve` in this process, for a client in this process. A process for each scenario would
 * take most of the time. Its `close` waits for open calls.
 * @param options `env`: the environment that the settings came from, which upstream servers get. `opensPage`: it opens the
 * approval page for a waiting request.
 */
export async function openLinkedServer(
  config: Config,
  log: Log,
  { env, opensPage = false }: { env: Environment; opensPage?: boolean },
): Promise<LinkedServer> {
  const upstream = await openUpstream(config, log, undefined, env);
  const policy = await openPolicy(config, log, upstream);
  const opened = createBackend(config, log, {
    opensPage,
    policy,
    upstream,
    startJobs: startLeaderJobs,
  });
  const linked = openLinked(opened.mcp, log);
  return {
    client: linked.client,
    close: async () => {
      await opened.settle();
      await linked.close();
      await opened.close();
    },
  };
}
