import { canonicalJson } from "../../shared/digest.ts";
import type { ArgumentMatcher, ArgumentMatchers } from "./condition.ts";
import { compileRule } from "./rule.ts";

/** How long decisions are remembered, without long texts. Days. */
export const historyDays = 30;

/** Fewest similar approvals for a suggestion. Two may be chance. */
const fewestApprovals = 3;
/** A suggested rule lasts for one week. Milliseconds. */
const lastsMs = 7 * 86_400_000;
const mostUses = 50;

/** A person's decision about one request. A text too long to be stored is replaced by an object. */
export interface PastDecision {
  principal: string;
  tool: string;
  args: Readonly<Record<string, unknown>>;
  verdict: "approve" | "deny";
  channel: string;
}

export interface Suggestion {
  /** The rule as the policy file would contain it. */
  rule: {
    id: string;
    tool: string;
    principals: readonly string[];
    when: ArgumentMatchers;
    expires: string;
    uses: number;
  };
  /** Remembered decisions that the rule would have approved. */
  wouldHaveApproved: number;
}

/** Returns true for an approval in a client's dialog, which does not prove what the person wants. */
export function isClientsClaim({ verdict, channel }: PastDecision): boolean {
  return verdict === "approve" && channel === "elicitation";
}

/**
 * Suggests the narrowest rules that would each have covered at least three approvals and not one denial. An approval in
 * a client's dialog does not count, because it is the client program's claim. A denial there does.
 */
export function suggestRules(
  decisions: readonly PastDecision[],
  argumentNames: (tool: string) => readonly string[] | undefined,
  now: Date,
): readonly Suggestion[] {
  const approvals = decisions.filter((past) => past.verdict === "approve" && !isClientsClaim(past));
  const suggestions: Suggestion[] = [];
  for (const [index, group] of [...alike(approvals).values()].entries()) {
    const [{ tool, principal } = { tool: "", principal: "" }] = group;
    const names = argumentNames(tool);
    if (group.length < fewestApprovals || names === undefined) continue;
    const when: Record<string, ArgumentMatcher> = {};
    for (const name of names) {
      const found = narrowest(group.map(({ args }) => args[name]));
      if (found !== undefined) when[name] = found;
    }
    // A rule needs a condition for every argument. Dates get none, because a rule about past dates would match no
    // future call.
    if (Object.keys(when).length < names.length) continue;
    const expiresAt = new Date(now.getTime() + lastsMs);
    const uses = Math.min(group.length, mostUses);
    const id = `${tool.replaceAll("_", "-")}-${index + 1}`;
    const rule = { tool, principals: [principal], when };
    const tried = compileRule({ ...rule, ruleId: id, expiresAt, uses, source: "file" });
    const covered = decisions.filter((past) => past.tool === tool && tried.covers(past));
    if (covered.some(({ verdict }) => verdict === "deny")) continue;
    suggestions.push({
      rule: { id, ...rule, expires: expiresAt.toISOString(), uses },
      wouldHaveApproved: covered.length,
    });
  }
  return suggestions;
}

/** Groups approvals by caller, tool and folder, or by target if it has no folder. */
function alike(approvals: readonly PastDecision[]): ReadonlyMap<string, PastDecision[]> {
  const groups = new Map<string, PastDecision[]>();
  for (const approval of approvals) {
    const { key, eventId } = approval.args;
    const where = typeof key === "string" ? (folderOf(key) ?? key) : eventId;
    const group = JSON.stringify([approval.principal, approval.tool, where ?? null]);
    groups.set(group, [...(groups.get(group) ?? []), approval]);
  }
  return groups;
}

function narrowest(values: readonly unknown[]): ArgumentMatcher | undefined {
  const [first] = values;
  const areSame = values.every((value) => canonical(value) === canonical(first));
  if (areSame) return exactly(first);
  // A text that was too long to store, or sometimes absent, cannot be part of a condition.
  if (!values.every((value) => typeof value === "string")) return "any";
  if (values.some((value) => /^\d{4}-\d{2}-\d{2}/.test(value))) return undefined;
  const folders = new Set(values.map(folderOf));
  const [folder] = folders;
  return folders.size === 1 && folder !== undefined ? { in: folder } : "any";
}

function exactly(value: unknown): ArgumentMatcher {
  if (value === undefined) return "absent";
  const isScalar = ["string", "number", "boolean"].includes(typeof value);
  if (isScalar) return { is: value as string | number | boolean };
  return "any";
}

function canonical(value: unknown): string {
  return value === undefined ? "" : canonicalJson(value);
}

/** Returns `notes/` for `notes/a.md`, or undefined if the text is not a path in a folder. */
function folderOf(text: string): string | undefined {
  return /^(?:[A-Za-z0-9._-]+\/)+(?=[A-Za-z0-9._-]+$)/.exec(text)?.[0];
}
