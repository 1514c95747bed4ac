import { z } from "zod";
import { resultSchema, fullSchema } from "../core/tool/catalog.ts";
import type { Documentation } from "../core/tool/documentation.ts";
import type { DeclaredRisk } from "../core/policy/risk.ts";
import type { ToolContract } from "../core/tool/tool.ts";

/** The headings of every page, in order. */
export const pageSections = ["Risk", "Use", "Input", "Output", "Errors", "Examples"] as const;

const risks: Record<DeclaredRisk, string> = {
  low: "low: it runs immediately.",
  medium: "medium: it runs immediately. The result ends with `Tell the user: ...`. Tell the user.",
  high: "high: it runs only after the user approves this exact call. Until then the call ends with `approval_required` and nothing was done. Call again with the same arguments, or check the request with `check_approval`.",
  dynamic:
    "dynamic: it depends on the data that the call would show. Data that needs approval is left out until the user approves this exact call.",
};

const common: Readonly<Record<string, string>> = {
  invalid_input:
    "An argument is missing, unknown or malformed. The message names each one. Correct them.",
  timeout: "It took too long. The message says whether the call may have had an effect.",
  budget_exceeded: "Too many calls. Wait for the time that the error names.",
};

const ofRisk: Readonly<Record<string, string>> = {
  approval_required:
    "The user has not decided yet. Tell the user about the request and continue later.",
  denied:
    "The user denied the call. Unless the error says otherwise, do not ask again. Never work around a denial.",
  forbidden: "The user's policy forbids the call.",
};

const node = z.object({
  type: z.string().optional(),
  description: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  maxItems: z.number().optional(),
});

/** Writes a tool's page in Markdown, generated from its contract around the handwritten part. */
export function documentationPage(tool: ToolContract<never>, written: Documentation): string {
  const errors = { ...common, ...(asks(tool) && ofRisk), ...written.errors };
  const sections: Record<(typeof pageSections)[number], readonly string[]> = {
    Risk: [risks[tool.risk]],
    Use: written.notes,
    Input: [fieldList(fullSchema(tool.input, "input"), "It takes nothing.")],
    Output: [fieldList(fullSchema(resultSchema(tool), "output"), "It returns nothing.")],
    Errors: [
      Object.entries(errors)
        .map(([kind, meaning]) => `- \`${kind}\`: ${meaning}`)
        .join("\n"),
    ],
    Examples: written.examples.map(
      (example) =>
        `"${example.asks}"\n\n\`\`\`json\n${JSON.stringify(example.arguments, undefined, 2)}\n\`\`\``,
    ),
  };
  return [
    `# ${tool.name}`,
    tool.description,
    ...pageSections.flatMap((section) => [`## ${section}`, ...sections[section]]),
    "",
  ].join("\n\n");
}

function asks({ risk }: ToolContract<never>): boolean {
  return risk === "high" || risk === "dynamic";
}

function fieldList(schema: unknown, none: string): string {
  return lines(schema, "").join("\n") || none;
}

/** Lists one line per field, with the fields of objects and list items below. */
function lines(schema: unknown, indent: string): string[] {
  const { properties = {}, required = [], items } = node.parse(schema);
  const own = Object.entries(properties).flatMap(([name, value]) => {
    const field = node.parse(value);
    const facts = [kind(field), ...(required.includes(name) ? [] : ["optional"]), ...limits(field)];
    const line = `${indent}- \`${name}\` (${facts.join(", ")}): ${field.description ?? ""}`;
    return [line, ...lines(value, `${indent}  `)];
  });
  return items === undefined ? own : [...own, ...lines(items, indent)];
}

type Node = z.output<typeof node>;

function kind({ type, enum: choices, const: only, items }: Node): string {
  if (only !== undefined) return JSON.stringify(only);
  if (choices !== undefined) return choices.map((choice) => JSON.stringify(choice)).join(" or ");
  return items === undefined ? (type ?? "any") : `list of ${kind(node.parse(items))}`;
}

function limits({ default: initial, minimum, maximum, maxLength, maxItems }: Node): string[] {
  return [
    ...(initial === undefined ? [] : [`default ${JSON.stringify(initial)}`]),
    // zod bounds every integer by 2^53, which carries no information.
    ...(isChosen(minimum) ? [`at least ${minimum}`] : []),
    ...(isChosen(maximum) ? [`at most ${maximum}`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} of them`]),
  ];
}

function isChosen(bound: number | undefined): boolean {
  return bound !== undefined && Math.abs(bound) !== Number.MAX_SAFE_INTEGER;
}
