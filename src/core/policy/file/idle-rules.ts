import { isData } from "../../shared/data.ts";
import type { Rule } from "../rules/rule.ts";
import type { SourcePosition } from "./located-json.ts";
import { type KnownTool, isUpstreamName, noSuchTool } from "./policy-schema.ts";

/**
 * A rule for a tool of an upstream server that approves nothing now: the tool is not reviewed, or has other arguments
 * than the rule. The rest of the policy applies, because removing or reviewing a server must not stop the program.
 */
export interface IdleRule {
  rule: Rule;
  /** Ends the sentence "The rule approves nothing:". */
  reason: string;
  place: SourcePosition;
}

/**
 * Returns the tools that a rule of this file may name. Upstream tools that are not reviewed are among them. The
 * arguments of upstream tools are compared later.
 */
export function ruleTools(
  policy: unknown,
  tools: readonly KnownTool[],
): (Omit<KnownTool, "argumentNames"> & Partial<KnownTool>)[] {
  const rules = isData(policy) && Array.isArray(policy["rules"]) ? policy["rules"] : [];
  const known = new Set(tools.map(({ name }) => name));
  const others = new Set(rules.flatMap((rule: unknown) => upstreamToolOf(rule) ?? []));
  return [
    ...tools.map((tool) => (isUpstreamName(tool.name) ? { name: tool.name } : tool)),
    ...[...others].filter((name) => !known.has(name)).map((name) => ({ name })),
  ];
}

function upstreamToolOf(rule: unknown): string | undefined {
  const tool = isData(rule) ? rule["tool"] : undefined;
  return typeof tool === "string" && isUpstreamName(tool) ? tool : undefined;
}

/** Returns why a rule approves nothing. Undefined if it applies. */
export function reasonForIdleness(
  { tool, when }: Rule,
  tools: readonly KnownTool[],
): string | undefined {
  if (!isUpstreamName(tool)) return undefined;
  const known = tools.find(({ name }) => name === tool);
  if (known === undefined)
    return noSuchTool(
      tool,
      tools.map(({ name }) => name),
    );
  const missing = known.argumentNames.find((name) => !Object.hasOwn(when, name));
  if (missing !== undefined)
    return `when.${missing} has no condition; write "any" if its value does not matter`;
  const unknown = Object.keys(when).find((name) => !known.argumentNames.includes(name));
  return unknown === undefined
    ? undefined
    : `when: the tool ${tool} has no argument ${JSON.stringify(unknown.slice(0, 80))}`;
}
