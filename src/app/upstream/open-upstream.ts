import type { Config, Environment } from "../../config.ts";
import { ConfigError } from "../../config/config-error.ts";
import type { KnownTool } from "../../core/policy/file/policy-schema.ts";
import type { Log } from "../../core/shared/log.ts";
import type { Listing } from "../../core/tool/catalog.ts";
import type { ServerEntry, ToolDefinition } from "../../ports/upstream/upstream-server.ts";
import type { ReviewedTool } from "../../upstream/upstream-catalog.ts";
import type { Pins } from "../../upstream/pins.ts";
import { hasServersFile } from "./has-servers-file.ts";
import { stampOf } from "../platform/safe-file.ts";

/** How often the files are checked for a change. Milliseconds, as for the policy file. */
const checkEveryMs = 500;

/** The configured upstream servers, as they are while a process runs. No function of it starts one. */
export interface Upstream {
  servers(): readonly ServerEntry[];
  /** The reviewed tools, by the name under which they are offered. */
  tools(): ReadonlyMap<string, ReviewedTool>;
  /** The entries of `tools/list`. */
  listings(): readonly Listing[];
  /** The number of tools that are not listed: see `listedTools`. */
  searched(): number;
  /** The tools that a policy may name, withheld ones too. */
  known(): readonly KnownTool[];
  /** Records what a running server listed. A tool that differs from the reviewed one is withheld from then on. */
  listed(entry: ServerEntry, tools: readonly ToolDefinition[]): Promise<void>;
  /** Calls `changed` after each change of the reviewed tools or of the file. */
  onChange(changed: () => void): void;
  /** Calls `restart` with the name of each server that a person restarts. */
  onRestart(restart: (server: string) => void): void;
  close(): void;
}

/**
 * Reads the upstream servers of SERVERS_FILE. Returns undefined without a file, and loads no further module then.
 * @param env see `readServersFile`
 * @throws ConfigError if the file cannot be used
 */
export async function openUpstream(
  config: Config,
  log: Log,
  envFile?: string,
  env?: Environment,
): Promise<Upstream | undefined> {
  if (!hasServersFile(config)) return undefined;
  const { ServersFileError, readServersFile } = await import("./read-servers-file.ts");
  const { pinPath, readPins, updatePins } = await import("./pin-file.ts");
  const { reviewedTools, upstreamListings } = await import("../../upstream/upstream-catalog.ts");
  const { readRestarts, restartPath } = await import("./restart-file.ts");
  const { listedTools, ownTools } = await import("../../upstream/own-tools.ts");
  const { pinsAfterListing } = await import("../../upstream/pins.ts");
  const { dataDir } = config;
  const paths = [config.servers.file, pinPath(dataDir)];
  const listeners: (() => void)[] = [];
  const restartListeners: ((server: string) => void)[] = [];

  function read(): { servers: readonly ServerEntry[]; pins: Pins } {
    return { servers: readServersFile(config, envFile, env), pins: readPins(dataDir) };
  }

  function compiled({ servers, pins }: ReturnType<typeof read>) {
    const tools = reviewedTools(servers, pins);
    return { servers, tools, ...listedTools(upstreamListings(tools), config.servers.listTokens) };
  }

  function firstRead(): ReturnType<typeof read> {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ServersFileError)) throw error;
      const problem = `names a file that cannot be used: ${error.message}`;
      throw new ConfigError([{ setting: "SERVERS_FILE", problem }]);
    }
  }

  let current = compiled(firstRead());
  let stamp = await stampOfAll(paths);
  let restarts = readRestarts(dataDir);
  let restartStamp = await stampOf(restartPath(dataDir));
  let isChecking = false;

  async function checkRestarts(): Promise<void> {
    const seen = await stampOf(restartPath(dataDir));
    if (seen === restartStamp) return;
    restartStamp = seen;
    const before = restarts;
    restarts = readRestarts(dataDir);
    for (const [server, id] of Object.entries(restarts))
      if (before[server] !== id) for (const restart of restartListeners) restart(server);
  }

  function reread(): void {
    try {
      current = compiled(read());
    } catch (error) {
      if (!(error instanceof ServersFileError) && !(error instanceof ConfigError)) throw error;
      log.error(
        `the file of upstream servers cannot be used; its last valid version still applies: ${error.message}`,
      );
      return;
    }
    for (const changed of listeners) changed();
  }

  /** Reads the files if one changed. Every call of an acting tool comes here, so unchanged files must cost nothing. */
  async function rereadIfChanged(): Promise<void> {
    const now = await stampOfAll(paths);
    if (now === stamp) return;
    stamp = now;
    reread();
  }

  async function check(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    try {
      await rereadIfChanged();
      await checkRestarts();
    } catch (cause) {
      log.warn("checking the upstream servers for changes failed", { cause });
    } finally {
      isChecking = false;
    }
  }

  const timer = setInterval(() => void check(), checkEveryMs);
  timer.unref();

  return {
    servers: () => current.servers,
    tools: () => current.tools,
    listings: () => current.listings,
    searched: () => current.searched,
    known: () => [
      ...Array.from(current.tools.values(), ({ name, pin }) => ({
        name,
        argumentNames: Object.keys(pin.definition.inputSchema["properties"] ?? {}),
      })),
      ...ownTools.map(({ name, input }) => ({ name, argumentNames: Object.keys(input.shape) })),
    ],
    listed: async ({ name, identity }, tools) => {
      await updatePins(dataDir, (pins) => {
        const before = pins.servers[name];
        if (before === undefined || before.identity !== identity) return pins;
        return { ...pins, servers: { ...pins.servers, [name]: pinsAfterListing(before, tools) } };
      });
      // Other processes notice the new file after `checkEveryMs`. This one withholds changed tools immediately.
      await rereadIfChanged();
    },
    onChange: (changed) => void listeners.push(changed),
    onRestart: (restart) => void restartListeners.push(restart),
    close: () => clearInterval(timer),
  };
}

/** Returns a text that differs after each change of one of the files. */
async function stampOfAll(paths: readonly string[]): Promise<string> {
  return (await Promise.all(paths.map(stampOf))).join("|");
}
