import type { ClientMemory } from "../../ports/people/client-memory.ts";
import { createClientMemory } from "../../adapters/libsql/approvals/client-memory.ts";
import { hostname } from "node:os";
import { createLeases } from "../../adapters/libsql/driver/leases.ts";
import { createBudgetStore } from "../../adapters/libsql/approvals/budget-store.ts";
import type { Config } from "../../config.ts";
import { createBudget } from "../../core/budget/budget.ts";
import { type CallPipeline, createCallPipeline } from "../../core/call/call.ts";
import { randomId } from "../../core/shared/digest.ts";
import { type Explain, explainer } from "../../core/call/explain.ts";
import type { Log } from "../../core/shared/log.ts";
import { type Policy, defaultPolicy } from "../../core/policy/policy.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { createTicketWatch } from "../../core/approvals/watch.ts";
import { type ApprovalBroker, createApprovalBroker } from "../../mcp/approval-broker.ts";
import type * as CallTool from "../../mcp/call-tool.ts";
import type { McpBackend } from "../../mcp/server.ts";
import type { Ports } from "../../ports/ports.ts";
import { catalog, contracts } from "../../tools/catalog.ts";
import type { UpstreamRuntime } from "../upstream/upstream-runtime.ts";
import { channelsHere } from "../approvals/channels-here.ts";
import { openMailFetching } from "../mail/mail-fetching.ts";
import type { StartLeaderJobs } from "../leader/leader-election.ts";
import { openStores, type Stores } from "./open/open-stores.ts";
import { openToolPorts } from "./open/open-tool-ports.ts";
import { createPageWindow } from "../page/page-window.ts";
import { askAtChannels } from "./policy/ask-widening.ts";
import type { LivePolicy } from "./policy/live-policy.ts";
import { checkRegistry, type RegistryTools } from "./read-registry.ts";

/** A longer call ends with `timeout`. Clients give up at 60 s whatever their configuration says. */
const callTimeoutMs = 30_000;

/** A stop waits this long for running work, so that an approved run is completed. */
const stopWithinMs = 10_000;

export interface CallRuntimeSettings {
  config: Config;
  registry: RegistryTools;
  /** The names of the tools that are listed and can be called. */
  listed: ReadonlySet<string>;
  /** Tools in addition to the catalog, for benchmarks. */
  extra: readonly Tool<Ports>[];
  /** Undefined without upstream servers. */
  upstream: UpstreamRuntime | undefined;
  /** True if this process may open the person's browser on its own approval page. */
  opensPage: boolean;
  /** The address where people sign in to decide, over HTTP. */
  pageUrl: string | undefined;
  policy: LivePolicy | undefined;
  /** Undefined if this part of the process must not become the leader. */
  startJobs: StartLeaderJobs | undefined;
  log: Log;
}

/** The part of a server that answers calls. */
export interface CallRuntime {
  broker: ApprovalBroker;
  stores: Stores;
  memory: ClientMemory;
  answer: McpBackend["answer"];
  /** Explains a decision about a call. Does not run, ask or count anything. */
  explain: Explain;
  /** Answers every open call now. A call that waits for a person is answered with its request, which stays open. */
  settle(): Promise<void>;
  /** Call `settle` first. */
  close(): Promise<void>;
}

/**
 * Creates the runtime.
 * @throws ToolError `internal` if the registry was built from other tools
 */
export function createCallRuntime(settings: CallRuntimeSettings): CallRuntime {
  const { config, log, listed, pageUrl } = settings;
  checkRegistry(settings.registry, contracts);
  const stores = openStores(config, log);
  const here = channelsHere(config, settings);
  const { tickets, audit, configHash } = stores;
  const toolPorts = openToolPorts(
    {
      config,
      log,
      here,
      findApproval: async (approvalId, principal) => {
        const ticket = await tickets.find(approvalId);
        return ticket?.principal === principal ? await pipeline.forCaller(ticket) : undefined;
      },
    },
    stores,
  );
  const processId = `${hostname()} ${process.pid} ${randomId("serve")}`;
  const tools = [...catalog, ...settings.extra].filter(({ name }) => listed.has(name));
  const fetching = openMailFetching(tools, {
    leases: createLeases(stores.database),
    holder: processId,
    startJobs: settings.startJobs,
    config,
    stores,
    log,
    isRemote: here.isRemote === true,
  });
  const approvalTtlMs = config.approvals.ttlSeconds * 1000;
  // An explanation uses the same, so that it says what a call would do.
  const basis = {
    tools: fetching.tools,
    upstream: settings.upstream?.source,
    // Sound because only tools with all ports configured are listed.
    ports: toolPorts.ports as Ports,
    policy: (): Policy => settings.policy?.current() ?? defaultPolicy,
    rules: stores.rules,
    tickets,
    flow: stores.flow,
    log,
    configHash,
  };
  const store = createBudgetStore(stores.database);
  const pipeline = createCallPipeline({
    ...basis,
    budget: createBudget({ limits: config.budget, store, here }),
    audit,
    processId,
    here,
    approvalTtlMs,
    callTimeoutMs,
  });
  settings.policy?.askWith(
    askAtChannels({ tickets, audit, log, processId, configHash, ttlMs: approvalTtlMs }),
  );
  const calls: CallPipeline = {
    ...pipeline,
    call: (request) => {
      fetching.called();
      return pipeline.call(request);
    },
  };
  const watch = createTicketWatch({
    tickets,
    log,
    run: (ticketId) => calls.runApproved(ticketId),
    end: (ticket) => calls.endIfWithheld(ticket),
  });
  const page = settings.opensPage
    ? createPageWindow(config, stores, { log, servers: settings.upstream?.servers })
    : undefined;
  const memory = createClientMemory(stores.database);
  const broker = createApprovalBroker({
    calls,
    tickets,
    watch,
    here,
    waitMs: config.approvals.waitMs,
    memory,
    reachPerson: ({ onPage }) => {
      if (onPage) page?.show();
      fetching.asked();
    },
  });
  // Loaded with the first call over MCP: programs that call the tools themselves, as `chat` does, never need the SDK.
  let protocol: typeof CallTool | undefined;

  return {
    broker,
    stores,
    memory,
    explain: explainer({ ...basis, timeoutMs: callTimeoutMs }),
    answer: (call: CallTool.ReceivedCall) =>
      broker.answering(async () => {
        protocol ??= await import("../../mcp/call-tool.ts");
        return await protocol.callTool(broker, call, pageUrl);
      }),
    settle: async () => {
      watch.close();
      const limit = new Promise<void>((resolve) => setTimeout(resolve, stopWithinMs).unref());
      await Promise.race([Promise.all([broker.allAnswered(), calls.idle()]), limit]);
    },
    close: async () => {
      await page?.close();
      await fetching.close();
      await toolPorts.close();
      await settings.upstream?.close();
      await stores.close();
    },
  };
}
