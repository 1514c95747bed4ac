import { z } from "zod";
import type { DeclaredRisk } from "../policy/risk.ts";
import type { ToolContract } from "./tool.ts";

/** The hints of the MCP specification (schema 2026-07-28, ToolAnnotations). Derived, never written by hand. */
export interface Annotations {
  readOnlyHint: boolean;
  /** This and the next have no meaning for a tool that only reads; there they are left out. */
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

/** One entry of `tools/list`, without any protocol type. */
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
    outputSchema: listedOutput(answerSchema(tool)),
    annotations: annotations(tool),
  };
}

/** A maximum from here on is a size that the server keeps to by itself, and no choice of the caller. */
const sizeLimitFrom = 10_000;

/** JSON Schema 2020-12 of a tool's input or output, with everything that the contract says. */
export function fullSchema(schema: z.ZodObject, io: "input" | "output"): ObjectSchema {
  return objectSchema.parse(z.toJSONSchema(schema, { io }));
}

/**
 * What the list carries of an input: names, types, choices, defaults and descriptions. The limits stay with the parser, whose
 * errors name them; in the list they would cost every conversation more than they give.
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
        // What a reader takes an absent field for anyway: nothing, no, or as much as may be.
        if (node.default === 0 || node.default === false) delete node.default;
        if (node.default === node.maximum) delete node.default;
        // An enum of strings says that it is of strings.
        if (node.enum !== undefined) delete node.type;
      },
    }),
  );
  return listed;
}

/** What every answer has beside a tool's own output: whatever form of it a host hands on, a model gets these. */
const everyAnswer = {
  notices: z.array(z.string()).describe("What to know about this answer"),
  report: z.string().optional().describe("What to tell the user"),
};

/** The structured content of a tool's answers. */
export function answerSchema({ output }: ToolContract<never>): z.ZodObject {
  return output.extend(everyAnswer);
}

/**
 * What the list carries of an output: the names of the fields that every answer has, and `report`. The whole of it is in the
 * documentation: no model needs it before it calls.
 */
function listedOutput(schema: z.ZodObject): ObjectSchema {
  const { required = [] } = fullSchema(schema, "output");
  const properties = Object.fromEntries([...required, "report"].map((name) => [name, {}]));
  return objectSchema.parse({ type: "object", properties });
}
