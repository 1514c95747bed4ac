import { z } from "zod";
import { callToolName, type NamedCall } from "../core/tool/tool-source.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import { defineTool } from "../ports/define-tool.ts";

const input = z.strictObject({
  name: z
    .string()
    .max(200)
    .refine((name) => name !== callToolName, { error: "call_tool cannot call itself" })
    .describe("From find_tools"),
  arguments: z
    .record(z.string(), z.unknown(), { error: "must be a JSON object, or text that is one" })
    .optional()
    .describe("As its schema says"),
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
    throw new ToolError("invalid_input", "call_tool itself does nothing. Nothing was done.");
  },
  text: () => ({ facts: "" }),
  describe: () => "call a tool",
});

/** Returns the call that a call of `call_tool` represents. Undefined if its arguments are invalid. */
export function namedCall(given: unknown): NamedCall | undefined {
  const args = withParsedText(given);
  const read = input.safeParse(args);
  if (!read.success) return undefined;
  // The parser would drop `__proto__`, which the named tool's own check refuses.
  const { arguments: whole = {} } = args as z.input<typeof input>;
  return { tool: read.data.name, arguments: whole };
}

/**
 * Parses arguments that a model wrote as JSON text. Everything after this sees only the object: the policy, the request
 * and the person. Other text stays, and is refused.
 */
function withParsedText(given: unknown): unknown {
  if (typeof given !== "object" || given === null || !("arguments" in given)) return given;
  if (typeof given.arguments !== "string") return given;
  try {
    const parsed: unknown = given.arguments.trim() === "" ? {} : JSON.parse(given.arguments);
    return { ...given, arguments: parsed };
  } catch {
    return given;
  }
}
