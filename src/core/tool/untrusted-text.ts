import { z } from "zod";
import { likelyTokens } from "../shared/tokens.ts";
import { isData } from "../shared/data.ts";

/** The author of a field's text. Fields without a mark count as untrusted, and a contract test refuses them. */
interface Mark {
  by: "us" | "others" | "tool";
  /** Returns true for a value whose form cannot contain a message. */
  unless?: (text: string) => boolean;
  /** The neighbouring field that contains the name of the tool whose output this is. */
  named?: string;
  /** True for values that no result contains. */
  internal?: true;
}

const marks = z.registry<Mark>();

/** A cache, because the registry builds a new object at each look-up. A schema's mark never changes. */
const knownMarks = new WeakMap<z.core.$ZodType, Mark | typeof unmarked>();
const unmarked = Symbol("unmarked");

function markOf(schema: z.core.$ZodType): Mark | undefined {
  let mark = knownMarks.get(schema);
  if (mark === undefined) knownMarks.set(schema, (mark = marks.get(schema) ?? unmarked));
  return mark === unmarked ? undefined : mark;
}

/** Marks a text that we generated or validated, such as an id, a date or our own sentence. It gets no markers. */
export function ours<T extends z.ZodString>(schema: T): T {
  marks.add(schema, { by: "us" });
  return schema;
}

/**
 * Marks a text that others wrote. It reaches a model between markers.
 * @param unless returns true if the value's form rules out a message, as for a known media type. Such a value gets no
 * markers
 */
export function untrustedText<T extends z.ZodString>(
  schema: T,
  unless?: (text: string) => boolean,
): T {
  marks.add(schema, { by: "others", ...(unless && { unless }) });
  return schema;
}

/** Marks a field of an output that only the tool itself needs. Schemas and structured content omit it. */
export function internal<T extends z.ZodArray | z.ZodString>(schema: T): T {
  marks.add(schema, { by: "us", internal: true });
  return schema;
}

/** Returns whether a field is for the tool itself only. */
export function isInternal(schema: z.core.$ZodType): boolean {
  const field = bare(schema);
  return field !== undefined && markOf(field)?.internal === true;
}

/** Marks the stored output of another tool. The neighbouring field `named` contains that tool's name. */
export function outputOfTool<T extends z.ZodRecord>(schema: T, named: string): T {
  marks.add(schema, { by: "tool", named });
  return schema;
}

/** Puts a text between markers. */
export type Fence = (text: string) => string;

/** Finds the output schema of a tool by its name. */
export type OutputOf = (tool: string) => z.ZodObject | undefined;

/** Returns the markers around one field. Untrusted text cannot forge them, because they contain a random id. */
export function fieldFence(id: string): Fence {
  return (text) => `[untrusted ${id}] ${text} [end of untrusted ${id}]`;
}

type Schema = z.core.$ZodType | undefined;

/** Returns an output without internal fields and with each untrusted text between markers. */
export function fenceUntrusted(
  schema: z.ZodObject | undefined,
  output: Readonly<Record<string, unknown>>,
  fence: Fence,
  outputOf: OutputOf = () => undefined,
): Record<string, unknown> {
  const walk = (at: Schema, value: unknown): unknown => {
    if (typeof value === "string")
      return value !== "" && isUntrusted(at, value) ? fence(value) : value;
    if (Array.isArray(value)) return value.map((each) => walk(elementOf(at), each));
    return isData(value) ? fields(at, value) : value;
  };
  const fields = (
    at: Schema,
    value: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> => {
    // Written as a loop, because this runs for each result, and lists of pairs would be most of its cost.
    const fenced: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      const inner = fieldOf(at, name);
      const mark = inner && markOf(inner);
      if (mark?.internal === true) continue;
      const of = mark?.named === undefined ? inner : outputOf(String(value[mark.named]));
      const field = walk(of, value[name]);
      // An assignment to a field of this name would set the prototype.
      if (name === "__proto__") Object.defineProperty(fenced, name, ownField(field));
      else fenced[name] = field;
    }
    return fenced;
  };
  return fields(schema, output);
}

/** Returns an output without internal fields. */
export function withoutInternal(
  schema: z.ZodObject,
  output: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return fenceUntrusted(schema, output, (text) => text);
}

function ownField(value: unknown): PropertyDescriptor {
  return { value, writable: true, enumerable: true, configurable: true };
}

/** Returns the paths of the text fields without a mark. */
export function unmarkedFields(schema: z.core.$ZodType, path = ""): string[] {
  const at = bare(schema);
  if (at === undefined || markOf(at) !== undefined) return [];
  if (hasFields(at)) {
    return Object.entries(at.shape).flatMap(([name, field]) =>
      unmarkedFields(field, path === "" ? name : `${path}.${name}`),
    );
  }
  if (at instanceof z.ZodArray) return unmarkedFields(at.element, `${path}[]`);
  const isWordless =
    at instanceof z.ZodEnum ||
    at instanceof z.ZodLiteral ||
    at instanceof z.ZodNumber ||
    at instanceof z.ZodBoolean;
  return isWordless ? [] : [path];
}

/** A sample whose id has the usual length. */
const sampleFence = fieldFence("abc123");

/** Estimated tokens of the markers around one field. */
export const fenceTokens = likelyTokens(sampleFence(""));

/** Estimates the tokens of an item as structured content, markers included. */
export function structuredTokens(
  schema: z.ZodObject,
  item: Readonly<Record<string, unknown>>,
): number {
  return likelyTokens(JSON.stringify(fenceUntrusted(schema, item, sampleFence)));
}

function isUntrusted(schema: Schema, text: string): boolean {
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral) return false;
  const mark = schema && markOf(schema);
  if (mark?.by === "us") return false;
  return mark?.unless?.(text) !== true;
}

function hasFields(schema: Schema): schema is z.ZodObject<Record<string, z.core.$ZodType>> {
  return schema instanceof z.ZodObject;
}

function fieldOf(schema: Schema, name: string): Schema {
  return hasFields(schema) ? bare(schema.shape[name]) : undefined;
}

function elementOf(schema: Schema): Schema {
  return schema instanceof z.ZodArray ? bare(schema.element) : undefined;
}

function bare(schema: Schema): Schema {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? bare(schema.unwrap())
    : schema;
}
