import { z } from "zod";
import type { DeclaredRisk } from "./risk.ts";
import type { Tool, ToolContract } from "./tool.ts";

/** The hints of the MCP specification (schema 2026-07-28, ToolAnnotations). Derived, never written by hand. */
export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

export function annotations(tool: ToolContract<never>): Annotations {
  return {
    readOnlyHint: tool.does === "reads",
    destructiveHint: tool.does === "changes" || tool.does === "removes",
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

/** The tools whose every port is configured; the others are not listed and cannot be called. */
export function available<Ports extends object>(
  tools: readonly Tool<Ports>[],
  ports: Partial<Ports>,
): readonly Tool<Ports>[] {
  return tools.filter((tool) => tool.needs.every((need) => ports[need] !== undefined));
}

export function listing(tool: ToolContract<never>): Listing {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    risk: tool.risk,
    inputSchema: jsonSchema(tool.input, "input"),
    outputSchema: jsonSchema(tool.output, "output"),
    annotations: annotations(tool),
  };
}

/**
 * JSON Schema 2020-12 of a tool's input or output. The dialect is MCP's default and need not be named. An output's field
 * descriptions stay in the documentation: in the list they would cost more of the model's context than they give.
 */
function jsonSchema(schema: z.ZodObject, io: "input" | "output"): ObjectSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema: node }) => {
      if (io === "output") {
        delete node.description;
        delete node.pattern;
        delete node.additionalProperties;
      }
      // zod bounds every integer by 2^53; that says nothing a reader needs.
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
    },
  });
  return objectSchema.parse(json);
}
