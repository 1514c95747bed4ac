import { z } from "zod";
import { fullSchema } from "../../core/tool/catalog.ts";
import type { ToolContract } from "../../core/tool/tool.ts";

/** The part of a JSON Schema that a table of fields shows. */
const node = z.object({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  maximum: z.number().optional(),
});

type Node = z.infer<typeof node>;

/** Formats the table of tools: every field of the contract, and whether the tool is implemented. */
export function toolsTable(
  contracts: readonly ToolContract<never>[],
  listed: readonly string[],
): string {
  return [
    "| tool | risk | input | output |",
    "|---|---|---|---|",
    ...contracts.map(
      (tool) =>
        `| \`${tool.name}\`${listed.includes(tool.name) ? "" : " (not implemented)"} | ${tool.risk} | ` +
        `${fields(tool.input, "input")} | ${fields(tool.output, "output")} |`,
    ),
  ].join("\n");
}

function fields(schema: z.ZodObject, io: "input" | "output"): string {
  const { properties = {}, required = [] } = node.parse(fullSchema(schema, io));
  return Object.entries(properties)
    .map(([name, value]) => {
      const field = node.parse(value);
      return `\`${named(name, required)}${inside(field)}\`${io === "input" ? limits(field) : ""}`;
    })
    .join(", ");
}

const named = (name: string, required: string[]): string =>
  required.includes(name) ? name : `${name}?`;

/** Returns the structure of a field with more than one value: `[]`, `{a, b?}`, `[{a, b?}]`. */
function inside(field: Node): string {
  if (field.items !== undefined) return `[${inside(node.parse(field.items))}]`;
  const object = [field, ...(field.anyOf ?? []).map((option) => node.parse(option))].find(
    ({ properties }) => properties !== undefined,
  );
  if (!object?.properties) return "";
  const inner = Object.entries(object.properties).map(
    ([name, value]) => named(name, object.required ?? []) + inside(node.parse(value)),
  );
  return `{${inner.join(", ")}}`;
}

function limits({ default: initial, maximum, enum: choices }: Node): string {
  const facts = [
    ...(choices === undefined ? [] : [choices.map(String).join(" or ")]),
    ...(initial === undefined ? [] : [`default ${JSON.stringify(initial)}`]),
    // zod bounds every integer by 2^53, which is not worth a mention.
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [] : [`max ${maximum}`]),
  ];
  return facts.length === 0 ? "" : ` (${facts.join(", ")})`;
}
