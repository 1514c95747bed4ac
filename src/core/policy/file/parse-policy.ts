import { sha256Hex } from "../../shared/digest.ts";
import type { PolicyContent } from "../policy.ts";
import type { Rule } from "../rules/rule.ts";
import { firstFault } from "./first-fault.ts";
import { LocatedFault, parseLocatedJson } from "./located-json.ts";
import { type IdleRule, reasonForIdleness, ruleTools } from "./idle-rules.ts";
import { type KnownTool, longestRuleDays, policySchema } from "./policy-schema.ts";

/** A parsed policy file, and the digest by which processes recognise the same file. */
export interface ReadPolicy {
  content: PolicyContent;
  /** The rules that approve nothing now, in the order of the file. They are not part of `content`. */
  idle: readonly IdleRule[];
  digest: string;
}

const dayMs = 86_400_000;

/**
 * Parses a policy file.
 * @throws LocatedFault at the first fault
 */
export function parsePolicy(
  text: string,
  { tools, now }: { tools: readonly KnownTool[]; now: Date },
): ReadPolicy {
  const json = parseLocatedJson(text);
  const result = policySchema(ruleTools(json.value, tools)).safeParse(json.value);
  if (!result.success) throw firstFault(json, result.error.issues, "a policy");
  const { $schema: _schema, rules = [], ...sections } = result.data;
  const latest = now.getTime() + longestRuleDays * dayMs;
  const ids = new Set<string>();
  const active: Rule[] = [];
  const idle: IdleRule[] = [];
  for (const [index, { id, expires, ...rest }] of rules.entries()) {
    const expiresAt = new Date(expires);
    if (ids.has(id)) {
      throw new LocatedFault(
        `another rule has the id ${JSON.stringify(id)}`,
        json.placeOf(["rules", index, "id"]),
      );
    }
    if (expiresAt.getTime() > latest) {
      const place = json.placeOf(["rules", index, "expires"]);
      throw new LocatedFault(`expires must be within ${longestRuleDays} days`, place);
    }
    ids.add(id);
    const rule: Rule = { ...rest, ruleId: id, expiresAt, source: "file" };
    const reason = reasonForIdleness(rule, tools);
    if (reason === undefined) active.push(rule);
    else idle.push({ rule, reason, place: json.placeOf(["rules", index]) });
  }
  // A rule that begins to apply later allows more, and needs an approval of its own.
  const whole =
    idle.length === 0 ? text : JSON.stringify([text, idle.map(({ rule }) => rule.ruleId)]);
  return { content: { ...sections, rules: active }, idle, digest: sha256Hex(whole) };
}
