import type { Config } from "../../config.ts";
import type { Log } from "../../core/shared/log.ts";
import { shownName } from "../../core/shared/text/visible.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { ServerEntry, ToolDefinition } from "../../ports/upstream/upstream-server.ts";
import {
  withheldBecause,
  pinsAfterListing,
  type Pins,
  type ServerPins,
} from "../../upstream/pins.ts";
import { leftOutSentence } from "../../upstream/review.ts";
import { offeredName } from "../../upstream/tool-name.ts";
import { settingOf } from "../../upstream/tool-settings.ts";
import { type ReviewedTool, reviewedTools } from "../../upstream/upstream-catalog.ts";
import { ownCommand } from "../platform/own-command.ts";
import { connector } from "../upstream/connector.ts";
import { listOnce } from "../upstream/list-once.ts";
import { readPins } from "../upstream/pin-file.ts";
import { hasServersFile } from "../upstream/has-servers-file.ts";
import { ServersFileError, readServersFile } from "../upstream/read-servers-file.ts";
import { schemaFaults } from "../upstream/schema-faults.ts";
import { loginCommand, startProblem } from "../upstream/start-problem.ts";
import { troubleOf } from "../upstream/trouble-file.ts";
import type { Fact } from "./facts.ts";
import { editCommand } from "./mend-setting.ts";

/** Servers that are tried at once. More would slow each other's start. */
const atOnce = 4;

/** Tries each upstream server, and compares its tools with the reviewed ones. */
export async function serverFacts(
  config: Config,
  { log, envFile }: { log: Log; envFile: string | undefined },
): Promise<readonly Fact[]> {
  if (!hasServersFile(config)) return [];
  let servers: readonly ServerEntry[];
  try {
    servers = readServersFile(config, envFile);
  } catch (error) {
    if (!(error instanceof ServersFileError)) throw error;
    const mend = editCommand(config.servers.file);
    return [{ name: "upstream servers", summary: "", problem: `${error.message}.`, mend }];
  }
  const pins = readPins(config.dataDir);
  const facts: Fact[] = [];
  const left = servers.map((entry, index) => ({ entry, index }));
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      facts[next.index] = await factOf(
        next.entry,
        { servers, pins },
        { dataDir: config.dataDir, log },
      );
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return facts;
}

async function factOf(
  entry: ServerEntry,
  { servers, pins }: { servers: readonly ServerEntry[]; pins: Pins },
  { dataDir, log }: { dataDir: string; log: Log },
): Promise<Fact> {
  const name = `server ${entry.name}`;
  if (entry.problem !== undefined) return { name, summary: "", problem: entry.problem };
  try {
    const { tools: listed, leftOut } = await listOnce(await connector(dataDir, log)(entry));
    const before = pins.servers[entry.name];
    const now = before && pinsAfterListing(before, listed);
    const used = listed.filter((tool) => settingOf(tool.name, entry.tools) !== "off");
    const isWaiting = ({ name: tool }: ToolDefinition): boolean =>
      withheldBecause(entry, now, tool) !== undefined;
    const waiting = used.filter(isWaiting);
    const fine = used.filter((tool) => !isWaiting(tool));
    const clashes = clashesOf(entry, fine, reviewedTools(servers, withPins(pins, entry, now)));
    const offered = fine.length - clashes.length;
    const trouble = troubleOf(dataDir, entry);
    const faulty = [...(await schemaFaults(used, log))].map(shownName);
    const sentences = [
      `works, and offers ${offered} of ${listed.length} tools.`,
      ...(trouble === undefined ? [] : [trouble]),
      ...new Set(clashes),
      ...(leftOut.length === 0 ? [] : [leftOutSentence(leftOut)]),
      ...(faulty.length === 0
        ? []
        : [
            `Tools whose schema cannot be used, so each call is refused: ${faulty.join(", ")}. The author of the server has to correct it.`,
          ]),
      ...(waiting.length === 0
        ? []
        : [
            `Tools that wait for a review: ${waiting.length}. Run: ${ownCommand()} servers review ${entry.name}`,
          ]),
    ];
    return { name, summary: sentences.join(" ") };
  } catch (thrown) {
    if (!(thrown instanceof ToolError)) throw thrown;
    const mend = loginCommand(entry, thrown);
    return { name, summary: "", problem: startProblem(entry, thrown), ...(mend && { mend }) };
  }
}

function withPins(pins: Pins, { name }: ServerEntry, now: ServerPins | undefined): Pins {
  return now === undefined ? pins : { ...pins, servers: { ...pins.servers, [name]: now } };
}

/** Returns the reason for each tool that is withheld because another one has its name. */
function clashesOf(
  { name: server }: ServerEntry,
  fine: readonly ToolDefinition[],
  reviewed: ReadonlyMap<string, ReviewedTool>,
): readonly string[] {
  return fine.flatMap(({ name }) => reviewed.get(offeredName(server, name))?.withheld ?? []);
}
