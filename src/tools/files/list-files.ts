import { z } from "zod";
import { decodeCursor, encodeCursor } from "../../core/shared/cursor.ts";
import { likelyTokens, maxListTokens } from "../../core/shared/tokens.ts";
import { ours, untrustedText, structuredTokens } from "../../core/tool/untrusted-text.ts";
import { isKnownType } from "../../core/tool/content-link.ts";
import { defineTool } from "../../ports/define-tool.ts";
import type { ObjectList } from "../../ports/files/objects.ts";
import { formatSize } from "../../core/shared/text/format.ts";
import { isFileKey } from "./file-key.ts";

const listedFile = z.object({
  key: untrustedText(z.string(), isFileKey).describe("The file's name in the store"),
  bytes: z.int().describe("Size"),
  modifiedAt: ours(z.string()).describe("ISO 8601, UTC"),
  mediaType: untrustedText(z.string(), isKnownType).describe("Set by write_file"),
  writtenBy: ours(z.string()).optional().describe("assistant, if it wrote the file"),
});

export const listFiles = defineTool({
  name: "list_files",
  title: "List files",
  description: "List the stored files, by key.",
  risk: "low",
  operation: "reads",
  reads: "private",
  needs: ["files"],
  input: z.strictObject({
    prefix: z
      .string()
      .max(512)
      .regex(/^[A-Za-z0-9._/-]*$/, { error: "only letters, digits and . _ - / are allowed" })
      .optional()
      .describe("Key prefix"),
    limit: z.int().min(1).max(1000).default(100).describe("Files per page"),
    cursor: z.string().max(2000).optional().describe("From nextCursor"),
  }),
  output: z.object({
    files: z.array(listedFile).describe("In the order of their keys"),
    nextCursor: ours(z.string()).optional().describe("There is more"),
  }),
  execute: async ({ prefix = "", limit, cursor }, { ports, signal }) => {
    const after = cursor === undefined ? undefined : decodeCursor({ prefix }, cursor);
    const page = await ports.files.list({
      prefix,
      limit,
      ...(after !== undefined && { after }),
      signal,
    });
    const { files, next } = fitting(page);
    return { files, ...(next !== undefined && { nextCursor: encodeCursor({ prefix }, next) }) };
  },
  text: ({ files, nextCursor }) => {
    const foreign = files.filter(({ key }) => !isFileKey(key));
    return {
      facts: [
        files.length === 0 ? "No files." : `${files.length} file${files.length === 1 ? "" : "s"}:`,
        ...files.filter(({ key }) => isFileKey(key)).map(formatFile),
        ...(nextCursor === undefined ? [] : [`More: cursor ${nextCursor}`]),
      ].join("\n"),
      ...(foreign.length > 0 && {
        notices: [
          `The file tools do not accept the keys of ${foreign.length} files, which other programs wrote.`,
        ],
        untrusted: foreign.map(formatFile).join("\n"),
      }),
    };
  },
  gives: ({ files }) =>
    files.map(({ key, writtenBy }) => ({
      kind: "file",
      id: key,
      writtenBy: writtenBy === "assistant" ? "assistant" : "unknown",
      verified: false,
      texts: [key],
    })),
  mentions: ["prefix"],
  describe: ({ prefix }, output) =>
    `${output === undefined ? "list" : "listed"} the files${prefix ? ` under ${prefix}` : ""}`,
});

type ListedFile = z.output<typeof listedFile>;

/** Returns as many files as fit into one result. The cursor continues after the last of them. */
function fitting(page: ObjectList): { files: ListedFile[]; next: string | undefined } {
  const files: ListedFile[] = [];
  let tokens = 0;
  for (const { key, bytes, modifiedAt, mediaType, origin } of page.objects) {
    const file = {
      key,
      bytes,
      modifiedAt: modifiedAt.toISOString(),
      mediaType,
      ...(origin && { writtenBy: origin.writtenBy }),
    };
    tokens += structuredTokens(listedFile, file) + likelyTokens(formatFile(file));
    if (tokens > maxListTokens && files.length > 0) return { files, next: files.at(-1)?.key };
    files.push(file);
  }
  return { files, next: page.next };
}

function formatFile(file: ListedFile): string {
  return `${file.key} (${formatSize(file.bytes)}, ${file.modifiedAt})`;
}
