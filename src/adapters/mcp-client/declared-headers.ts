import { type Data, isData } from "../../core/shared/data.ts";

/** A token of RFC 9110 section 5.6.2. */
const token = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
const primitives = new Set(["string", "integer", "boolean"]);
const key = "x-mcp-header";

/**
 * Returns whether the `x-mcp-header` declarations of a tool are valid (2026-07-28, SEP-2243). Each must be a unique
 * token, and belong to a text, an integer or a boolean that is reached only through `properties`.
 */
export function hasValidHeaders(tool: unknown): boolean {
  if (!isData(tool) || !isData(tool["inputSchema"])) return true;
  return isValid(tool["inputSchema"], { isReachable: true, isRoot: true }, new Set());
}

function isValid(
  schema: Data,
  { isReachable, isRoot }: { isReachable: boolean; isRoot: boolean },
  seen: Set<string>,
): boolean {
  if (Object.hasOwn(schema, key)) {
    const name = schema[key];
    if (isRoot || !isReachable || typeof name !== "string" || !token.test(name)) return false;
    const { type } = schema;
    if (typeof type !== "string" || !primitives.has(type)) return false;
    if (seen.has(name.toLowerCase())) return false;
    seen.add(name.toLowerCase());
  }
  return Object.entries(schema).every(([field, part]) => {
    const isProperties = field === "properties" && isData(part);
    const inner: unknown[] = isProperties || Array.isArray(part) ? Object.values(part) : [part];
    const place = { isReachable: isReachable && isProperties, isRoot: false };
    return inner.every((each) => !isData(each) || isValid(each, place, seen));
  });
}
