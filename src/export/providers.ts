import { annotations, fullSchema, type ObjectSchema } from "../core/catalog.ts";
import type { ToolContract } from "../core/tool.ts";
import { type SchemaNode, describeLimits, mapChildren, readSchema } from "./schema-node.ts";

type Contract = ToolContract<never>;
type Json = Readonly<Record<string, unknown>>;

/** Each provider's form of one tool, by the name that `catalog export --format` takes. */
export const providers = {
  mcp: mcpTool,
  openai: openaiTool,
  anthropic: anthropicTool,
  gemini: geminiFunction,
  ollama: ollamaTool,
  "ai-sdk": aiSdkTool,
} satisfies Record<string, (tool: Contract) => Json>;

export type Provider = keyof typeof providers;

export function isProvider(name: string): name is Provider {
  return Object.hasOwn(providers, name);
}

/** A whole catalog in a provider's form, as its API takes it: a list, for the AI SDK by name, for Gemini within one tool. */
export function exportCatalog(tools: readonly Contract[], provider: Provider): unknown {
  const exported = tools.map((tool) => providers[provider](tool));
  switch (provider) {
    case "ai-sdk":
      return Object.fromEntries(tools.map(({ name }, index) => [name, exported[index]]));
    case "gemini":
      return [{ functionDeclarations: exported }];
    case "mcp":
    case "openai":
    case "anthropic":
    case "ollama":
      return exported;
  }
}

/** MCP `Tool`, with the complete schemas where `tools/list` has shortened ones. */
export function mcpTool(tool: Contract) {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: fullSchema(tool.input, "input"),
    outputSchema: fullSchema(tool.output, "output"),
    annotations: annotations(tool),
    _meta: { "dev.countersign/risk": tool.risk },
  };
}

/** OpenAI Responses API, strict: every property required, optional ones nullable, only keywords that strict mode takes. */
export function openaiTool(tool: Contract) {
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

function openaiStrict(node: SchemaNode, nullable = false): Json {
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

/** Anthropic Messages API: takes JSON Schema 2020-12 as it is. */
export function anthropicTool(tool: Contract) {
  return {
    name: tool.name,
    description: tool.description,
    input_schema: objectOf(inputOf(tool)),
  };
}

/** Gemini `FunctionDeclaration`: a subset of OpenAPI 3.0 with upper-case types; 64-bit counts are strings. */
export function geminiFunction(tool: Contract) {
  return {
    name: tool.name,
    description: tool.description,
    parameters: geminiSchema(inputOf(tool)),
  };
}

const counts = ["minLength", "maxLength", "minItems", "maxItems"] as const;

function geminiSchema(node: SchemaNode): Json {
  const { additionalProperties: _closed, default: _default, items, properties, ...rest } = node;
  const description = describeLimits(node, ["default"]);
  const strings = counts.flatMap((name) =>
    node[name] === undefined ? [] : [[name, String(node[name])] as const],
  );
  return {
    ...rest,
    type: node.type.toUpperCase(),
    ...(description !== "" && { description }),
    ...Object.fromEntries(strings),
    ...(node.enum !== undefined && { format: "enum" }),
    ...(items !== undefined && { items: geminiSchema(items) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, child]) => [name, geminiSchema(child)]),
      ),
      propertyOrdering: Object.keys(properties),
    }),
  };
}

/** Ollama `/api/chat`. Its server shows models only type, description, choices and items, so limits are told in words as well. */
export function ollamaTool(tool: Contract) {
  return {
    type: "function" as const,
    function: {
      name: tool.name,
      description: tool.description,
      parameters: objectOf(mapChildren(inputOf(tool), inWordsToo)),
    },
  };
}

function inWordsToo(node: SchemaNode): SchemaNode {
  const description = describeLimits(node, ["minimum", "maximum", "maxItems", "default"]);
  return {
    ...mapChildren(node, inWordsToo),
    ...(description !== "" && { description }),
  };
}

/** Vercel AI SDK: what `tool()` takes, with the schema for `jsonSchema()`. */
export function aiSdkTool(tool: Contract) {
  return {
    title: tool.title,
    description: tool.description,
    inputSchema: objectOf(inputOf(tool)),
  };
}

function inputOf(tool: Contract): SchemaNode {
  return readSchema(fullSchema(tool.input, "input"));
}

function objectOf(node: SchemaNode): SchemaNode & { type: "object" } {
  return { ...node, type: "object" };
}

/** The schema of a tool's arguments for the AI SDK, from a registry's. */
export function aiSdkSchema(input: ObjectSchema): SchemaNode & { type: "object" } {
  return objectOf(readSchema(input));
}
