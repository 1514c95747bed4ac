import { attachmentKey, rawKey, textKey } from "../../../ports/mail/mail-objects.ts";
import type { Database } from "../driver/database.ts";
import { hashOf, numberOf, textOf } from "./mail-row.ts";

/** Rows per page. */
const pageSize = 1_000;

/** Returns the key of a message for the key of each text and attachment. A part of several messages has one of them. */
export async function messagesOfParts(database: Database): Promise<ReadonlyMap<string, string>> {
  const messages = new Map<string, string>();
  for (let after: number | undefined = 0; after !== undefined;) {
    const { rows }: Awaited<ReturnType<Database["read"]>> = await database.read({
      sql: `SELECT mail_id, raw_sha256, mail.text_sha256, a.sha256, a.text_sha256 AS attached
        FROM (SELECT * FROM mail WHERE mail_id > ? ORDER BY mail_id LIMIT ${pageSize}) AS mail
        LEFT JOIN mail_attachments a USING (mail_id)`,
      args: [after],
    });
    after = undefined;
    for (const row of rows) {
      after = Math.max(after ?? 0, numberOf(row, "mail_id") ?? 0);
      const message = rawKey(hashOf(row, "raw_sha256"));
      const [text, content, attached] = ["text_sha256", "sha256", "attached"].map((column) =>
        textOf(row, column),
      );
      if (text !== undefined) messages.set(textKey(text), message);
      if (content !== undefined) messages.set(attachmentKey(content), message);
      if (attached !== undefined) messages.set(textKey(attached), message);
    }
  }
  return messages;
}
