import { hostname } from "node:os";
import { createTavilySearch } from "../adapters/tavily/web-search.ts";
import { createLeases } from "../adapters/libsql/leases.ts";
import type { Config } from "../config.ts";
import { noLimits } from "../core/budget.ts";
import { type Calls, createCalls } from "../core/call.ts";
import { available, listing } from "../core/catalog.ts";
import { randomId } from "../core/digest.ts";
import type { Log } from "../core/log.ts";
import { defaultPolicy } from "../core/policy.ts";
import type { Tool } from "../core/tool.ts";
import { createTicketWatch } from "../core/watch.ts";
import { createApprovalRoad } from "../mcp/approval-road.ts";
import type { McpDoor } from "../mcp/server.ts";
import { createToolList } from "../mcp/tool-list.ts";
import type { Ports } from "../ports/ports.ts";
import { createFiles } from "../stores/files.ts";
import { catalog, contracts } from "../tools/catalog.ts";
import { instructions } from "./instructions.ts";
import { openMailFetching } from "./mail-fetching.ts";
import { type Stores, openStores } from "./open-stores.ts";
import { prompts } from "./prompts.ts";
import { readRegistry } from "./read-registry.ts";
import { version } from "./version.ts";

/** A call that runs longer is answered with `timeout`: clients give up at 60 s, whatever they are configured to. */
const callTimeoutMs = 30_000;

/** How long a stop waits for what was started: an approved run is not cut off half-way. */
const stopWithinMs = 10_000;

export interface OpenDoor {
  door: McpDoor;
  /** What the approval page decides in. */
  stores: Stores;
  /** Every call gets its answer now; one that waits for a person gets its request, which stays open. */
  settle(): Promise<void>;
  /** After `settle`. */
  close: () => Promise<void>;
}

/**
 * What `serve` speaks with, whatever the transport. `tools` are those of the catalog, unless a benchmark brings its own.
 * `showPage`: called when only the approval page can reach the person.
 */
export function openDoor(
  config: Config,
  log: Log,
  tools: readonly Tool<Ports>[] = catalog,
  showPage?: () => void,
): OpenDoor {
  const registry = readRegistry(contracts);
  const stores = openStores(config, log);
  const { tickets, audit, objects, mail, calendar, configHash } = stores;
  const ports: Omit<Ports, "calendar" | "web"> & Partial<Ports> = {
    files: createFiles(objects, config.undoHours),
    mail,
    ...(calendar !== undefined && { calendar }),
    ...(config.webSearch && { web: createTavilySearch({ ...config.webSearch, log }) }),
    approvals: {
      find: async (approvalId, principal) => {
        const ticket = await tickets.find(approvalId);
        return ticket?.principal === principal ? ticket : undefined;
      },
    },
  };
  const processId = `${hostname()} ${process.pid} ${randomId("serve")}`;
  const fetching = openMailFetching(available<Ports>(tools, ports), {
    leases: createLeases(stores.database),
    holder: processId,
    config,
    log,
  });
  const listed = fetching.tools;
  const pipeline = createCalls({
    tools: listed,
    // Sound because `listed` holds only tools whose every port is there.
    ports: ports as Ports,
    policy: defaultPolicy,
    budget: noLimits,
    tickets,
    audit,
    log,
    processId,
    configHash,
    approvalTtlMs: config.approvals.ttlSeconds * 1000,
    callTimeoutMs,
  });
  const calls: Calls = {
    ...pipeline,
    call: (request) => {
      fetching.called();
      return pipeline.call(request);
    },
  };
  const watch = createTicketWatch({ tickets, log, run: (ticketId) => calls.runApproved(ticketId) });
  const door: McpDoor = {
    version: version(),
    instructions: instructions(listed),
    // A tool that a benchmark brought is not in the registry.
    tools: createToolList(listed.map((tool) => registry.get(tool.name)?.listing ?? listing(tool))),
    pages: registry,
    prompts: prompts(listed),
    road: createApprovalRoad({
      calls,
      tickets,
      watch,
      waitMs: config.approvals.waitMs,
      ...(showPage && { showPage }),
    }),
  };
  return {
    door,
    stores,
    settle: async () => {
      watch.close();
      const limit = new Promise<void>((resolve) => setTimeout(resolve, stopWithinMs).unref());
      await Promise.race([Promise.all([door.road.allAnswered(), calls.idle()]), limit]);
    },
    close: async () => {
      await fetching.close();
      await stores.close();
    },
  };
}
