import type { Tool as AnthropicTool } from "@anthropic-ai/sdk/resources/messages";
import type { FunctionDeclaration } from "@google/genai";
import { ToolSchema as McpTool } from "@modelcontextprotocol/sdk/types.js";
import { asSchema, jsonSchema } from "ai";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import type { Tool as OllamaTool } from "ollama";
import { toStrictJsonSchema } from "openai/lib/transform";
import type { FunctionTool as OpenaiTool } from "openai/resources/responses/responses";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ToolContract } from "../../src/core/tool/tool.ts";
import { geminiFunction } from "../../src/export/gemini.ts";
import { openaiTool } from "../../src/export/openai.ts";
import { parseCall } from "../../src/export/parse-call.ts";
import {
  aiSdkTool,
  anthropicTool,
  exportCatalog,
  mcpTool,
  ollamaTool,
  type Provider,
} from "../../src/export/providers.ts";
import { contracts } from "../../src/tools/catalog.ts";
import { valuesOf } from "./argument-generator.ts";

const every: readonly ToolContract<never>[] = contracts;
const named = every.map((tool) => [tool.name, tool] as const);
const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true });

/** A type as its JSON is: the SDK's enums are strings on the wire. */
type Wire<T> = T extends string
  ? `${T}`
  : T extends object
    ? { [Key in keyof T]: Wire<T[Key]> }
    : T;

// The check is that these compile: the SDKs' own types accept the exported tools.
const forOpenai: OpenaiTool[] = every.map(openaiTool);
const forAnthropic: AnthropicTool[] = every.map(anthropicTool);
const forGemini: Wire<FunctionDeclaration>[] = every.map(geminiFunction);
const forOllama: OllamaTool[] = every.map(ollamaTool);

const generated = 200;
const seed = 20_260_728;

/** The keywords that Structured Outputs accepts, as its guide lists them. The SDK checks the rest. */
const strictNode: z.ZodType = z.lazy(() =>
  z
    .strictObject({
      type: z.union([z.string(), z.tuple([z.string(), z.literal("null")])]),
      description: z.string().optional(),
      enum: z.array(z.string().nullable()).optional(),
      pattern: z.string().optional(),
      minimum: z.number().optional(),
      maximum: z.number().optional(),
      minItems: z.number().optional(),
      maxItems: z.number().optional(),
      items: strictNode.optional(),
      properties: z.record(z.string(), strictNode).optional(),
      required: z.array(z.string()).optional(),
      additionalProperties: z.literal(false).optional(),
    })
    .refine(
      ({ type, properties, required, additionalProperties }) =>
        type !== "object" ||
        (additionalProperties === false &&
          Object.keys(properties ?? {}).join() === (required ?? []).join()),
      "every property is required, and no other is taken",
    ),
);

describe("an export follows its provider's published form [catalog.export]", () => {
  it.each(named)(
    "OpenAI: %s is strict, and the SDK's own conversion keeps it unchanged",
    (_, tool) => {
      const { parameters, strict } = openaiTool(tool);
      expect(strict).toBe(true);
      expect(strictNode.safeParse(parameters).error).toBeUndefined();
      expect(toStrictJsonSchema(structuredClone(parameters))).toEqual(parameters);
    },
  );

  it("Anthropic: every input is a JSON Schema 2020-12 of an object", () => {
    for (const { input_schema: schema } of forAnthropic) {
      expect(schema.type).toBe("object");
      expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
    }
  });

  it("Gemini: types are upper case, counts are strings, and only its subset is used", () => {
    expect(JSON.stringify(forGemini)).not.toMatch(/additionalProperties|\$schema|"default"/);
    const types = [...JSON.stringify(forGemini).matchAll(/"type":"(\w+)"/g)].map(
      ([, type]) => type,
    );
    expect(new Set(types)).toEqual(new Set(["OBJECT", "STRING", "INTEGER", "BOOLEAN", "ARRAY"]));
  });

  it("Ollama: each tool is wrapped, and its description has the limits that the server drops", () => {
    expect(forOllama.every(({ type }) => type === "function")).toBe(true);
    const list = forOllama.find((tool) => tool.function.name === "list_files");
    expect(list?.function.parameters?.properties?.["limit"]?.description).toBe(
      "Files per page; at least 1; at most 1000; default 100",
    );
  });

  it.each(named)("MCP: %s is a tool of the protocol", (_name, tool) => {
    const { data, error } = McpTool.safeParse(mcpTool(tool));
    expect(error).toBeUndefined();
    expect(data).toMatchObject({ name: tool.name, inputSchema: { type: "object" } });
  });

  it.each(named)("AI SDK: %s has a schema that the SDK reads", async (_name, tool) => {
    const { inputSchema } = aiSdkTool(tool);
    expect(await asSchema(jsonSchema(inputSchema)).jsonSchema).toEqual(inputSchema);
  });
});

/** Returns a query as the web search reads it. */
const spaced = (value: unknown): unknown =>
  typeof value === "string" ? value.replace(/\s+/g, " ").trim() : value;

/** The place of the schema in each provider's form, and the form in which its models write a call. */
const dialects: Record<
  Provider,
  { schema: (tool: ToolContract<never>) => unknown; call: (name: string, args: unknown) => unknown }
> = {
  mcp: {
    schema: (tool) => mcpTool(tool).inputSchema,
    call: (name, args) => ({ method: "tools/call", params: { name, arguments: args } }),
  },
  openai: {
    schema: (tool) => openaiTool(tool).parameters,
    call: (name, args) => ({ type: "function_call", name, arguments: JSON.stringify(args) }),
  },
  anthropic: {
    schema: (tool) => anthropicTool(tool).input_schema,
    call: (name, input) => ({ type: "tool_use", id: "1", name, input }),
  },
  gemini: {
    schema: (tool) => geminiFunction(tool).parameters,
    call: (name, args) => ({ functionCall: { name, args } }),
  },
  ollama: {
    schema: (tool) => ollamaTool(tool).function.parameters,
    call: (name, args) => ({ function: { name, arguments: args } }),
  },
  "ai-sdk": {
    schema: (tool) => aiSdkTool(tool).inputSchema,
    call: (toolName, input) => ({ type: "tool-call", toolName, input }),
  },
};

describe.each(Object.entries(dialects))("what is valid for the %s export", (provider, dialect) => {
  it.each(named)("is valid for %s after `catalog parse`, 200 times", (name, tool) => {
    const schema = dialect.schema(tool);
    // Ajv does not know Gemini's dialect.
    const isValid = provider === "gemini" ? () => true : ajv.compile(schema as object);
    for (const args of fc.sample(valuesOf(schema), { numRuns: generated, seed })) {
      expect(isValid(args), JSON.stringify(args)).toBe(true);
      const plan = parseCall(every, dialect.call(name, args));
      const meant = Object.entries(args as object)
        .filter(([, value]) => value !== null)
        .map(([key, value]: [string, unknown]) => [
          key,
          name === "web_search" && key === "query" ? spaced(value) : value,
        ]);
      expect(plan).toMatchObject({ tool: name, risk: tool.risk });
      expect(plan.arguments).toMatchObject(Object.fromEntries(meant));
    }
  });
});

describe("a call that an SDK took out of a response", () => {
  // The arguments were lost, and a call without any was valid.
  it.each([
    ["`functionCalls` of Google", { id: "1", name: "list_files", args: { prefix: "notes/" } }],
    ["an earlier AI SDK", { toolCallId: "1", toolName: "list_files", args: { prefix: "notes/" } }],
    ["Anthropic, without its type", { name: "list_files", input: { prefix: "notes/" } }],
    ["Ollama, with `args`", { function: { name: "list_files", args: '{"prefix":"notes/"}' } }],
  ])("has its arguments: %s", (_from, call) => {
    expect(parseCall(every, call).arguments).toMatchObject({ prefix: "notes/" });
  });
});

describe("a whole export", () => {
  it("is a list, for the AI SDK by name, and for Gemini within one tool", () => {
    expect(exportCatalog(every, "openai")).toEqual(forOpenai);
    expect(exportCatalog(every, "gemini")).toEqual([{ functionDeclarations: forGemini }]);
    expect(Object.keys(exportCatalog(every, "ai-sdk") as object)).toEqual(
      every.map(({ name }) => name),
    );
  });
});
