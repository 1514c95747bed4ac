import { type JSONSchema7, type ToolSet, dynamicTool, jsonSchema } from "ai";
import { aiSdkSchema } from "./providers.ts";
import type { RegistryTool } from "./registry.ts";

/** The result of a call: the text for a model, and data if it succeeded. */
export interface CallAnswer {
  text: string;
  isError: boolean;
  output?: Readonly<Record<string, unknown>>;
}

export type MakeCall = (
  tool: string,
  args: unknown,
  signal: AbortSignal | undefined,
) => Promise<CallAnswer>;

/** A tool of the catalog or of an upstream server. */
type AiTool = Pick<RegistryTool, "name" | "title" | "summary" | "input"> & { isUpstream: boolean };

/**
 * Creates tools for the Vercel AI SDK. The call pipeline checks the arguments, so invalid ones are answered and
 * recorded like those of any client.
 */
export function aiTools(tools: readonly AiTool[], call: MakeCall): ToolSet {
  return Object.fromEntries(tools.map((tool) => [tool.name, aiTool(tool, call)]));
}

function aiTool(tool: AiTool, call: MakeCall) {
  const { name, title, summary } = tool;
  return dynamicTool({
    title,
    description: summary,
    inputSchema: jsonSchema(aiSdkSchema(tool) as JSONSchema7),
    execute: (args, { abortSignal }) => call(name, args, abortSignal),
    toModelOutput: ({ output }) => {
      const { text, isError } = readCallResult(output);
      return { type: isError ? "error-text" : "text", value: text };
    },
  });
}

/** Reads a result that the SDK returns untyped. A stored conversation may contain any value. */
function readCallResult(output: unknown): Pick<CallAnswer, "text" | "isError"> {
  const known = typeof output === "object" && output !== null ? output : {};
  return {
    text: "text" in known ? String(known.text) : JSON.stringify(output),
    isError: "isError" in known && known.isError === true,
  };
}
