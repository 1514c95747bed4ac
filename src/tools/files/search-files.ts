import { z } from "zod";
import { decodeCursor, encodeCursor } from "../../core/shared/cursor.ts";
import { formatSize } from "../../core/shared/text/format.ts";
import { ours, untrustedText } from "../../core/tool/untrusted-text.ts";
import { defineTool } from "../../ports/define-tool.ts";
import { fitText } from "../email/fit-text.ts";
import { untrusted } from "../email/email-fields.ts";
import { isFileKey } from "./file-key.ts";

/** Tokens for a snippet, enough for a line in any script. */
const snippetTokens = 120;

const foundFile = z.object({
  key: untrustedText(z.string(), isFileKey).describe("For read_file"),
  bytes: z.int().describe("Size"),
  modifiedAt: ours(z.string()).describe("ISO 8601, UTC"),
  snippet: untrustedText(z.string()).optional().describe("The matching text"),
});

export const searchFiles = defineTool({
  name: "search_files",
  title: "Search files",
  description: "Search the words of text files and documents.",
  risk: "low",
  operation: "reads",
  reads: "private",
  needs: ["fileIndex"],
  input: z.strictObject({
    query: z.string().max(1_000).describe("As in search_emails: OR -not filename: after:"),
    limit: z.int().min(1).max(50).default(10).describe("Files"),
    cursor: z.string().max(200).optional().describe("From nextCursor"),
  }),
  output: z.object({
    files: z.array(foundFile).describe("Best first"),
    total: z.int().describe("All matches"),
    pending: z.int().describe("Changed, not searchable yet"),
    nextCursor: ours(z.string()).optional().describe("For the next page"),
    notices: z.array(ours(z.string())).optional().describe("About the query"),
    untrusted,
  }),
  execute: async ({ query, limit, cursor }, { ports, signal }) => {
    const offset = cursor === undefined ? 0 : Number(decodeCursor({ query }, cursor));
    const found = await ports.fileIndex.search({ query, limit, offset, signal });
    const next = offset + found.hits.length;
    return {
      files: found.hits.map(({ key, bytes, modifiedAt, snippet }) => ({
        key,
        bytes,
        modifiedAt: modifiedAt.toISOString(),
        ...(snippet !== undefined && { snippet: fitText(snippet, snippetTokens) }),
      })),
      total: found.total,
      pending: found.pending,
      ...(next < found.total && { nextCursor: encodeCursor({ query }, String(next)) }),
      ...(found.notices.length > 0 && { notices: [...found.notices] }),
      untrusted: true as const,
    };
  },
  text: ({ files, total, pending, nextCursor, notices = [] }) => ({
    facts: [
      `${files.length} of ${total} files.`,
      ...(pending > 0 ? [`${pending} more changed and are not yet searchable.`] : []),
      ...(nextCursor === undefined ? [] : [`More: cursor ${nextCursor}`]),
    ].join("\n"),
    notices,
    ...(files.length > 0 && {
      untrusted: files
        .map(({ key, bytes, modifiedAt, snippet }) =>
          [
            `${key} (${formatSize(bytes)}, ${modifiedAt})`,
            ...(snippet === undefined ? [] : [`Found: ${snippet}`]),
          ].join("\n"),
        )
        .join("\n\n"),
    }),
  }),
  gives: ({ files }) =>
    files.map(({ key, snippet = "" }) => ({
      kind: "file",
      id: key,
      writtenBy: "unknown",
      verified: false,
      texts: [key, snippet],
      topics: [key],
    })),
  mentions: ["query"],
  describe: ({ query }, output) =>
    output === undefined
      ? `search files for "${query}"`
      : `searched files for "${query}" (${output.total} found)`,
});
