import type { ToolSet } from "ai";
import type * as AiTools from "../export/ai-tools.ts";
import type { MakeCall } from "../export/ai-tools.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import { openDirectCalls } from "./compose/direct-calls.ts";
import { createLog } from "./platform/log.ts";
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
  const calls = await openDirectCalls(config, createLog(config.logLevel), client);
  const call: MakeCall = async (tool, args, signal = new AbortController().signal) => {
    const { text, isError, output } = await calls.call(tool, args, { signal });
    return { text, isError, ...(output !== undefined && { output }) };
  };
  return {
    tools: aiTools(calls.tools, call),
    instructions: calls.instructions,
    close: () => calls.close(),
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
