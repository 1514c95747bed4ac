import type { ToolSet } from "ai";
import type { Outcome } from "../core/call/outcome.ts";
import type { OutputOf } from "../core/tool/strangers.ts";
import type * as AiTools from "../export/ai-tools.ts";
import type { CallAnswer } from "../export/ai-tools.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { ApprovalFlow } from "../mcp/approval-flow.ts";
import { toResult } from "../mcp/result.ts";
import { createLog } from "./platform/log.ts";
import { createBackend } from "./compose/create-backend.ts";
import { openPolicy } from "./compose/policy/open-policy.ts";
import { readRegistry } from "./compose/read-registry.ts";
import { loadSettings } from "./platform/settings.ts";

export interface CountersignToolsOptions {
  /** Reads the settings from this file instead of `.env` in the data directory. */
  envFile?: string;
  /** The name of the calling program, which people see in requests and in the audit log. */
  client?: string;
}

export interface CountersignTools {
  /** For `generateText({ tools })` and `streamText({ tools })`. */
  tools: ToolSet;
  /** The rules for a model, for its system prompt. */
  instructions: string;
  /** Waits for running calls and closes the stores. */
  close(): Promise<void>;
}

/** The same caller as over stdio, where a program of this user also has full access. */
const localPrincipal = "local";

/**
 * Returns the tools for the Vercel AI SDK 6, in this process. They use the same pipeline, settings, stores and audit
 * log as over MCP. A high-risk call waits up to `APPROVAL_WAIT_MS` for a person at another approval channel, then
 * returns the text of `approval_required`. The SDK's own approval of tools is not used, because it would be the calling
 * program's claim.
 * @throws ConfigError, ToolError
 */
export async function countersignTools(
  options: CountersignToolsOptions = {},
): Promise<CountersignTools> {
  const { envFile, client = "AI SDK" } = options;
  const { aiTools } = await loadSdk();
  const config = loadSettings({ envFile });
  const log = createLog(config.logLevel);
  const opened = createBackend(config, log, { policy: await openPolicy(config, log) });
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

/** Imports the AI SDK. It is a peer dependency, because only programs that use this export have it. */
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

/** Waits a limited time for a person's decision. The request stays open after that. */
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

/**
 * Converts an outcome into the answer that an MCP client gets, with markers, because a stored conversation may pass the
 * data to a model.
 */
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
