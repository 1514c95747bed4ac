import type { Context } from "hono";
import type { Decision } from "../../core/approvals/ticket.ts";

/** Enough for every form of the page, including the largest selection and the longest secret. Bytes. */
const maxFormBytes = 16_384;

/**
 * Reads the fields of a posted form. Undefined if it is not a form or is too large. Always reads the body, which frees
 * the connection.
 */
export async function readForm(context: Context): Promise<URLSearchParams | undefined> {
  const { body, headers } = context.req.raw;
  const isForm = headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    if (!(part instanceof Uint8Array)) return undefined;
    bytes += part.byteLength;
    if (bytes > maxFormBytes) return undefined;
    parts.push(part);
  }
  return isForm ? new URLSearchParams(Buffer.concat(parts).toString("utf8")) : undefined;
}

/** The decision in a form, without person and channel. */
export type Said = Pick<Decision, "verdict" | "note" | "mayAskAgain">;

/** Parses the decision. Undefined for any other form. */
export function decisionIn(form: URLSearchParams): Said | undefined {
  const note = form.get("note") ?? "";
  switch (form.get("verdict")) {
    case "approve":
      return { verdict: "approve" };
    case "deny":
      return { verdict: "deny", note };
    case "again":
      return { verdict: "deny", note, mayAskAgain: true };
    default:
      return undefined;
  }
}
