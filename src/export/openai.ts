import type { ToolContract } from "../core/tool/tool.ts";
import { type SchemaNode, describeLimits, inputOf } from "./schema-node.ts";

/**
 * Converts a tool to the OpenAI Responses API in strict mode: every property required, optional ones nullable, only
 * supported keywords.
 */
export function openaiTool(tool: ToolContract<never>) {
  return {
    type: "function" as const,
    name: tool.name,
    description: tool.description,
    strict: true,
    parameters: openaiStrict(inputOf(tool)),
  };
}

/** Structured Outputs supports pattern, minimum, maximum and item counts, but no lengths or defaults. */
const openaiUntold = ["minLength", "maxLength", "default"] as const;

function openaiStrict(node: SchemaNode, nullable = false): Readonly<Record<string, unknown>> {
  const { minLength, maxLength: _long, default: _default, enum: choices, ...rest } = node;
  const optional = (name: string): boolean => !(node.required ?? []).includes(name);
  const description = describeLimits(node, openaiUntold);
  return {
    ...rest,
    type: nullable ? [node.type, "null"] : node.type,
    ...(description !== "" && { description }),
    // Strict mode supports patterns but no lengths. Only a ban on the empty text is expressed.
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
