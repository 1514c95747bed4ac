import { z } from "zod";
import { cutPage, pageFields, pageInput, pageWindow } from "../../core/page.ts";
import { defineTool } from "../../ports/define-tool.ts";
import { emailId, untrusted } from "./email-fields.ts";
import { fitText } from "./fit-text.ts";

/** A long name says no more than its beginning. */
const fileNameTokens = 60;

export const readAttachment = defineTool({
  name: "read_attachment",
  title: "Read an attachment",
  description: "Read one attachment, as text where it has any.",
  risk: "low",
  does: "reads",
  needs: ["mail"],
  input: z.strictObject({
    emailId,
    attachmentId: z.string().max(40).describe("From read_email"),
    ...pageInput,
  }),
  output: z.object({
    name: z.string().optional().describe("File name"),
    mediaType: z.string().describe("Media type"),
    ...pageFields,
    untrusted,
  }),
  execute: async ({ emailId: id, attachmentId, ...page }, { ports }) => {
    const found = await ports.mail.readAttachment(id, attachmentId, pageWindow(page));
    const { name, mediaType, isText, window, totalBytes } = found;
    return {
      ...(name !== undefined && { name: fitText(name, fileNameTokens) }),
      mediaType: fitText(mediaType, fileNameTokens),
      ...cutPage(window, page, { totalBytes, isText }),
      untrusted: true as const,
    };
  },
  text: (page) => ({
    facts: [
      `Bytes ${page.offset} to ${page.offset + page.bytes} of ${page.totalBytes}, ${page.encoding === "utf-8" ? "as text" : "as base64: it has no text that can be read"}.`,
      ...(page.nextOffset === undefined ? [] : [`More: offset ${page.nextOffset}`]),
    ].join("\n"),
    untrusted: `${page.name ?? "(no name)"}, ${page.mediaType}\n\n${page.content}`,
  }),
  sentence: ({ attachmentId }, page) => `read the attachment ${page?.name ?? attachmentId}`,
});
