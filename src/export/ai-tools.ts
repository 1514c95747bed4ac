import { type ToolSet, dynamicTool, jsonSchema } from "ai";
import { aiSdkSchema } from "./providers.ts";
import type { RegistryTool } from "./registry.ts";

/** What a call came to: the text that a model reads, and the same as data where it succeeded. */
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

/**
 * Tools for the Vercel AI SDK. Arguments are not checked here but behind the gate, so that bad ones are answered and recorded
 * as those of every client are.
 */
export function aiTools(tools: readonly RegistryTool[], call: MakeCall): ToolSet {
  return Object.fromEntries(tools.map((tool) => [tool.name, aiTool(tool, call)]));
}

function aiTool({ name, title, summary, input }: RegistryTool, call: MakeCall) {
  return dynamicTool({
    title,
    description: summary,
    inputSchema: jsonSchema(aiSdkSchema(input)),
    execute: (args, { abortSignal }) => call(name, args, abortSignal),
    toModelOutput: ({ output }) => {
      const { text, isError } = readAnswer(output);
      return { type: isError ? "error-text" : "text", value: text };
    },
  });
}

/** The SDK hands back what `execute` gave, untyped; a conversation that was stored may hold anything. */
function readAnswer(output: unknown): Pick<CallAnswer, "text" | "isError"> {
  const known = typeof output === "object" && output !== null ? output : {};
  return {
    text: "text" in known ? String(known.text) : JSON.stringify(output),
    isError: "isError" in known && known.isError === true,
  };
}
