import { register } from "node:module";
import { pathToFileURL } from "node:url";
import { type ModuleTool, serveModule } from "../mcp/module-server.ts";
import { isData } from "../core/shared/data.ts";
import { packageFile } from "../core/shared/program-root.ts";
import { version } from "./platform/version.ts";
import type {
  LocalTool,
  PlainToolSpec,
  ToolJsonSchema,
  ToolSchema,
  TypedToolSpec,
} from "./tools.ts";

// The process of a local module: serves the tools that the module exports over standard input and output.

type Schema = ToolSchema<unknown> | ToolJsonSchema;
type Spec = PlainToolSpec | TypedToolSpec<unknown>;

const target = { target: "draft-2020-12" } as const;
const annotations = {
  low: { readOnlyHint: true },
  medium: { readOnlyHint: false, destructiveHint: false },
  high: { readOnlyHint: false, destructiveHint: true },
} as const;

/** Lets the module import `countersign/tools` wherever it is stored. */
function offerEntry(): void {
  const tools = JSON.stringify(packageFile("bundle/tools.js").href);
  const code = `export const resolve = (name, context, next) =>
    name === "countersign/tools" ? { url: ${tools}, shortCircuit: true } : next(name, context);`;
  register(`data:text/javascript,${encodeURIComponent(code)}`);
}

function isTool(value: unknown): value is LocalTool & Spec {
  return typeof value === "object" && value !== null && Symbol.for("countersign.tool.1") in value;
}

function standard(schema: Schema | undefined): ToolSchema<unknown>["~standard"] | undefined {
  return schema !== undefined && "~standard" in schema
    ? (schema as ToolSchema<unknown>)["~standard"]
    : undefined;
}

function jsonSchema(schema: Schema, side: "input" | "output"): ToolJsonSchema {
  return standard(schema)?.jsonSchema[side](target) ?? (schema as ToolJsonSchema);
}

/** Checks what `defineTool` was given, because a module in JavaScript has no compiler that does. */
function assertSpec(spec: Readonly<Partial<Record<keyof Spec, unknown>>>): void {
  const { name, title, description, risk, input, output, execute } = spec;
  const isText = (value: unknown): boolean => typeof value === "string";
  if (!isText(name) || name === "") throw new Error("defineTool needs a name, which is a text");
  const wrong = (what: string): Error => new Error(`defineTool of ${String(name)}: ${what}`);
  if (!isText(description)) throw wrong("description must be a text");
  if (title !== undefined && !isText(title)) throw wrong("title must be a text");
  if (risk !== undefined && Object.keys(annotations).every((known) => known !== risk))
    throw wrong(`risk must be "low", "medium" or "high", not ${JSON.stringify(risk)}`);
  if (input !== undefined && !isData(input)) throw wrong("input must be a schema");
  if (output !== undefined && !isData(output)) throw wrong("output must be a schema");
  if (typeof execute !== "function") throw wrong("execute must be a function");
}

function moduleTool(spec: Spec): ModuleTool {
  assertSpec(spec);
  const { name, title, description, risk = "high", input = { type: "object" }, output } = spec;
  const schema = standard(input);
  return {
    definition: {
      name,
      ...(title !== undefined && { title }),
      description,
      inputSchema: jsonSchema(input, "input"),
      ...(output !== undefined && { outputSchema: jsonSchema(output, "output") }),
      annotations: annotations[risk],
    },
    execute: async (given, run) => {
      const checked = await schema?.validate(given);
      if (checked?.issues !== undefined)
        throw new Error(checked.issues.map(({ message }) => message).join("; "));
      const args = (checked === undefined ? given : checked.value) as Readonly<
        Record<string, unknown>
      >;
      const result: unknown = await spec.execute(args, run);
      if (typeof result === "string") return { text: result };
      const { text, data } = resultOf(result, name);
      if (data === undefined) return { text: text ?? "" };
      const json = jsonOf(data, name);
      // Data without a schema follows the text.
      const isSent = output !== undefined || text !== undefined;
      return { text: text ?? json, ...(isSent && { data }) };
    },
  };
}

/** Checks what `execute` returned, because a module in JavaScript has no compiler that does. */
function resultOf(result: unknown, name: string): { text?: string; data?: object } {
  const { text, data } = (result ?? {}) as { text?: unknown; data?: unknown };
  const hasText = typeof text === "string";
  const hasData = typeof data === "object" && data !== null;
  if ((hasText || hasData) && (hasText || text === undefined) && (hasData || data === undefined))
    return { ...(hasText && { text }), ...(hasData && { data }) };
  throw new Error(
    `execute of ${name} must return a text or { text, data }, where data is an object.`,
  );
}

/** Returns data as JSON. @throws Error if it has none: the response could not be sent, and the caller would wait. */
function jsonOf(data: object, name: string): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(data);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n")[0] : "";
    throw new Error(`execute of ${name} returned data that is not JSON: ${reason}.`, { cause });
  }
  if (typeof json === "string") return json;
  throw new Error(`execute of ${name} returned data that is not JSON.`);
}

async function run(path: string): Promise<void> {
  // Standard output is the protocol.
  console.log = console.error;
  console.info = console.error;
  console.debug = console.error;
  offerEntry();
  const module = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  const tools = Object.values(module).flat().filter(isTool);
  if (tools.length === 0) throw new Error(`${path} exports no tool that defineTool made`);
  serveModule(tools.map(moduleTool), version());
}

await run(process.argv[2] ?? "").catch((error: unknown) => {
  // The last line of standard error is what a person sees if a server does not start.
  console.error(error instanceof Error ? (error.stack ?? "") : "");
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
