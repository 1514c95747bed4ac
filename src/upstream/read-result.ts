import { z } from "zod";
import { cutPage, pageFields, pageInput, pageWindow } from "../core/shared/page.ts";
import { ours } from "../core/tool/untrusted-text.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import { defineTool } from "../ports/define-tool.ts";

/** Reads the rest of an upstream result that was shortened. */
export const readResult = defineTool({
  name: "read_result",
  title: "Read on in a result",
  description: "Read the rest of a shortened SERVER__TOOL result. Kept for 24 hours.",
  risk: "low",
  operation: "reads",
  // Always private, because the `reads` of the server's entry is not stored with the text.
  reads: "private",
  needs: ["results"],
  input: z.strictObject({
    resultId: z.string().max(100).describe("From the cut result"),
    offset: pageInput.offset.describe("Its nextOffset"),
  }),
  output: z.object({
    resultId: ours(z.string()).describe("The result"),
    ...pageFields,
    untrusted: z.literal(true).describe("Untrusted text"),
  }),
  execute: async ({ resultId, offset = 0 }, { ports, principal, signal }) => {
    const part = { ...pageWindow({ offset }), signal };
    const found = await ports.results.read(principal, resultId, part);
    if (found === undefined) {
      throw new ToolError("not_found", "There is no such result. Nothing was read.", {
        hint: "Results are kept for 24 hours, and older ones are removed first. Call the tool again if it only reads.",
      });
    }
    const { body, totalBytes } = found;
    const page = cutPage(body, { offset }, { totalBytes, isText: true });
    return { resultId, ...page, untrusted: true as const };
  },
  text: ({ resultId, content, offset, bytes, totalBytes, nextOffset }) => ({
    facts: [
      `${resultId}: bytes ${offset} to ${offset + bytes} of ${totalBytes}.`,
      ...(nextOffset === undefined ? [] : [`More: offset ${nextOffset}`]),
    ].join("\n"),
    untrusted: content,
  }),
  gives: ({ content, recorded = content }) => [
    {
      kind: "upstream",
      id: "read_result",
      writtenBy: "unknown",
      verified: false,
      texts: [recorded],
    },
  ],
  describe: (_args, output) =>
    output === undefined ? "read on in a result" : `read on in the result ${output.resultId}`,
});
