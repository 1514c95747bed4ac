import { z } from "zod";
import { contentLink, fileUri } from "../../core/content-link.ts";
import { cutPage, type Page, pageFields, pageInput, pageWindow } from "../../core/page.ts";
import { defineTool } from "../../ports/define-tool.ts";
import { fileKey } from "./file-key.ts";
import { isTextual } from "./media-type.ts";

export const readFile = defineTool({
  name: "read_file",
  title: "Read a file",
  description: "Read one page of a stored file.",
  risk: "low",
  does: "reads",
  needs: ["files"],
  actsOn: ({ key }) => key,
  input: z.strictObject({ key: fileKey, ...pageInput }),
  output: z.object({
    key: z.string().describe("The file's key"),
    mediaType: z.string().describe("As given when it was written"),
    etag: z.string().describe("Its version, for ifMatch"),
    ...pageFields,
    untrusted: z.literal(true).describe("Strangers may have written this"),
  }),
  execute: async ({ key, ...page }, { ports, signal }) => {
    const { facts, body } = await ports.files.read(key, { ...pageWindow(page), signal });
    const { etag, mediaType } = facts;
    const stored = { totalBytes: facts.bytes, isText: isTextual(mediaType) };
    return { key, mediaType, etag, ...cutPage(body, page, stored), untrusted: true as const };
  },
  text: (page) => ({
    facts: shownFacts(page),
    untrusted: page.content,
    ...contentLink(page, {
      uri: fileUri(page.key),
      title: "File",
      mediaType: page.mediaType,
    }),
  }),
  sentence: ({ key }) => `read ${key}`,
});

function shownFacts(page: Page & { key: string; mediaType: string; etag: string }): string {
  const { key, mediaType, etag, content, encoding, offset, bytes, totalBytes, nextOffset } = page;
  if (content === "" && nextOffset === 0) {
    return `${key} (${mediaType}, etag ${etag}): ${totalBytes} bytes that are no text. Their resource is ${fileUri(key)}; with offset 0 they come here, as base64.`;
  }
  return [
    `${key} (${mediaType}, ${encoding}, etag ${etag}): bytes ${offset} to ${offset + bytes} of ${totalBytes}.`,
    ...(nextOffset === undefined ? [] : [`More: offset ${nextOffset}`]),
  ].join("\n");
}
