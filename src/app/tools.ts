/** The result of a schema's check, as in Standard Schema 1. */
type SchemaResult<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/** A schema with its JSON Schema: Standard Schema 1 and Standard JSON Schema 1. Schemas of zod 4.2 and later are. */
export interface ToolSchema<Value> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Value> | Promise<SchemaResult<Value>>;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
      readonly output: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}

/** A JSON Schema of an object (draft-07 or 2020-12). */
export type ToolJsonSchema = Readonly<Record<string, unknown>>;

export interface ToolRun {
  /** Aborts when the client cancels the call. A call continues if the client only disconnects. */
  readonly signal: AbortSignal;
  /** Reports how much is done. */
  readonly progress: (done: number, total?: number) => void;
}

/** The result of a call: a text, or data for a model and a program. Without `text` the data is the text. */
export type ToolResult = string | { readonly text?: string; readonly data: object };

interface ToolText {
  /** At most 128 letters, digits, `_`, `-`, `.`, `/`, `:` and spaces. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /**
   * The proposed risk, which a person confirms: `low` for a tool that only reads, `medium` for one that only adds, and
   * `high` for any other. Default: `high`.
   */
  readonly risk?: "low" | "medium" | "high";
  /** The schema of `data`. Data without a schema is passed as text. */
  readonly output?: ToolSchema<unknown> | ToolJsonSchema;
}

/** A tool whose arguments have the type of a schema. */
export interface TypedToolSpec<Args> extends ToolText {
  readonly input: ToolSchema<Args>;
  execute(args: Args, run: ToolRun): ToolResult | Promise<ToolResult>;
}

/** A tool with a JSON Schema, whose arguments are checked before each call. The default has no arguments. */
export interface PlainToolSpec extends ToolText {
  readonly input?: ToolJsonSchema;
  execute(args: Readonly<Record<string, unknown>>, run: ToolRun): ToolResult | Promise<ToolResult>;
}

/** Marks the values that `defineTool` made, in every version of this package. */
const mark = Symbol.for("countersign.tool.1");

/** A tool of a local module. Export it to offer it. */
export interface LocalTool {
  readonly name: string;
}

/** Defines a tool of a local module, which `servers.json` names as `"module": "./my-tools.js"`. */
export function defineTool<Args>(spec: TypedToolSpec<Args>): LocalTool;
export function defineTool(spec: PlainToolSpec): LocalTool;
export function defineTool(spec: ToolText): LocalTool {
  return Object.assign({ ...spec }, { [mark]: true });
}
