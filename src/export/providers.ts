import { fullSchema, listing, type ObjectSchema } from "../core/tool/catalog.ts";
import type { ToolContract } from "../core/tool/tool.ts";
import { upstreamForms, isUpstream } from "./upstream-forms.ts";
import { geminiFunction } from "./gemini.ts";
import { openaiTool } from "./openai.ts";
import {
  type SchemaNode,
  describeLimits,
  inputOf,
  mapChildren,
  readSchema,
} from "./schema-node.ts";
import type { Data } from "../core/shared/data.ts";

type Contract = ToolContract<never>;
/** Each provider's form of one tool, by the name for `catalog export --format`. */
export const providers = {
  mcp: mcpTool,
  openai: openaiTool,
  anthropic: anthropicTool,
  gemini: geminiFunction,
  ollama: ollamaTool,
  "ai-sdk": aiSdkTool,
} satisfies Record<string, (tool: Contract) => Data>;

export type Provider = keyof typeof providers;

export function isProvider(name: string): name is Provider {
  return Object.hasOwn(providers, name);
}

/** Exports a catalog in the form of a provider's API: a list, by name for the AI SDK, within one tool for Gemini. */
export function exportCatalog(tools: readonly Contract[], provider: Provider): unknown {
  const exported = tools.map((tool) =>
    isUpstream(tool) ? upstreamForms[provider](tool) : providers[provider](tool),
  );
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

/** Returns the complete JSON Schema of a tool's arguments. */
export function mcpInput(tool: Contract): Data {
  return isUpstream(tool) ? tool.schemas.input : fullSchema(tool.input, "input");
}

/** Converts to an MCP `Tool` with complete schemas, which `tools/list` shortens. */
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

/** Converts to the Anthropic Messages API, which accepts JSON Schema 2020-12 unchanged. */
export function anthropicTool(tool: Contract) {
  return {
    name: tool.name,
    description: tool.description,
    input_schema: { ...objectOf(inputOf(tool)) },
  };
}

/**
 * Converts to Ollama's `/api/chat`. Its types support only type, description, choices and items, so limits are in the
 * description too.
 */
export function ollamaTool(tool: Contract) {
  return {
    type: "function" as const,
    function: {
      name: tool.name,
      description: tool.description,
      parameters: objectOf(mapChildren(inputOf(tool), withLimits)),
    },
  };
}

function withLimits(node: SchemaNode): SchemaNode {
  const description = describeLimits(node, ["minimum", "maximum", "maxItems", "default"]);
  return {
    ...mapChildren(node, withLimits),
    ...(description !== "" && { description }),
  };
}

/** Converts to the argument of the Vercel AI SDK's `tool()`, with the schema for `jsonSchema()`. */
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

/** Converts the schema of arguments for the AI SDK. A server's own schema is passed on. */
export function aiSdkSchema({
  input,
  isUpstream: isOfServer,
}: {
  input: ObjectSchema;
  isUpstream: boolean;
}): Data & { type: "object" } {
  return isOfServer ? { ...input } : { ...objectOf(readSchema(input)) };
}
