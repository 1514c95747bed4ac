import { z } from "zod";
import { cutPage, pageFields, pageInput, pageWindow } from "../../core/page.ts";
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
  text: ({ key, mediaType, etag, content, encoding, offset, bytes, totalBytes, nextOffset }) => ({
    facts: [
      `${key} (${mediaType}, ${encoding}, etag ${etag}): bytes ${offset} to ${offset + bytes} of ${totalBytes}.`,
      ...(nextOffset === undefined ? [] : [`More: offset ${nextOffset}`]),
    ].join("\n"),
    untrusted: content,
  }),
  sentence: ({ key }) => `read ${key}`,
});
