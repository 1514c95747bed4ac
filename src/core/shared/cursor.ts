import { canonicalJson, sha256Hex } from "./digest.ts";
import { ToolError } from "../tool/tool-error.ts";

/** Characters of the query's digest in a cursor. They detect another query and protect no secret. */
const bindingLength = 12;

/** Returns an opaque position in a list, valid only for the same query. */
export function encodeCursor(query: unknown, position: string): string {
  return Buffer.from(binding(query) + position).toString("base64url");
}

/**
 * Returns the position in a cursor.
 * @throws ToolError `invalid_input` for a cursor of another query or an unknown one
 */
export function decodeCursor(query: unknown, cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString();
  if (!text.startsWith(binding(query))) {
    throw new ToolError(
      "invalid_input",
      "cursor: it does not belong to this query. Nothing was listed.",
      {
        hint: "Pass nextCursor unchanged together with the same other fields, or leave cursor out to start again.",
      },
    );
  }
  return text.slice(bindingLength);
}

function binding(query: unknown): string {
  return sha256Hex(canonicalJson(query)).slice(0, bindingLength);
}
