import { z } from "zod";
import { fullSchema } from "../core/tool/catalog.ts";
import type { ToolContract } from "../core/tool/tool.ts";

/** The keywords in the catalog's inputs. */
export interface SchemaNode {
  $schema?: string;
  type: "object" | "array" | "string" | "integer" | "number" | "boolean";
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  enum?: string[];
  default?: string | number | boolean;
  required?: string[];
  additionalProperties?: false;
  items?: SchemaNode;
  properties?: Record<string, SchemaNode>;
}

/** Strict, so that a new keyword must be considered in each export. */
const schemaNode: z.ZodType<SchemaNode> = z.lazy(() =>
  z.strictObject({
    $schema: z.string().exactOptional(),
    type: z.enum(["object", "array", "string", "integer", "number", "boolean"]),
    description: z.string().exactOptional(),
    minimum: z.number().exactOptional(),
    maximum: z.number().exactOptional(),
    minLength: z.int().exactOptional(),
    maxLength: z.int().exactOptional(),
    pattern: z.string().exactOptional(),
    minItems: z.int().exactOptional(),
    maxItems: z.int().exactOptional(),
    enum: z.array(z.string()).exactOptional(),
    default: z.union([z.string(), z.number(), z.boolean()]).exactOptional(),
    required: z.array(z.string()).exactOptional(),
    additionalProperties: z.literal(false).exactOptional(),
    items: schemaNode.exactOptional(),
    properties: z.record(z.string(), schemaNode).exactOptional(),
  }),
);

/**
 * Parses a schema.
 * @throws if it uses a keyword that the exports do not support
 */
export function readSchema(schema: unknown): SchemaNode {
  return withoutEmptyBounds(schemaNode.parse(schema));
}

/** A cache of schemas, because a conversion takes longer than reading a call. */
const inputs = new WeakMap<ToolContract<never>["input"], SchemaNode>();

/** Returns the schema of a tool's arguments. Every caller gets the same object. */
export function inputOf({ input }: ToolContract<never>): Readonly<SchemaNode> {
  const known = inputs.get(input);
  if (known !== undefined) return known;
  const read = readSchema(fullSchema(input, "input"));
  inputs.set(input, read);
  return read;
}

/** Removes zod's bound of 2^53 on integers, because it carries no information and breaks some providers. */
function withoutEmptyBounds({ $schema: _dialect, ...node }: SchemaNode): SchemaNode {
  const { minimum, maximum, ...rest } = mapChildren(node, withoutEmptyBounds);
  return {
    ...rest,
    ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

/** Returns the node with every child schema replaced. */
export function mapChildren(
  node: SchemaNode,
  change: (child: SchemaNode, name?: string) => SchemaNode,
): SchemaNode {
  const { properties, items } = node;
  return {
    ...node,
    ...(items !== undefined && { items: change(items) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, child]) => [name, change(child, name)]),
      ),
    }),
  };
}

/** Describes the limits that a provider's schema cannot express, for the description. */
export function describeLimits(node: SchemaNode, keywords: readonly (keyof SchemaNode)[]): string {
  const limits = keywords.flatMap((keyword) => {
    const value = node[keyword];
    const say = words[keyword];
    return value === undefined || say === undefined ? [] : [say(JSON.stringify(value))];
  });
  return [node.description ?? "", ...limits].filter((part) => part !== "").join("; ");
}

const words: Partial<Record<keyof SchemaNode, (value: string) => string>> = {
  minimum: (value) => `at least ${value}`,
  maximum: (value) => `at most ${value}`,
  minLength: (value) => (value === "1" ? "not empty" : `at least ${value} characters`),
  maxLength: (value) => `at most ${value} characters`,
  maxItems: (value) => `at most ${value} of them`,
  default: (value) => `default ${value}`,
};
