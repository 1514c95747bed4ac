import type { z } from "zod";
import { sha256Hex } from "../../shared/digest.ts";
import type { PolicyContent } from "../policy.ts";
import type { Rule } from "../rules/rule.ts";
import { type LocatedJson, LocatedFault, parseLocatedJson } from "./located-json.ts";
import { type KnownTool, longestRuleDays, policySchema } from "./policy-schema.ts";

/** A parsed policy file, and the digest by which processes recognize the same file. */
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
  if (!result.success) throw firstFault(json, result.error.issues);
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

type Issue = z.core.$ZodIssue;

/** Returns the fault that comes first in the file. */
function firstFault(json: LocatedJson, issues: readonly Issue[]): LocatedFault {
  const faults = issues.map((issue) => faultOf(json, issue, []));
  const [first] = faults.toSorted(
    ({ place: a }, { place: b }) => a.line - b.line || a.column - b.column,
  );
  return first ?? new LocatedFault("is not a policy", json.placeOf([]));
}

function faultOf(json: LocatedJson, issue: Issue, outer: readonly PropertyKey[]): LocatedFault {
  const path = [...outer, ...issue.path];
  if (issue.code === "invalid_union") {
    // The alternative that parsed furthest is most likely the intended one.
    const nested = issue.errors
      .flat()
      .filter((inner) => inner.path.length > 0 || inner.code === "unrecognized_keys")
      .at(0);
    if (nested !== undefined) return faultOf(json, nested, path);
  }
  const where = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`));
  const named = where.join("").replace(/^\./, "");
  const before = named === "" ? "" : `${named}: `;
  if (issue.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    const renamed = key === "doors" ? '; it is called "channels" now' : "";
    return new LocatedFault(
      `${before}there is no ${JSON.stringify(key.slice(0, 80))} here${renamed}`,
      json.placeOf([...path, key]),
    );
  }
  const isMissing = !json.has(path);
  const inWhen = isMissing && path.at(-2) === "when";
  const message = inWhen
    ? 'has no condition; write "any" if its value does not matter'
    : isMissing
      ? "is missing"
      : issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
  return new LocatedFault(`${before}${message}`, json.placeOf(path));
}
