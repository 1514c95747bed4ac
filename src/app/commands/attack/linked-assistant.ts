import { openLinked } from "../../../mcp/stdio.ts";
import { createBackend } from "../../compose/create-backend.ts";
import { openPolicy } from "../../compose/policy/open-policy.ts";
import { startLeaderJobs } from "../../leader/serving-leader.ts";
import { createLog } from "../../platform/log.ts";
import { loadSettings } from "../../platform/settings.ts";
import { openUpstream } from "../../upstream/open-upstream.ts";
import { type DemoAssistant, connectOver } from "../demo/assistant.ts";
import type { DemoPerson } from "../demo/person.ts";

/**
 * Opens the server of `countersign serve` in this process and connects the official client to it. A process for each
 * story would take most of the time.
 * @param env the settings, instead of the environment of this process
 */
export async function connectLinked(
  env: Readonly<Record<string, string>>,
  person: DemoPerson,
): Promise<DemoAssistant> {
  const config = loadSettings({ env });
  const log = createLog(config.logLevel);
  const upstream = await openUpstream(config, log);
  const policy = await openPolicy(config, log, upstream);
  const opened = createBackend(config, log, { policy, upstream, startJobs: startLeaderJobs });
  const server = openLinked(opened.mcp, log);
  const assistant = await connectOver(server.client, person);
  return {
    ...assistant,
    close: async () => {
      await assistant.close();
      await opened.settle();
      await server.close();
      await opened.close();
    },
  };
}
