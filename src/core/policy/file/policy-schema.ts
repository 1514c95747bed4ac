import { z } from "zod";
import { flowSettings } from "../../flow/setting.ts";
import { condition } from "../rules/condition.ts";
import { nearestName } from "../../shared/text/nearest-name.ts";
import { isData } from "../../shared/data.ts";

/** A tool that a policy may name, with its arguments. */
export interface KnownTool {
  name: string;
  argumentNames: readonly string[];
}

/** Undefined arguments are not compared by the schema. */
type SchemaTool = Omit<KnownTool, "argumentNames"> & Partial<KnownTool>;

/** Longest life of a rule, in days. A person should review it at least once a year. */
export const longestRuleDays = 366;
const mostRules = 500;
const mostUses = 1_000;

const name = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,64}$/, { error: "must be a name of letters, digits and . _ -" });
const ruleId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, {
  error: "must be 1 to 40 lowercase letters, digits and hyphens",
});
const channelSetting = z.enum(["all", "additive", "never"]);

const upstreamName = /^[A-Za-z0-9_-]+__[A-Za-z0-9_-]+$/;

/** Returns whether a name has the form of upstream tools. */
export function isUpstreamName(tool: string): boolean {
  return upstreamName.test(tool);
}

/** Returns the schema of the policy file. It is strict throughout, so that a misspelt field is an error. */
export function policySchema(tools: readonly SchemaTool[]) {
  const names = tools.map((tool) => tool.name);
  // A tool of an upstream server may be named before it is reviewed and after it is gone.
  const toolName = z.union(
    [
      z.enum(names),
      z.string().regex(upstreamName, {
        error: ({ input }) => noSuchTool(String(input), names),
      }),
    ],
    { error: "must be the name of a tool" },
  );
  const section = {
    allow: z.array(toolName).optional().describe("Only these tools; every other one is denied"),
    deny: z.array(toolName).optional().describe("Tools that are neither listed nor callable"),
    riskFloors: z
      .partialRecord(toolName, z.enum(["low", "medium", "high"]))
      .optional()
      .describe("The minimum risk of a tool's calls"),
    flow: z
      .partialRecord(toolName, z.enum(flowSettings))
      .optional()
      .describe("When a person is asked about text that a tool sends to a third party"),
    channels: z
      .strictObject({
        elicitation: channelSetting.optional().describe("The dialog of the client program"),
        page: channelSetting.optional().describe("The approval page"),
        telegram: channelSetting.optional().describe("Telegram"),
        terminal: channelSetting.optional().describe("The command approvals"),
      })
      .optional()
      .describe("What each channel may decide: all, additive (only tools that add) or never"),
  };
  const rules = tools.map((tool) =>
    z.strictObject({
      id: ruleId.describe("Its name in records, policy list and policy revoke"),
      tool: z.literal(tool.name),
      principals: z
        .union([z.literal("any"), z.array(name).min(1)], {
          error: 'must be "any" or a list of the names of callers',
        })
        .describe("Whose calls"),
      when: conditionsOn(tool.argumentNames).describe(
        "A condition for every argument; `any` if its value does not matter",
      ),
      expires: z.iso
        .datetime({
          offset: true,
          error: "must be a time with an offset, like 2026-12-01T00:00:00Z",
        })
        .describe(`When it ends, at most ${longestRuleDays} days from now`),
      uses: z.int().min(1).max(mostUses).describe("How often it approves, in all"),
    }),
  );
  const [first, ...others] = rules;
  if (first === undefined) throw new TypeError("A policy needs at least one known tool.");
  return z.strictObject({
    $schema: z.string().optional().describe("The address of this schema, for editors"),
    ...section,
    principals: z
      .record(name, z.strictObject(section))
      .optional()
      .describe("By the name of the caller; each only narrows"),
    clients: z
      .record(z.string().min(1).max(64), z.strictObject(section))
      .optional()
      .describe("By the name that a client program chooses; each only narrows"),
    rules: z
      .array(
        z.discriminatedUnion("tool", [first, ...others], {
          error: ({ input }) =>
            isData(input) ? noSuchTool(toolOf(input), names) : "must be an object",
        }),
      )
      .max(mostRules)
      .optional()
      .describe("Calls that run without approval"),
  });
}

function conditionsOn(argumentNames: readonly string[] | undefined) {
  return argumentNames === undefined
    ? z.record(z.string(), condition)
    : z.strictObject(Object.fromEntries(argumentNames.map((each) => [each, condition])));
}

export function noSuchTool(tool: string, known: readonly string[]): string {
  const near = nearestName(tool, known);
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  return `there is no tool ${JSON.stringify(tool.slice(0, 80))}${meant}`;
}

/** Returns the tool that a rule names, which no schema has checked. */
function toolOf(rule: object): string {
  return "tool" in rule ? String(rule.tool) : "";
}

/**
 * Returns the schema as JSON Schema for editors, which a policy file names in `$schema`. Only `policy check` finds
 * faults that JSON Schema cannot express.
 */
export function policyJsonSchema(tools: readonly KnownTool[]): object {
  const schema = z.toJSONSchema(policySchema(tools), { io: "input", reused: "ref" });
  return { title: "Countersign policy file", ...schema };
}
