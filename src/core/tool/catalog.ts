import { z } from "zod";
import type { DeclaredRisk } from "../policy/risk.ts";
import { isInternal } from "./untrusted-text.ts";
import type { ToolContract } from "./tool.ts";

/** The hints of the MCP specification (schema 2026-07-28, ToolAnnotations), derived from a tool's operation. */
export interface Annotations {
  readOnlyHint: boolean;
  /** Omitted for tools that only read, like `idempotentHint`: both concern changes. */
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint: boolean;
}

function annotations(tool: ToolContract<never>): Annotations {
  if (tool.operation === "reads") return { readOnlyHint: true, openWorldHint: tool.openWorld };
  return {
    readOnlyHint: false,
    destructiveHint: tool.operation !== "adds",
    idempotentHint: tool.idempotent,
    openWorldHint: tool.openWorld,
  };
}

const objectSchema = z.looseObject({
  type: z.literal("object"),
  properties: z.record(z.string(), z.json()),
  required: z.array(z.string()).optional(),
});

/** A JSON Schema whose root is an object, as every tool's input and output is. */
export type ObjectSchema = z.output<typeof objectSchema>;

/** The end of a high-risk tool's description, for clients that drop the server's instructions. */
export const repeatOnceApproved = "The user is asked; repeat the call once approved.";

/** One entry of `tools/list`, without protocol types. */
export interface Listing {
  name: string;
  title: string;
  description: string;
  risk: DeclaredRisk;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: Annotations;
}

export function listing(tool: ToolContract<never>): Listing {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    risk: tool.risk,
    inputSchema: listedInput(tool.input),
    outputSchema: listedOutput(resultSchema(tool)),
    annotations: annotations(tool),
  };
}

/** A maximum from this value on is the server's size limit, not a range from which the caller chooses. */
const sizeLimitFrom = 10_000;

/** Returns the names of the fields that a schema shows. */
export function shownFields({ shape }: z.ZodObject): string[] {
  return Object.entries<z.core.$ZodType>(shape).flatMap(([name, field]) =>
    isInternal(field) ? [] : [name],
  );
}

/** Returns the JSON Schema 2020-12 of a tool's input or output with the whole contract. */
export function fullSchema(schema: z.ZodObject, io: "input" | "output"): ObjectSchema {
  return objectSchema.parse(
    z.toJSONSchema(schema, {
      io,
      override: ({ zodSchema, jsonSchema: { properties } }) => {
        if (!(zodSchema instanceof z.ZodObject) || properties === undefined) return;
        const shown = shownFields(zodSchema);
        for (const name of Object.keys(properties))
          if (!shown.includes(name)) delete properties[name];
      },
    }),
  );
}

/**
 * Returns the listed part of an input schema: names, types, choices, defaults and descriptions. Limits are omitted to
 * save tokens, because the parser's errors name them.
 */
function listedInput(schema: z.ZodObject): ObjectSchema {
  const { $schema: _dialect, ...listed } = objectSchema.parse(
    z.toJSONSchema(schema, {
      io: "input",
      override: ({ jsonSchema: node }) => {
        delete node.minLength;
        delete node.maxLength;
        delete node.pattern;
        delete node.minimum;
        delete node.exclusiveMinimum;
        delete node.maxItems;
        if (node.maximum !== undefined && node.maximum >= sizeLimitFrom) delete node.maximum;
        // Defaults that a reader assumes for an absent field: none, false, or the maximum.
        if (node.default === 0 || node.default === false) delete node.default;
        if (node.default === node.maximum) delete node.default;
        // The values of an enum already show its type.
        if (node.enum !== undefined) delete node.type;
      },
    }),
  );
  return listed;
}

/** The fields of every result besides a tool's own output. Both forms of the result contain them. */
const everyResult = {
  notices: z.array(z.string()).describe("What to know about this result"),
  report: z.string().optional().describe("What to tell the user"),
};

/** Returns the schema of a tool's structured content. */
export function resultSchema({ output }: ToolContract<never>): z.ZodObject {
  return output.extend(everyResult);
}

/**
 * Returns the listed part of an output schema: the fields of every result, and `report`. The documentation has the
 * rest, which a model does not need before a call.
 */
function listedOutput(schema: z.ZodObject): ObjectSchema {
  const { required = [] } = fullSchema(schema, "output");
  const properties = Object.fromEntries([...required, "report"].map((name) => [name, {}]));
  return objectSchema.parse({ type: "object", properties });
}
