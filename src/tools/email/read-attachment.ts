import { z } from "zod";
import { attachmentUri, contentLink, isKnownType } from "../../core/tool/content-link.ts";
import {
  cutPage,
  type ContentPage,
  pageFields,
  pageInput,
  pageWindow,
} from "../../core/shared/page.ts";
import { untrustedText } from "../../core/tool/untrusted-text.ts";
import { defineTool } from "../../ports/define-tool.ts";
import { emailId, untrusted } from "./email-fields.ts";
import { fitText } from "./fit-text.ts";

/** Longest shown name, because the beginning of a long name is enough. Tokens. */
const fileNameTokens = 60;

export const readAttachment = defineTool({
  name: "read_attachment",
  title: "Read an attachment",
  description: "Read one attachment, as text if it has any.",
  risk: "low",
  operation: "reads",
  reads: "private",
  needs: ["mail"],
  actsOn: ({ emailId: id, attachmentId }) => `${id} ${attachmentId}`,
  input: z.strictObject({
    emailId,
    attachmentId: z.string().max(40).describe("From read_email"),
    ...pageInput,
  }),
  output: z.object({
    name: untrustedText(z.string()).optional().describe("File name"),
    mediaType: untrustedText(z.string(), isKnownType).describe("Media type"),
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
  text: (page, { emailId: id, attachmentId }) => ({
    ...shownFacts(page, attachmentUri(id, attachmentId)),
    untrusted: `${page.name ?? "(no name)"}, ${page.mediaType}\n\n${page.content}`,
    ...contentLink(page, {
      uri: attachmentUri(id, attachmentId),
      title: "Attachment",
      mediaType: page.mediaType,
    }),
  }),
  gives: ({ name = "", content, recorded = content }, { emailId: id, attachmentId }) => [
    {
      kind: "attachment",
      id: `${id} ${attachmentId}`,
      writtenBy: "other",
      verified: false,
      texts: [name, recorded],
      topics: [name],
    },
  ],
  mentions: ["attachmentId"],
  describe: ({ attachmentId }, page) =>
    // "read" is both the infinitive and the past tense.
    `read the attachment ${page?.name ?? attachmentId} of a mail`,
});

function shownFacts(
  { content, encoding, offset, bytes, totalBytes, nextOffset }: ContentPage,
  uri: string,
): { facts: string; notices?: readonly string[] } {
  if (content === "" && nextOffset === 0) {
    return {
      facts: `${totalBytes} bytes without readable text.`,
      notices: [`Resource: ${uri}. With offset 0 this call returns the bytes as base64.`],
    };
  }
  const form = encoding === "utf-8" ? "as text" : "as base64: it has no readable text";
  return {
    facts: [
      `Bytes ${offset} to ${offset + bytes} of ${totalBytes}, ${form}.`,
      ...(nextOffset === undefined ? [] : [`More: offset ${nextOffset}`]),
    ].join("\n"),
  };
}
