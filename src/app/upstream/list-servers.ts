import { visible } from "../../core/shared/text/visible.ts";
import type { ServerEntry } from "../../ports/upstream/upstream-server.ts";
import type { ReviewedTool } from "../../upstream/upstream-catalog.ts";
import { type ServerPins, notReviewed } from "../../upstream/pins.ts";
import { offeredName } from "../../upstream/tool-name.ts";
import { settingOf } from "../../upstream/tool-settings.ts";
import { createLog } from "../platform/log.ts";
import { loadSettings } from "../platform/settings.ts";
import { openUpstream } from "./open-upstream.ts";
import { ownCommand } from "../platform/own-command.ts";
import { readPins } from "./pin-file.ts";
import { troubleOf } from "./trouble-file.ts";

/** A server as `servers list` prints it. */
interface ListedServer {
  name: string;
  /** The command or the address. */
  at: string;
  /** Only reviewed tools have a risk. */
  tools: readonly { name: string; risk?: string; withheld?: string }[];
  /** Why the entry cannot be used. */
  problem?: string;
  /** Why the last start in another process failed. */
  trouble?: string;
}

/** Prints each server with its reviewed tools. Starts no server. */
export async function listServers(options: {
  json: boolean;
  envFile: string | undefined;
}): Promise<number> {
  const config = loadSettings({ envFile: options.envFile });
  const upstream = await openUpstream(config, createLog(config.logLevel), options.envFile);
  upstream?.close();
  const tools = [...(upstream?.tools().values() ?? [])];
  const pins = upstream === undefined ? undefined : readPins(config.dataDir).servers;
  const servers = (upstream?.servers() ?? []).map((entry) => {
    const one = listed(entry, tools, troubleOf(config.dataDir, entry));
    return { ...one, tools: [...one.tools, ...newTools(entry, pins?.[entry.name])] };
  });
  if (options.json) for (const server of servers) console.log(JSON.stringify(server));
  else if (servers.length > 0) for (const server of servers) printServer(server);
  else
    console.log(`There are no upstream servers. Run: ${ownCommand()} servers add NAME -- COMMAND`);
  return 0;
}

function listed(
  { name, place, problem }: ServerEntry,
  tools: readonly ReviewedTool[],
  trouble: string | undefined,
): ListedServer {
  return {
    name,
    at: visible(place),
    tools: tools
      .filter((tool) => tool.entry.name === name)
      .map(({ name: tool, risk, withheld }) => ({
        name: tool,
        risk,
        ...(withheld !== undefined && { withheld }),
      })),
    ...(problem && { problem }),
    ...(trouble && { trouble }),
  };
}

/** Returns the tools that a reviewed server added. They wait for a review. */
function newTools({ name, identity, tools }: ServerEntry, pins: ServerPins | undefined) {
  if (pins === undefined || pins.identity !== identity) return [];
  return Object.keys(pins.seen)
    .filter((tool) => pins.tools[tool] === undefined && settingOf(tool, tools) !== "off")
    .map((tool) => ({ name: offeredName(name, tool), withheld: notReviewed }));
}

function printServer({ name, at, tools, problem, trouble }: ListedServer): void {
  const state =
    tools.length === 0 ? `no reviewed tools. Run: ${ownCommand()} servers review ${name}` : at;
  console.log(`${name}: ${problem ?? state}`);
  if (trouble !== undefined) console.log(`  ${trouble}`);
  for (const tool of tools) {
    const { risk, withheld } = tool;
    const state = [
      ...(risk === undefined ? [] : [risk]),
      ...(withheld === undefined ? [] : [`withheld. ${withheld}`]),
    ];
    console.log(`  ${tool.name}: ${state.join(", ")}`);
  }
}
