import { sha256Hex } from "../../shared/digest.ts";
import type { PolicyContent } from "../policy.ts";
import type { Rule } from "../rules/rule.ts";
import { firstFault } from "./first-fault.ts";
import { LocatedFault, parseLocatedJson } from "./located-json.ts";
import { type KnownTool, longestRuleDays, policySchema } from "./policy-schema.ts";

/** A parsed policy file, and the digest by which processes recognise the same file. */
export interface ReadPolicy {
  content: PolicyContent;
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
  const result = policySchema(tools).safeParse(json.value);
  if (!result.success) throw firstFault(json, result.error.issues, "a policy");
  const { $schema: _schema, rules = [], ...sections } = result.data;
  const latest = now.getTime() + longestRuleDays * dayMs;
  const ids = new Set<string>();
  const read = rules.map(({ id, expires, ...rest }, index): Rule => {
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
    return { ...rest, ruleId: id, expiresAt, source: "file" };
  });
  return { content: { ...sections, rules: read }, digest: sha256Hex(text) };
}
