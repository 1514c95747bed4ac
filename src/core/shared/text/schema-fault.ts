import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** The beginnings of the library's own messages. Messages of our schemas begin in lower case. */
const ofLibrary = /^(?:Invalid|Too small|Too big)\b/;

const types: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/**
 * Says in our own words what is wrong with a value, as `must be at least 1`, to continue a sentence that names its
 * field. The library's words are for programmers: `expected record, received array`.
 */
export function schemaFault(issue: Issue): string {
  if (!ofLibrary.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return `must be ${types[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${listed(issue.values)}`
        : `must be one of ${listed(issue.values)}`;
    case "too_small":
      return bound(issue.origin, Number(issue.minimum), ["at least", "more than"], issue.inclusive);
    case "too_big":
      return bound(issue.origin, Number(issue.maximum), ["at most", "less than"], issue.inclusive);
    default:
      return "is not valid";
  }
}

function listed(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(", ");
}

function bound(
  origin: string,
  limit: number,
  [inclusive, exclusive]: readonly [string, string],
  isInclusive = true,
): string {
  const words = `${isInclusive ? inclusive : exclusive} ${limit}`;
  const plural = limit === 1 ? "" : "s";
  if (origin === "string") return `must have ${words} character${plural}`;
  if (origin === "array") return `must have ${words} item${plural}`;
  return `must be ${words}`;
}
