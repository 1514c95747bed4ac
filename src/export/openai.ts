import type { ToolContract } from "../core/tool/tool.ts";
import { type SchemaNode, describeLimits, inputOf } from "./schema-node.ts";

/** OpenAI Responses API, strict: every property required, optional ones nullable, only keywords that strict mode takes. */
export function openaiTool(tool: ToolContract<never>) {
  return {
    type: "function" as const,
    name: tool.name,
    description: tool.description,
    strict: true,
    parameters: openaiStrict(inputOf(tool)),
  };
}

/** Structured Outputs takes pattern, minimum, maximum and the number of items; lengths and defaults it refuses. */
const openaiUntold = ["minLength", "maxLength", "default"] as const;

function openaiStrict(node: SchemaNode, nullable = false): Readonly<Record<string, unknown>> {
  const { minLength, maxLength: _long, default: _default, enum: choices, ...rest } = node;
  const optional = (name: string): boolean => !(node.required ?? []).includes(name);
  const description = describeLimits(node, openaiUntold);
  return {
    ...rest,
    type: nullable ? [node.type, "null"] : node.type,
    ...(description !== "" && { description }),
    // A pattern is taken where a length is not; only the empty text is worth one.
    ...(minLength === 1 && node.pattern === undefined && { pattern: "[\\s\\S]" }),
    ...(choices !== undefined && { enum: nullable ? [...choices, null] : choices }),
    ...(node.items !== undefined && { items: openaiStrict(node.items) }),
    ...(node.properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(node.properties).map(([name, child]) => [
          name,
          openaiStrict(child, optional(name)),
        ]),
      ),
      required: Object.keys(node.properties),
      additionalProperties: false,
    }),
  };
}
