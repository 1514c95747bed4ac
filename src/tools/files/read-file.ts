import { z } from "zod";
import { contentLink, fileUri, isKnownType } from "../../core/tool/content-link.ts";
import {
  cutPage,
  type ContentPage,
  pageFields,
  pageInput,
  pageWindow,
} from "../../core/shared/page.ts";
import { internal, ours, untrustedText } from "../../core/tool/untrusted-text.ts";
import { defineTool } from "../../ports/define-tool.ts";
import { fileKey } from "./file-key.ts";
import { isTextual } from "./media-type.ts";

export const readFile = defineTool({
  name: "read_file",
  title: "Read a file",
  description: "Read one page of a stored file.",
  risk: "low",
  operation: "reads",
  reads: "private",
  needs: ["files"],
  actsOn: ({ key }) => key,
  input: z.strictObject({ key: fileKey, ...pageInput }),
  output: z.object({
    key: ours(z.string()).describe("The file's key"),
    mediaType: untrustedText(z.string(), isKnownType).describe("Set by write_file"),
    etag: ours(z.string()).describe("Its version, for ifMatch"),
    writtenBy: ours(z.string()).optional().describe("assistant, if it wrote the file"),
    emailIds: internal(z.array(z.string()))
      .optional()
      .describe("Mails that the assistant had read before"),
    ...pageFields,
    untrusted: z.literal(true).describe("May be untrusted text"),
  }),
  execute: async ({ key, ...page }, { ports, signal }) => {
    const { facts, body } = await ports.files.read(key, { ...pageWindow(page), signal });
    const { etag, mediaType, origin } = facts;
    const stored = { totalBytes: facts.bytes, isText: isTextual(mediaType) };
    return {
      key,
      mediaType,
      etag,
      ...(origin && { writtenBy: origin.writtenBy, emailIds: [...origin.emailIds] }),
      ...cutPage(body, page, stored),
      untrusted: true as const,
    };
  },
  text: (page) => ({
    ...shownFacts(page),
    untrusted: isKnownType(page.mediaType)
      ? page.content
      : `Media type: ${page.mediaType}\n\n${page.content}`,
    ...contentLink(page, {
      uri: fileUri(page.key),
      title: "File",
      mediaType: page.mediaType,
    }),
  }),
  gives: ({ key, content, recorded = content, writtenBy, emailIds = [] }) => [
    {
      kind: "file",
      id: key,
      writtenBy: writtenBy === "assistant" ? "assistant" : "unknown",
      verified: false,
      texts: [key, recorded],
      topics: [key],
    },
    // A file that is based on a mail counts as content of that mail too.
    ...emailIds.map((id) => ({
      kind: "mail" as const,
      id,
      writtenBy: "other" as const,
      verified: false,
      texts: [],
    })),
  ],
  mentions: ["key"],
  describe: ({ key }) => `read ${key}`,
});

function shownFacts(page: ContentPage & { key: string; mediaType: string; etag: string }): {
  facts: string;
  notices?: readonly string[];
} {
  const { key, etag, content, encoding, offset, bytes, totalBytes, nextOffset } = page;
  // Other programs that write to the store may have set any media type.
  const type = isKnownType(page.mediaType) ? `${page.mediaType}, ` : "";
  if (content === "" && nextOffset === 0) {
    return {
      facts: `${key} (${type}etag ${etag}): ${totalBytes} bytes that are not text.`,
      notices: [`Resource: ${fileUri(key)}. With offset 0 this call returns the bytes as base64.`],
    };
  }
  return {
    facts: [
      `${key} (${type}${encoding}, etag ${etag}): bytes ${offset} to ${offset + bytes} of ${totalBytes}.`,
      ...(nextOffset === undefined ? [] : [`More: offset ${nextOffset}`]),
    ].join("\n"),
  };
}
