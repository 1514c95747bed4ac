import { serverPlace } from "./review/server-place.ts";
import { createLog } from "../platform/log.ts";
import { loadSettings } from "../platform/settings.ts";
import { openUpstream } from "./open-upstream.ts";
import { ownCommand } from "../platform/own-command.ts";
import { troubleOf } from "./trouble-file.ts";

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
  for (const entry of servers) {
    const { name, target, problem } = entry;
    const own = tools.filter((tool) => tool.entry.name === name);
    const trouble = troubleOf(config.dataDir, entry);
    const facts = own.map(({ name: tool, risk, withheld }) => ({
      name: tool,
      risk,
      ...(withheld !== undefined && { withheld }),
    }));
    const at = serverPlace(target);
    if (options.json) {
      const faults = { ...(problem && { problem }), ...(trouble && { trouble }) };
      console.log(JSON.stringify({ name, at, tools: facts, ...faults }));
      continue;
    }
    const state =
      own.length === 0 ? `no reviewed tools. Run: ${ownCommand()} servers review ${name}` : at;
    console.log(`${name}: ${problem ?? state}`);
    if (trouble !== undefined) console.log(`  ${trouble}`);
    for (const tool of facts) {
      const withheld = "withheld" in tool ? `, withheld. ${tool.withheld}` : "";
      console.log(`  ${tool.name}: ${tool.risk}${withheld}`);
    }
  }
  if (servers.length === 0 && !options.json)
    console.log(`There are no upstream servers. Run: ${ownCommand()} servers add NAME -- COMMAND`);
  return 0;
}
