import type { z } from "zod";
import { schemaFault } from "../../shared/text/schema-fault.ts";
import { type LocatedJson, LocatedFault } from "./located-json.ts";

type Issue = z.core.$ZodIssue;

/** Returns the fault that comes first in the file. @param what the file is meant to be: "a policy" */
export function firstFault(
  json: LocatedJson,
  issues: readonly Issue[],
  what: string,
): LocatedFault {
  const faults = issues.map((issue) => faultOf(json, issue, []));
  const [first] = faults.toSorted(
    ({ place: a }, { place: b }) => a.line - b.line || a.column - b.column,
  );
  return first ?? new LocatedFault(`is not ${what}`, json.placeOf([]));
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
  const where = path.map((part) =>
    typeof part === "number" || part === "" ? `[${JSON.stringify(part)}]` : `.${String(part)}`,
  );
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
  const nameFault = issue.code === "invalid_key" ? issue.issues[0] : undefined;
  if (nameFault !== undefined)
    return new LocatedFault(`${before}${schemaFault(nameFault)}`, json.placeOf(path));
  const isMissing = !json.has(path);
  const inWhen = isMissing && path.at(-2) === "when";
  const message = inWhen
    ? 'has no condition; write "any" if its value does not matter'
    : isMissing
      ? "is missing"
      : schemaFault(issue);
  return new LocatedFault(`${before}${message}`, json.placeOf(path));
}
