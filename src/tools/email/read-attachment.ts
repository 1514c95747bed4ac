import { z } from "zod";
import { pageFields, pageInput } from "../../core/page.ts";
import { defineContract } from "../../ports/define-tool.ts";
import { emailId, untrusted } from "./email-fields.ts";

export const readAttachment = defineContract({
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
});
