import { serverPlace } from "./review/server-place.ts";
import { createLog } from "../platform/log.ts";
import { loadSettings } from "../platform/settings.ts";
import { openUpstream } from "./open-upstream.ts";
import { ownCommand } from "../platform/own-command.ts";

/** Prints each server with its reviewed tools. Starts no server. */
export async function listServers(options: {
  json: boolean;
  envFile: string | undefined;
}): Promise<number> {
  const config = loadSettings({ envFile: options.envFile });
  const upstream = await openUpstream(config, createLog(config.logLevel), options.envFile);
  upstream?.close();
  const servers = upstream?.servers() ?? [];
  const tools = [...(upstream?.tools().values() ?? [])];
  for (const { name, target, problem } of servers) {
    const own = tools.filter(({ entry }) => entry.name === name);
    const facts = own.map(({ name: tool, risk, withheld }) => ({
      name: tool,
      risk,
      ...(withheld !== undefined && { withheld }),
    }));
    const at = serverPlace(target);
    if (options.json) {
      console.log(JSON.stringify({ name, at, tools: facts, ...(problem && { problem }) }));
      continue;
    }
    const state =
      own.length === 0 ? `no reviewed tools. Run: ${ownCommand()} servers review ${name}` : at;
    console.log(`${name}: ${problem ?? state}`);
    for (const tool of facts) {
      const withheld = "withheld" in tool ? `, withheld. ${tool.withheld}` : "";
      console.log(`  ${tool.name}: ${tool.risk}${withheld}`);
    }
  }
  if (servers.length === 0 && !options.json)
    console.log(`There are no upstream servers. Run: ${ownCommand()} servers add NAME -- COMMAND`);
  return 0;
}
