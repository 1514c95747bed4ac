import { z } from "zod";
import { callToolName, type NamedCall } from "../core/tool/tool-source.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import { defineTool } from "../ports/define-tool.ts";

const input = z.strictObject({
  name: z.string().max(200).describe("From find_tools"),
  arguments: z.record(z.string(), z.unknown()).optional().describe("As its schema says"),
});

/**
 * The tool that calls another tool by name. The call pipeline replaces such a call by the named one, so this tool never
 * runs.
 */
export const callTool = defineTool({
  name: callToolName,
  title: "Call a tool",
  description: "Call a tool from find_tools. Risk, approval and errors are those of that tool.",
  risk: "dynamic",
  operation: "changes",
  openWorld: true,
  needs: [],
  input,
  output: z.object({}),
  execute: () => {
    throw new ToolError("invalid_input", "name: call_tool cannot call itself. Nothing was done.");
  },
  text: () => ({ facts: "" }),
  describe: () => "call a tool",
});

/** Returns the call that a call of `call_tool` represents. Undefined if its arguments are invalid. */
export function namedCall(args: unknown): NamedCall | undefined {
  const read = input.safeParse(args);
  if (!read.success || read.data.name === callToolName) return undefined;
  // The parser would drop `__proto__`, which the named tool's own check refuses.
  const { arguments: whole = {} } = args as z.input<typeof input>;
  return { tool: read.data.name, arguments: whole };
}
