import { z } from "zod";
import type { ToolDefinition } from "../ports/upstream/upstream-server.ts";
import { isDeeper } from "../core/shared/data.ts";

/** Longest definition as JSON. No tool that was seen is that long. Characters. */
const maxCharacters = 200_000;
/** Deepest nesting of objects and arrays. */
const maxDepth = 40;

const data = z.record(z.string(), z.unknown());
const listed = z.object({
  // Excludes names that every object inherits, such as `constructor`, because a lookup would always find them.
  name: z.string().refine((name) => /^[\w./ :-]{1,128}$/.test(name) && !(name in {})),
  title: z.string().nullish(),
  description: z.string().nullish(),
  inputSchema: data,
  outputSchema: data.nullish(),
  annotations: data.nullish(),
  execution: z.unknown().optional(),
});
const taskOnly = z.looseObject({ taskSupport: z.literal("required") });

/**
 * Returns a listed tool with only the fields of its definition. Undefined if it cannot be used: its name is invalid, it
 * only runs as a task (2025-11-25), or its definition is too large, too deep or refers to another document.
 */
export function usableTool(value: unknown): ToolDefinition | undefined {
  if (isDeeper(value, maxDepth)) return undefined;
  const read = listed.safeParse(value);
  if (!read.success || taskOnly.safeParse(read.data.execution).success) return undefined;
  const { name, title, description, inputSchema, outputSchema, annotations } = read.data;
  const tool: ToolDefinition = {
    name,
    ...(typeof title === "string" && { title }),
    ...(typeof description === "string" && { description }),
    inputSchema,
    ...(outputSchema !== undefined && outputSchema !== null && { outputSchema }),
    ...(annotations !== undefined && annotations !== null && { annotations }),
  };
  const text = JSON.stringify(tool);
  if (text.length > maxCharacters || !text.isWellFormed()) return undefined;
  if (/\\ud[89a-f]/i.test(text) || refersElsewhere(inputSchema) || refersElsewhere(outputSchema))
    return undefined;
  return tool;
}

/**
 * Returns true for a schema with a reference to another document: a network address, a file, or another schema's name.
 */
function refersElsewhere(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, part]) =>
    /^\$(?:ref|dynamicRef|recursiveRef)$/.test(key) && typeof part === "string"
      ? !part.startsWith("#")
      : refersElsewhere(part),
  );
}
