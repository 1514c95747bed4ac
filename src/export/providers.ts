import { fullSchema, listing, type ObjectSchema } from "../core/tool/catalog.ts";
import type { ToolContract } from "../core/tool/tool.ts";
import { geminiFunction } from "./gemini.ts";
import { openaiTool } from "./openai.ts";
import {
  type SchemaNode,
  describeLimits,
  inputOf,
  mapChildren,
  readSchema,
} from "./schema-node.ts";

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
    annotations: listing(tool).annotations,
    _meta: { "dev.countersign/risk": tool.risk },
  };
}

/** Anthropic Messages API: takes JSON Schema 2020-12 as it is. */
export function anthropicTool(tool: Contract) {
  return {
    name: tool.name,
    description: tool.description,
    input_schema: { ...objectOf(inputOf(tool)) },
  };
}

/** Ollama `/api/chat`. Its own types know only type, description, choices and items, so limits are told in words as well. */
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

function objectOf(node: SchemaNode): SchemaNode & { type: "object" } {
  return { ...node, type: "object" };
}

/** The schema of a tool's arguments for the AI SDK, from a registry's. */
export function aiSdkSchema(input: ObjectSchema): SchemaNode & { type: "object" } {
  return objectOf(readSchema(input));
}
