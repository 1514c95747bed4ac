import { canonicalJson } from "../../shared/digest.ts";
import type { ArgumentMatcher, ArgumentMatchers } from "./condition.ts";
import { compileRule } from "./rule.ts";

/** So far back people's decisions are remembered, without long texts. Days. */
export const historyDays = 30;

/** Two alike may be chance. */
const fewestYeses = 3;
/** What is suggested holds for a week and as often as it would have been used, within reason. */
const lasts = 7 * 86_400_000;
const mostUses = 50;

/** A person's answer to one request. A text too long to be kept is an object in its place. */
export interface PastDecision {
  principal: string;
  tool: string;
  args: Readonly<Record<string, unknown>>;
  verdict: "approve" | "deny";
  channel: string;
}

export interface Suggestion {
  /** As it would stand in the policy file. */
  rule: {
    id: string;
    tool: string;
    principals: readonly string[];
    when: ArgumentMatchers;
    expires: string;
    uses: number;
  };
  /** What the rule would have done about all decisions that are remembered. */
  wouldHaveApproved: number;
  includingRefused: number;
}

/** A yes in a client's dialog: no evidence of what a person wants. */
export function isOnlyTheClientsWord({ verdict, channel }: PastDecision): boolean {
  return verdict === "approve" && channel === "elicitation";
}

/**
 * The narrowest rules that would each have covered at least three yeses and not one refusal. A client's dialog is the client
 * program's word: its yes is no evidence, its no is.
 */
export function suggestRules(
  decisions: readonly PastDecision[],
  argumentNames: (tool: string) => readonly string[] | undefined,
  now: Date,
): readonly Suggestion[] {
  const yeses = decisions.filter(
    (past) => past.verdict === "approve" && !isOnlyTheClientsWord(past),
  );
  const suggestions: Suggestion[] = [];
  for (const [index, group] of [...alike(yeses).values()].entries()) {
    const [{ tool, principal } = { tool: "", principal: "" }] = group;
    const names = argumentNames(tool);
    if (group.length < fewestYeses || names === undefined) continue;
    const when: Record<string, ArgumentMatcher> = {};
    for (const name of names) {
      const found = narrowest(group.map(({ args }) => args[name]));
      if (found !== undefined) when[name] = found;
    }
    // Without a condition for each, what was alike lies in the past: a rule about those days helps nobody.
    if (Object.keys(when).length < names.length) continue;
    const expiresAt = new Date(now.getTime() + lasts);
    const uses = Math.min(group.length, mostUses);
    const id = `${tool.replaceAll("_", "-")}-${index + 1}`;
    const rule = { tool, principals: [principal], when };
    const tried = compileRule({ ...rule, ruleId: id, expiresAt, uses, source: "file" });
    const covered = decisions.filter((past) => past.tool === tool && tried.covers(past));
    const refused = covered.filter(({ verdict }) => verdict === "deny").length;
    if (refused > 0) continue;
    suggestions.push({
      rule: { id, ...rule, expires: expiresAt.toISOString(), uses },
      wouldHaveApproved: covered.length,
      includingRefused: refused,
    });
  }
  return suggestions;
}

/** Yeses to calls of one principal, tool and folder, or of one target where it has no folder. */
function alike(yeses: readonly PastDecision[]): ReadonlyMap<string, PastDecision[]> {
  const groups = new Map<string, PastDecision[]>();
  for (const yes of yeses) {
    const { key, eventId } = yes.args;
    const where = typeof key === "string" ? (folderOf(key) ?? key) : eventId;
    const group = JSON.stringify([yes.principal, yes.tool, where ?? null]);
    groups.set(group, [...(groups.get(group) ?? []), yes]);
  }
  return groups;
}

function narrowest(values: readonly unknown[]): ArgumentMatcher | undefined {
  const [first] = values;
  const areSame = values.every((value) => canonical(value) === canonical(first));
  if (areSame) return exactly(first);
  // A text too long to be kept cannot be named, and neither can one that was left out at times.
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

/** `notes/` of `notes/a.md`; undefined where it is no path in a folder. */
function folderOf(text: string): string | undefined {
  return /^(?:[A-Za-z0-9._-]+\/)+(?=[A-Za-z0-9._-]+$)/.exec(text)?.[0];
}
