import type { ToolSet } from "ai";
import type * as AiTools from "../export/ai-tools.ts";
import type { MakeCall } from "../export/ai-tools.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import { openDirectCalls } from "./compose/direct-calls.ts";
import { createLog } from "./platform/log.ts";
import { systemCode } from "./platform/safe-file.ts";
import { startLeaderJobs } from "./leader/serving-leader.ts";
import { loadSettings } from "./platform/settings.ts";

export interface CountersignToolsOptions {
  /** Reads the settings from this file instead of `.env` in the data directory. */
  envFile?: string;
  /** The name of the calling program, which people see in requests and in the audit record. */
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

/**
 * Returns the tools for the Vercel AI SDK 6 or 7, in this process. They use the same pipeline, settings, stores and audit
 * record as over MCP. A high-risk call waits up to `APPROVAL_WAIT_MS` for a person at another approval channel, then
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
  const calls = await openDirectCalls(config, createLog(config.logLevel), client, {
    envFile,
    startJobs: startLeaderJobs,
  });
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

/** Imports the AI SDK. It is a peer dependency, because only programs that use this export have it. */
async function loadSdk(): Promise<typeof AiTools> {
  try {
    return await import("../export/ai-tools.ts");
  } catch (cause) {
    if (systemCode(cause) !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new ToolError(
      "not_configured",
      'The package "ai" is not installed. No tools were created. Run: npm install ai@6',
      { cause },
    );
  }
}
