import { z } from "zod";
import {
  type Listing,
  type ObjectSchema,
  resultSchema,
  fullSchema,
  listing,
} from "../core/tool/catalog.ts";
import { canonicalJson, sha256Hex } from "../core/shared/digest.ts";
import type { Documentation } from "../core/tool/documentation.ts";
import type { OperationKind, ToolContract } from "../core/tool/tool.ts";
import { documentationPage } from "./page.ts";

/** All data about one tool. */
export interface RegistryTool {
  name: string;
  title: string;
  risk: Listing["risk"];
  operation: OperationKind;
  /** Whether the tool retrieves data or acts. */
  category: "retrieval" | "action";
  /** True if an unknown field is refused. */
  strict: boolean;
  needs: readonly string[];
  /** At most two lines. */
  summary: string;
  /** The full page in Markdown, with the sections of page.ts. */
  documentation: string;
  /** JSON Schema 2020-12 of the arguments and of the result, complete. */
  input: ObjectSchema;
  output: ObjectSchema;
  /** The shortened form for `tools/list`. */
  listing: Listing;
}

/** The content of `dist/tool-registry.json`. */
export interface Registry {
  /** SHA-256 over the canonical JSON of `tools`. Equal content has an equal version in every build. */
  version: string;
  /** Excluded from the version. */
  builtFrom: { commit?: string; at: string };
  tools: readonly RegistryTool[];
}

export function buildRegistry(
  contracts: readonly ToolContract<never>[],
  documentation: Readonly<Record<string, Documentation>>,
  builtFrom: Registry["builtFrom"],
): Registry {
  const tools = contracts.map((tool) => entry(tool, documentation[tool.name]));
  return { version: registryVersion(tools), builtFrom, tools };
}

export function registryVersion(tools: readonly RegistryTool[]): string {
  return sha256Hex(canonicalJson(tools));
}

function entry(tool: ToolContract<never>, written: Documentation | undefined): RegistryTool {
  if (written === undefined) throw new Error(`${tool.name} has no documentation.`);
  const input = fullSchema(tool.input, "input");
  return {
    name: tool.name,
    title: tool.title,
    risk: tool.risk,
    operation: tool.operation,
    category: tool.operation === "reads" ? "retrieval" : "action",
    strict: input["additionalProperties"] === false,
    needs: tool.needs,
    summary: tool.description,
    documentation: documentationPage(tool, written),
    input,
    output: fullSchema(resultSchema(tool), "output"),
    listing: listing(tool),
  };
}

const text = z.string().min(1);
const risk = z.enum(["low", "medium", "high", "dynamic"]);
const objectSchema = z.looseObject({ type: z.literal("object") });

/** The form of the file. The build checks its output against the JSON Schema of this. */
export const registrySchema = z.strictObject({
  version: z.string().regex(/^[0-9a-f]{64}$/),
  builtFrom: z.strictObject({
    commit: z
      .string()
      .regex(/^[0-9a-f]{40}$/)
      .optional(),
    at: z.iso.datetime(),
  }),
  tools: z.array(
    z.strictObject({
      name: z.string().regex(/^[a-z][a-z_]{2,39}$/),
      title: text,
      risk,
      operation: z.enum(["reads", "adds", "changes", "removes"]),
      category: z.enum(["retrieval", "action"]),
      strict: z.boolean(),
      needs: z.array(text),
      summary: z.string().regex(/^[^\n]+(?:\n[^\n]+)?$/),
      documentation: z
        .string()
        .regex(
          /^# [\s\S]+## Risk\n[\s\S]+## Use\n[\s\S]+## Input\n[\s\S]+## Output\n[\s\S]+## Errors\n[\s\S]+## Examples\n/,
        ),
      input: objectSchema,
      output: objectSchema,
      listing: z.strictObject({
        name: text,
        title: text,
        description: text,
        risk,
        inputSchema: objectSchema,
        outputSchema: objectSchema,
        annotations: z.record(z.string(), z.boolean()),
      }),
    }),
  ),
});
