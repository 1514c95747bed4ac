import { compileSchema } from "../../adapters/ajv/compile-schema.ts";
import { upstreamConnector } from "../../adapters/mcp-client/connect.ts";
import type { Log } from "../../core/shared/log.ts";
import type { ToolSource } from "../../core/tool/tool-source.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { Ports } from "../../ports/ports.ts";
import type { ConnectUpstream } from "../../ports/upstream/upstream-server.ts";
import { createServerPool } from "../../upstream/server-pool.ts";
import type { ReviewedTool } from "../../upstream/upstream-catalog.ts";
import { type UpstreamTool, upstreamTool } from "../../upstream/upstream-tool.ts";
import { usableTool } from "../../upstream/usable-tool.ts";
import { version } from "../platform/version.ts";
import type { Upstream } from "./open-upstream.ts";

export interface UpstreamRuntime {
  source: ToolSource<Ports>;
  /** Ends every server that was started. */
  close(): Promise<void>;
}

export function connector(log: Log): ConnectUpstream {
  return upstreamConnector({ version: version(), usable: usableTool, log });
}

/** Creates the tools of upstream servers, each when it is first called. */
export function createUpstreamRuntime(upstream: Upstream, log: Log): UpstreamRuntime {
  const pool = createServerPool({
    connect: connector(log),
    listed: (entry, tools) => upstream.listed(entry, tools),
    log,
  });
  const made = new WeakMap<ReviewedTool, UpstreamTool>();

  function toolFor(reviewed: ReviewedTool): Tool<Ports> {
    const { entry, pin, risk } = reviewed;
    const known =
      made.get(reviewed) ??
      upstreamTool(entry, pin, risk, { send: pool.send, compile: compileSchema });
    made.set(reviewed, known);
    return known;
  }

  return {
    source: {
      names: () => upstream.listings().map(({ name }) => name),
      find: (name) => {
        const found = upstream.tools().get(name);
        return found === undefined || found.withheld !== undefined ? undefined : toolFor(found);
      },
      withheld: (name) => upstream.tools().get(name)?.withheld,
    },
    close: () => pool.close(),
  };
}
