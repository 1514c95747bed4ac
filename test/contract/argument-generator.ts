import fc from "fast-check";
import { z } from "zod";

/** Texts are no longer than this, which every limit allows that a provider's schema cannot carry. UTF-16 units. */
const longest = 40;
/** Items of a list that says no limit. */
const mostItems = 5;

/** A field in any provider's dialect, brought to one form. */
const node = z
  .object({
    type: z.union([z.string(), z.array(z.string())]),
    enum: z.array(z.string().nullable()).optional(),
    pattern: z.string().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minLength: z.coerce.number().optional(),
    maxLength: z.coerce.number().optional(),
    minItems: z.coerce.number().optional(),
    maxItems: z.coerce.number().optional(),
    items: z.unknown().optional(),
    properties: z.record(z.string(), z.unknown()).optional(),
    required: z.array(z.string()).optional(),
  })
  .transform(({ type, ...rest }) => {
    const types = [type].flat().map((each) => each.toLowerCase());
    return { ...rest, type: types.find((each) => each !== "null")!, nullable: types.length > 1 };
  });
type Node = z.output<typeof node>;

/** Generates values that are valid for a schema of `catalog export`, and uses only what the schema promises. */
export function valuesOf(schema: unknown): fc.Arbitrary<unknown> {
  const read = node.parse(schema);
  const values = own(read);
  return read.nullable ? fc.option(values, { nil: null }) : values;
}

function own(read: Node): fc.Arbitrary<unknown> {
  switch (read.type) {
    case "string":
      return texts(read);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({
        ...(read.minimum !== undefined && { min: read.minimum }),
        ...(read.maximum !== undefined && { max: read.maximum }),
      });
    case "array":
      return fc.array(valuesOf(read.items), {
        minLength: read.minItems ?? 0,
        maxLength: Math.min(read.maxItems ?? mostItems, mostItems),
      });
    case "object": {
      const fields = Object.entries(read.properties ?? {});
      const values = Object.fromEntries(fields.map(([name, field]) => [name, valuesOf(field)]));
      return fc.record(values, { requiredKeys: read.required ?? [] });
    }
    default:
      throw new Error(`There is no generator for the type ${read.type}.`);
  }
}

function texts({ enum: choices, pattern, minLength = 0, maxLength = longest }: Node) {
  const most = Math.min(maxLength, longest);
  if (choices !== undefined) return fc.constantFrom(...choices.filter((choice) => choice !== null));
  const any =
    pattern === undefined
      ? fc.string({ unit: "grapheme", minLength, maxLength: most })
      : fc.stringMatching(new RegExp(pattern, "u"));
  return any.filter((text) => text.length >= minLength && text.length <= most);
}
