import { z } from "zod";
import { parseArguments } from "../core/call/parse-arguments.ts";
import type { DeclaredRisk } from "../core/policy/risk.ts";
import type { ToolContract } from "../core/tool/tool.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import { isUpstream } from "./upstream-forms.ts";
import { type SchemaNode, inputOf } from "./schema-node.ts";

/** A validated call that was not run. */
export interface PlannedCall {
  tool: string;
  risk: DeclaredRisk;
  /** The arguments with every default filled in. */
  arguments: Readonly<Record<string, unknown>>;
}

/** Some providers leave out the arguments of a call without any. */
const given = z.unknown().optional();
const name = z.string();

/** Each provider has its own name for the arguments. SDKs pass on calls without what surrounds them in a response. */
const called = z
  .object({ name, arguments: given, args: given, input: given })
  .transform(({ name, arguments: args, ...call }) => ({
    name,
    arguments: args ?? call.args ?? call.input,
  }));

/** The providers' forms of a call: where its name and its arguments are. */
const callForms = z.union([
  // OpenAI Chat Completions, Ollama
  z.object({ function: called }).transform((call) => call.function),
  // Gemini
  z.object({ functionCall: called }).transform((call) => call.functionCall),
  // AI SDK
  z
    .object({ toolName: name, args: given, input: given })
    .transform(({ toolName, ...call }) => ({ ...call, name: toolName }))
    .pipe(called),
  // MCP `tools/call`
  z.object({ method: z.literal("tools/call"), params: called }).transform(({ params }) => params),
  // Anthropic, OpenAI Responses, MCP params, Google's `functionCalls`
  called,
]);

/**
 * Resolves and validates one call in any provider's form. Arguments in JSON text are parsed, and nulls for absent
 * optional fields are removed, as strict modes send them. Runs nothing.
 * @throws {ToolError} `not_found` for an unknown tool, `invalid_input` or `too_large` for its arguments
 */
export function parseCall(tools: readonly ToolContract<never>[], call: unknown): PlannedCall {
  const read = callForms.safeParse(call);
  if (!read.success) {
    throw new ToolError("invalid_input", "This is not a tool call in a known form.", {
      hint: 'Write {"name": TOOL, "arguments": {...}}, or the form of a provider.',
    });
  }
  const tool = tools.find((known) => known.name === read.data.name);
  if (tool === undefined) {
    const unknown = JSON.stringify(read.data.name.slice(0, 80));
    throw new ToolError("not_found", `The tool ${unknown} does not exist.`);
  }
  const given = objectFrom(read.data.arguments, tool.name);
  // The schema of an upstream server may have any keyword, so its fields stay unchanged.
  const args = parseArguments(tool, isUpstream(tool) ? given : resolved(given, inputOf(tool)));
  return { tool: tool.name, risk: tool.risk, arguments: args };
}

/** Parses arguments in JSON text. Some providers send an empty text for a call without arguments. */
function objectFrom(value: unknown, name: string): unknown {
  if (typeof value !== "string") return value;
  if (value.trim() === "") return {};
  const data = fromText(value, "object");
  if (typeof data === "object") return data;
  throw new ToolError(
    "invalid_input",
    `${name} was not called: its arguments are text that is not a JSON object.`,
    { hint: "Call again with one complete JSON object." },
  );
}

/** Converts a value to the schema's type. A value that does not fit stays unchanged for the parser to report. */
function resolved(value: unknown, schema: SchemaNode): unknown {
  const data = schema.type === "string" ? value : fromText(value, schema.type);
  if (schema.items !== undefined && Array.isArray(data)) {
    const { items } = schema;
    return data.map((item: unknown) => resolved(item, items));
  }
  const { properties, required = [] } = schema;
  if (properties === undefined || typeof data !== "object" || data === null) return data;
  const fields = Object.entries(data)
    .filter(([field, part]) => part !== null || required.includes(field) || !(field in properties))
    .map(([field, part]) => {
      const inner = properties[field];
      return [field, inner === undefined ? part : resolved(part, inner)] as const;
    });
  return Object.fromEntries(fields);
}

/** Parses JSON that was sent as text, if the result has the wanted type. */
function fromText(value: unknown, type: SchemaNode["type"]): unknown {
  if (typeof value !== "string") return value;
  try {
    const data: unknown = JSON.parse(value);
    return hasType(data, type) ? data : value;
  } catch {
    return value;
  }
}

function hasType(data: unknown, type: SchemaNode["type"]): boolean {
  switch (type) {
    case "array":
      return Array.isArray(data);
    case "object":
      return typeof data === "object" && data !== null && !Array.isArray(data);
    case "integer":
    case "number":
      return typeof data === "number";
    case "boolean":
    case "string":
      return typeof data === type;
  }
}
