import type { ToolContract } from "../core/tool/tool.ts";
import { type SchemaNode, describeLimits, inputOf } from "./schema-node.ts";

/**
 * Converts a tool to Gemini's `FunctionDeclaration`: a subset of OpenAPI 3.0 with upper-case types and 64-bit counts as
 * strings.
 */
export function geminiFunction(tool: ToolContract<never>) {
  return {
    name: tool.name,
    description: tool.description,
    parameters: geminiSchema(inputOf(tool)),
  };
}

/** The used part of Gemini's `Schema`. */
interface GeminiSchema {
  type: Uppercase<SchemaNode["type"]>;
  description?: string;
  format?: "enum";
  enum?: string[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: string;
  maxLength?: string;
  minItems?: string;
  maxItems?: string;
  items?: GeminiSchema;
  properties?: Record<string, GeminiSchema>;
  propertyOrdering?: string[];
  required?: string[];
}

const upperCase = {
  object: "OBJECT",
  array: "ARRAY",
  string: "STRING",
  integer: "INTEGER",
  number: "NUMBER",
  boolean: "BOOLEAN",
} as const satisfies Record<SchemaNode["type"], string>;

function geminiSchema(node: SchemaNode): GeminiSchema {
  const { enum: choices, pattern, minimum, maximum, items, properties, required } = node;
  const description = describeLimits(node, ["default"]);
  return {
    type: upperCase[node.type],
    ...(description !== "" && { description }),
    ...(choices !== undefined && { format: "enum", enum: choices }),
    ...(pattern !== undefined && { pattern }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...count("minLength", node.minLength),
    ...count("maxLength", node.maxLength),
    ...count("minItems", node.minItems),
    ...count("maxItems", node.maxItems),
    ...(items !== undefined && { items: geminiSchema(items) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, child]) => [name, geminiSchema(child)]),
      ),
      propertyOrdering: Object.keys(properties),
    }),
    ...(required !== undefined && { required }),
  };
}

/** Converts a count. The API's int64 is a string in JSON. */
function count(
  name: "minLength" | "maxLength" | "minItems" | "maxItems",
  value: number | undefined,
): Partial<Record<typeof name, string>> {
  return value === undefined ? {} : { [name]: String(value) };
}
