import type { Risk } from "../core/policy/risk.ts";
import type { ToolDefinition, ToolSetting } from "../ports/upstream/upstream-server.ts";

/**
 * Returns the setting of the most specific pattern that matches a tool. If several are equally specific, the strictest
 * applies.
 */
export function settingOf(
  name: string,
  tools: Readonly<Record<string, ToolSetting>>,
): ToolSetting | undefined {
  const fitting = Object.entries(tools).filter(([pattern]) => matches(pattern, name));
  fitting.sort(
    ([a, one], [b, other]) => specificity(b) - specificity(a) || order[other] - order[one],
  );
  return fitting[0]?.[1];
}

const order: Record<ToolSetting, number> = { low: 0, medium: 1, high: 2, off: 3 };

/** Returns the precedence of a pattern: an exact name first, then the number of characters besides `*`. */
function specificity(pattern: string): number {
  return pattern.includes("*") ? pattern.replaceAll("*", "").length : Infinity;
}

/**
 * Returns whether a pattern matches. Each part between stars is searched after the previous one, without backtracking.
 */
function matches(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === name;
  const last = rest.pop() ?? "";
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

/**
 * Returns whether the server claims that a tool only reads. The claim does not count beside the opposite one, because
 * one of them is false.
 */
export function claimsToRead({ annotations = {} }: ToolDefinition): boolean {
  return annotations["readOnlyHint"] === true && annotations["destructiveHint"] !== true;
}

/** Returns the risk that the server's annotations suggest. A person confirms it in a review. */
export function proposedRisk(tool: ToolDefinition): Risk {
  if (claimsToRead(tool)) return "low";
  return tool.annotations?.["destructiveHint"] === false ? "medium" : "high";
}
