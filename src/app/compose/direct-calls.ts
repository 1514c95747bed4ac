import type { Config } from "../../config.ts";
import type { OpenTicket } from "../../core/approvals/ticket.ts";
import type { Outcome } from "../../core/call/outcome.ts";
import type { Log } from "../../core/shared/log.ts";
import type { Listing } from "../../core/tool/catalog.ts";
import type { ToolError } from "../../core/tool/tool-error.ts";
import type { RegistryTool } from "../../export/registry.ts";
import type { ApprovalBroker } from "../../mcp/approval-broker.ts";
import { toResult } from "../../mcp/result.ts";
import type { CallRuntime } from "./call-runtime.ts";
import type { StartLeaderJobs } from "../leader/leader-election.ts";
import { openUpstream } from "../upstream/open-upstream.ts";
import { createBackend } from "./create-backend.ts";
import { pagesAreResources } from "./instructions.ts";
import { openPolicy } from "./policy/open-policy.ts";
import { readRegistry } from "./read-registry.ts";

/** The result of a call: the text for a model, and data if it succeeded. */
interface DirectAnswer {
  text: string;
  isError: boolean;
  output?: Readonly<Record<string, unknown>>;
  /** The report for the user. */
  report?: string;
  /** Why the call did not run, or not to its end. */
  error?: ToolError;
}

export interface DirectCallOptions {
  signal: AbortSignal;
  /** Counts as one message of the user in the budgets. */
  turn?: string;
  /**
   * Lets a person decide. Returns false if they decide later. Without it the call waits `APPROVAL_WAIT_MS` for another
   * approval channel.
   */
  onWaiting?: (ticket: OpenTicket) => Promise<boolean>;
}

/** A tool as a program in this process gets it. */
export type DirectTool = Pick<
  RegistryTool,
  "name" | "title" | "summary" | "documentation" | "input"
> & {
  offeredRisk: Listing["risk"];
  /** True if the schema is that of an upstream server. */
  isUpstream: boolean;
};

/** Calls of tools in this process, through the same pipeline as over MCP. */
export interface DirectCalls {
  /** Returns the same for another caller. */
  as(principal: string): DirectCalls;
  /** The tools that the present policy offers to this caller, with the risk it gives them. */
  readonly tools: readonly DirectTool[];
  /** Returns whether the policy offers a tool to this caller, listed or not. */
  offers(tool: string): boolean;
  readonly instructions: string;
  runtime: CallRuntime;
  call(tool: string, args: unknown, options: DirectCallOptions): Promise<DirectAnswer>;
  /** Waits for the calls that are under way and closes the stores. */
  close(): Promise<void>;
}

/** The same caller as over stdio, where a program of this user also has full access. */
const localPrincipal = "local";

/**
 * Opens the stores and the call pipeline in this process.
 * @param client the calling program, as people see it in requests and in the audit record
 * @param options.startJobs lets this process become the leader, which starts its jobs with it
 */
export async function openDirectCalls(
  config: Config,
  log: Log,
  client: string,
  options: { envFile?: string | undefined; startJobs?: StartLeaderJobs } = {},
): Promise<DirectCalls> {
  const { envFile, startJobs } = options;
  const upstream = await openUpstream(config, log, envFile);
  const policy = await openPolicy(config, log, upstream);
  const opened = createBackend(config, log, { policy, upstream, startJobs });
  const { tools: list, offer } = opened.mcp;
  const runtime = await opened.runtime();
  const { broker } = runtime;
  const registry = readRegistry();
  const close = async (): Promise<void> => {
    await opened.settle();
    await opened.close();
  };

  function as(principal: string): DirectCalls {
    const caller = { principal, client };
    const offered = (): readonly Listing[] => offer?.(list.current(), caller) ?? list.current();
    return {
      as,
      get tools() {
        return offered().map((listed): DirectTool => {
          const {
            name,
            title,
            description: summary,
            inputSchema: input,
            risk: offeredRisk,
          } = listed;
          const tool = registry.get(name);
          if (tool !== undefined) return { ...tool, offeredRisk, isUpstream: false };
          const documentation = summary;
          return { name, title, summary, documentation, input, offeredRisk, isUpstream: true };
        });
      },
      offers: (tool) =>
        registry.has(tool)
          ? offered().some(({ name }) => name === tool)
          : policy?.current().effectiveFor(principal, client).denies(tool) !== true,
      get instructions() {
        return opened.mcp.instructions(principal).replace(pagesAreResources, "").trimEnd();
      },
      runtime,
      call: (tool, args, { signal, turn, onWaiting }) =>
        broker.answering(async () => {
          const request = { tool, arguments: args, ...caller, ...(turn !== undefined && { turn }) };
          const outcome = await broker.calls.call({ ...request, signal });
          const isLater =
            outcome.kind === "waiting" && (await onWaiting?.(outcome.ticket)) === false;
          const waitMs = isLater ? 0 : config.approvals.waitMs;
          return toAnswer(await decided(broker, outcome, waitMs, signal), broker);
        }),
      close,
    };
  }

  return as(localPrincipal);
}

/** Waits a limited time for a person's decision. The request stays open after that. */
async function decided(
  broker: ApprovalBroker,
  outcome: Outcome,
  waitMs: number,
  signal: AbortSignal,
): Promise<Outcome> {
  if (outcome.kind !== "waiting") return outcome;
  const { ticketId } = outcome.ticket;
  broker.watch.add(ticketId);
  await broker.watch.waitForEnd(ticketId, waitMs, signal);
  return await broker.calls.resume(ticketId, signal);
}

/**
 * Converts an outcome into the result that an MCP client gets, with markers, because a stored conversation may pass the
 * data to a model.
 */
function toAnswer(outcome: Outcome, broker: ApprovalBroker): DirectAnswer {
  const {
    content,
    structuredContent: output,
    isError = false,
  } = toResult(outcome, { outputOf: broker.calls.outputOf });
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const report = outcome.kind === "done" ? outcome.report : undefined;
  const error = outcome.kind === "done" ? undefined : outcome.error;
  return {
    text,
    isError,
    ...(output !== undefined && { output }),
    ...(report !== undefined && { report }),
    ...(error !== undefined && { error }),
  };
}
