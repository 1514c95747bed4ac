import { ToolError } from "../../../core/tool/tool-error.ts";
import { attachmentKey, textKey } from "../../../ports/mail/mail-objects.ts";
import type { AttachmentPage, MailAttachment } from "../../../ports/mail/mail-reader.ts";
import type { ObjectStore } from "../../../ports/files/objects.ts";
import type { Database } from "../driver/database.ts";
import { numberOf, textOf } from "./mail-row.ts";

/** Creates the reader of attachments, which lists them from the database and reads them from the object store. */
export function attachmentReader({
  database,
  objects,
}: {
  database: Database;
  objects: ObjectStore;
}) {
  async function attachmentsOf(emailId: string): Promise<MailAttachment[]> {
    const { rows } = await database.read({
      sql: `SELECT attachment_id, name, media_type, bytes FROM mail_attachments
        WHERE mail_id = (SELECT mail_id FROM mail WHERE email_id = ?) ORDER BY inline, position`,
      args: [emailId],
    });
    return rows.map((row) => {
      const name = textOf(row, "name");
      return {
        attachmentId: textOf(row, "attachment_id") ?? "",
        ...(name !== undefined && { name }),
        mediaType: textOf(row, "media_type") ?? "",
        bytes: numberOf(row, "bytes") ?? 0,
      };
    });
  }

  async function readAttachment(
    emailId: string,
    attachmentId: string,
    window: { offset: number; length: number },
  ): Promise<AttachmentPage> {
    const { rows } = await database.read({
      sql: `SELECT name, media_type, bytes, sha256, text_sha256, text_bytes FROM mail_attachments
        WHERE mail_id = (SELECT mail_id FROM mail WHERE email_id = ?) AND attachment_id = ?`,
      args: [emailId, attachmentId],
    });
    const [row] = rows;
    if (row === undefined) {
      throw new ToolError("not_found", "The attachment does not exist. Nothing was read.", {
        hint: "Ids of attachments come from read_email.",
      });
    }
    const textSha256 = textOf(row, "text_sha256");
    const isText = textSha256 !== undefined;
    const key = isText ? textKey(textSha256) : attachmentKey(textOf(row, "sha256") ?? "");
    const totalBytes = numberOf(row, isText ? "text_bytes" : "bytes") ?? 0;
    const stored = await objects.get(key, window);
    if (stored === undefined) {
      throw new ToolError(
        "unavailable",
        "The attachment is missing from the store. Nothing was returned.",
      );
    }
    const name = textOf(row, "name");
    return {
      ...(name !== undefined && { name }),
      mediaType: textOf(row, "media_type") ?? "",
      isText,
      window: stored.body,
      totalBytes,
    };
  }

  return { attachmentsOf, readAttachment };
}
