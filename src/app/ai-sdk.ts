import type { ToolSet } from "ai";
import type { Outcome } from "../core/call/outcome.ts";
import type { OutputOf } from "../core/tool/strangers.ts";
import type * as AiTools from "../export/ai-tools.ts";
import type { CallAnswer } from "../export/ai-tools.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { ApprovalFlow } from "../mcp/approval-flow.ts";
import { toResult } from "../mcp/result.ts";
import { openUpstream } from "./upstream/open-upstream.ts";
import { createLog } from "./platform/log.ts";
import { createBackend } from "./compose/create-backend.ts";
import { openPolicy } from "./compose/policy/open-policy.ts";
import { readRegistry } from "./compose/read-registry.ts";
import { loadSettings } from "./platform/settings.ts";

export interface CountersignToolsOptions {
  /** Read the settings from this file instead of `.env` in the data directory. */
  envFile?: string;
  /** Who calls, as people see it: in requests, and in the record. */
  client?: string;
}

export interface CountersignTools {
  /** For `generateText({ tools })` and `streamText({ tools })`. */
  tools: ToolSet;
  /** The rules for a model, to be put into the system prompt. */
  instructions: string;
  /** Waits for the calls that are under way and closes the stores. */
  close(): Promise<void>;
}

/** The same principal as over stdio: whoever can start a program as this user. */
const localPrincipal = "local";

/**
 * The tools for the Vercel AI SDK 6, in this process and through the same gate as over MCP: the same settings, stores,
 * requests and record. A high-risk call waits `APPROVAL_WAIT_MS` for a person at another approval channel, then returns the text of
 * `approval_required`; the SDK's own approval of tools is not used, for it would be the calling program's word.
 * @throws ConfigError, ToolError
 */
export async function countersignTools(
  options: CountersignToolsOptions = {},
): Promise<CountersignTools> {
  const { envFile, client = "AI SDK" } = options;
  const { aiTools } = await loadSdk();
  const config = loadSettings({ envFile });
  const log = createLog(config.logLevel);
  const upstream = await openUpstream(config, log, envFile);
  const opened = createBackend(config, log, {
    policy: await openPolicy(config, log, upstream),
    upstream,
  });
  const { tools: list, offer } = opened.mcp;
  const { flow } = await opened.gate();
  const registry = readRegistry();
  const caller = { principal: localPrincipal, client };
  const offered = offer?.(list.current(), caller) ?? list.current();
  const listed = offered.flatMap(({ name }) => registry.get(name) ?? []);

  const call = async (tool: string, args: unknown, signal?: AbortSignal): Promise<CallAnswer> => {
    const request = { tool, arguments: args, ...caller };
    const listener = signal ?? new AbortController().signal;
    return await flow.answering(async () =>
      toAnswer(
        await decided(
          flow,
          await flow.calls.call({ ...request, signal: listener }),
          config.approvals.waitMs,
          listener,
        ),
        flow.calls.outputOf,
      ),
    );
  };

  return {
    tools: aiTools(listed, call),
    instructions: opened.mcp.instructions(localPrincipal),
    close: async () => {
      await opened.settle();
      await opened.close();
    },
  };
}

/** The SDK is a peer: the calling program has it, and an installation that only serves MCP does without. */
async function loadSdk(): Promise<typeof AiTools> {
  try {
    return await import("../export/ai-tools.ts");
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND"))
      throw cause;
    throw new ToolError(
      "not_configured",
      'The package "ai" is not installed. No tools were made. Run: npm install ai@6',
      { cause },
    );
  }
}

/** A call that needs a person waits a while for one; its request stays open after that. */
async function decided(
  flow: ApprovalFlow,
  outcome: Outcome,
  waitMs: number,
  caller: AbortSignal,
): Promise<Outcome> {
  if (outcome.kind !== "waiting") return outcome;
  const { ticketId } = outcome.ticket;
  flow.watch.add(ticketId);
  await flow.watch.waitForEnd(ticketId, waitMs, caller);
  return await flow.calls.resume(ticketId, caller);
}

/** What an MCP client gets, markers included: a conversation that was stored may hand a model the data as well. */
function toAnswer(outcome: Outcome, outputOf: OutputOf): CallAnswer {
  const {
    content,
    structuredContent: output,
    isError = false,
  } = toResult(outcome, {
    outputOf,
  });
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  return { text, isError, ...(output !== undefined && { output }) };
}
