import { createSchemaChecks } from "../../adapters/ajv/schema-checks.ts";
import { createToolSearch } from "../../adapters/stemmer/tool-search.ts";
import type { Log } from "../../core/shared/log.ts";
import type { ToolSource } from "../../core/tool/tool-source.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { Ports } from "../../ports/ports.ts";
import type { ToolSearch } from "../../ports/upstream/tool-search.ts";
import { callTool, namedCall } from "../../upstream/call-tool.ts";
import {
  type FoundTool,
  type OfferedTool,
  findTools,
  findToolsContract,
} from "../../upstream/find-tools.ts";
import { readResult } from "../../upstream/read-result.ts";
import { createServerPool } from "../../upstream/running/server-pool.ts";
import { type ReviewedTool, searchedTools } from "../../upstream/upstream-catalog.ts";
import { type UpstreamTool, isVersionOf, upstreamTool } from "../../upstream/upstream-tool.ts";
import { offeredName } from "../../upstream/tool-name.ts";
import { connector } from "./connector.ts";
import type { Upstream } from "./open-upstream.ts";
import { ownCommand } from "../platform/own-command.ts";
import { storeTrouble } from "./trouble-file.ts";

export interface UpstreamRuntime {
  source: ToolSource<Ports>;
  /** Returns the servers as they are configured now. */
  servers: Upstream["servers"];
  /** Ends every server that was started. */
  close(): Promise<void>;
}

/** Creates the tools of upstream servers, each when it is first called. */
export function createUpstreamRuntime(
  upstream: Upstream,
  { dataDir, log }: { dataDir: string; log: Log },
): UpstreamRuntime {
  /** The last write. Writes follow each other, so that the newest state stays. */
  let stored = Promise.resolve();
  const pool = createServerPool({
    connect: connector(dataDir, log),
    listed: (entry, tools) => upstream.listed(entry, tools),
    log,
    command: ownCommand(),
    trouble: (entry, trouble) => {
      stored = stored
        .then(() => storeTrouble(dataDir, entry, trouble))
        .catch((cause: unknown) => {
          log.warn("storing the trouble of an upstream server failed", { cause });
        });
    },
  });
  upstream.onRestart((server) => pool.restart(server));
  upstream.onChange(() => pool.keep(upstream.servers()));
  const checks = createSchemaChecks(log);
  const made = new WeakMap<ReviewedTool, UpstreamTool>();
  /** The tools as they were last offered to a call. */
  const latest = new Map<string, UpstreamTool>();

  function toolFor(reviewed: ReviewedTool): Tool<Ports> {
    const { entry, pin, risk } = reviewed;
    const known =
      made.get(reviewed) ??
      upstreamTool(entry, pin, risk, {
        send: pool.send,
        confirm: pool.confirm,
        compile: checks.compile,
        reviewed: (tool) => upstream.tools().get(offeredName(entry.name, tool)),
        log,
      });
    made.set(reviewed, known);
    latest.set(reviewed.name, known);
    return known;
  }

  const indexes = new WeakMap<ReadonlyMap<string, ReviewedTool>, ToolSearch>();

  /** Searches the offered tools. The index is made at the first search after a change. */
  function search(query: string): FoundTool[] {
    const tools = upstream.tools();
    const index = indexes.get(tools) ?? createToolSearch(searchedTools(tools));
    indexes.set(tools, index);
    return index(query).flatMap((name) => {
      const found = tools.get(name);
      if (found === undefined) return [];
      const { entry, pin, risk } = found;
      return [{ name, server: entry.name, definition: pin.definition, risk }];
    });
  }

  function offered(): OfferedTool[] {
    return [...upstream.tools().values()]
      .filter(({ withheld }) => withheld === undefined)
      .map(({ name, entry }) => ({ name, server: entry.name }));
  }

  return {
    servers: () => upstream.servers(),
    source: {
      names: () => upstream.listings().map(({ name }) => name),
      find: (name, view) => {
        if (name === readResult.name) return readResult;
        if (name === callTool.name) return callTool;
        if (name === findToolsContract.name) return findTools(search, offered, view);
        const found = upstream.tools().get(name);
        return found === undefined || found.withheld !== undefined ? undefined : toolFor(found);
      },
      named: namedCall,
      withheld: (name) => upstream.tools().get(name)?.withheld,
      earlier: (name) => {
        const found = upstream.tools().get(name);
        return latest.get(name) ?? (found && toolFor(found));
      },
      endedBecause: (name, target) => {
        const found = upstream.tools().get(name);
        if (found === undefined)
          return latest.has(name) ? `The tool ${name} is no longer offered.` : undefined;
        if (found.withheld !== undefined) return `${name} is withheld. ${found.withheld}`;
        return target === undefined || isVersionOf(found.pin, target)
          ? undefined
          : `The definition of ${name} changed after the user was asked.`;
      },
    },
    close: async () => {
      await pool.close();
      await checks.close();
      await stored;
    },
  };
}
