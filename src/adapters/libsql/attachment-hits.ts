import { textKey } from "../../ports/mail-objects.ts";
import type { MailHit } from "../../ports/mail-reader.ts";
import type { ObjectStore } from "../../ports/objects.ts";
import type { Database, Row } from "./database.ts";
import { numberOf, textOf } from "./mail-row.ts";
import type { Term } from "./search-expression.ts";
import { attachmentExpression } from "./search-text.ts";
import { hitPattern, snippetOf } from "./snippet.ts";

/** An attachment whose text has words that were searched. */
export interface AttachmentHit {
  foundIn: NonNullable<MailHit["foundIn"]>;
  snippet: string | undefined;
}

/** Says which of the messages on a page were found in an attachment, and in which. The index knows the first, the texts the second. */
export function attachmentSearcher({
  database,
  objects,
}: {
  database: Database;
  objects: ObjectStore;
}) {
  return async function attachmentHits(
    ids: readonly number[],
    terms: readonly Term[],
  ): Promise<ReadonlyMap<number | undefined, AttachmentHit>> {
    const words = attachmentExpression(terms);
    const pattern = hitPattern(terms.filter(({ column }) => column === undefined));
    if (words === undefined || pattern === undefined) return new Map();
    // The plus: the words are looked up once, not once for each message.
    const { rows } = await database.read({
      sql: `SELECT search_id, attachment_id, name, a.text_sha256 FROM mail JOIN mail_attachments a USING (mail_id)
        WHERE a.text_sha256 IS NOT NULL AND search_id IN (SELECT rowid FROM mail_words WHERE mail_words MATCH ?
          AND rowid >= ? AND rowid <= ? AND +rowid IN (SELECT value FROM json_each(?))) ORDER BY search_id, position`,
      args: [words, Math.min(...ids), Math.max(...ids), JSON.stringify(ids)],
    });
    const ofMail = new Map<number | undefined, Row[]>();
    for (const row of rows) {
      const id = numberOf(row, "search_id");
      ofMail.set(id, [...(ofMail.get(id) ?? []), row]);
    }
    const found = await Promise.all(
      [...ofMail].map(async ([id, texts]) => [id, await firstHit(texts, pattern)] as const),
    );
    return new Map(found.flatMap(([id, hit]) => (hit === undefined ? [] : [[id, hit]])));
  };

  /** One after the other: mostly it is the first. */
  async function firstHit(
    rows: readonly Row[],
    pattern: RegExp,
  ): Promise<AttachmentHit | undefined> {
    for (const row of rows) {
      const stored = await objects.get(textKey(textOf(row, "text_sha256") ?? ""));
      const text = stored && Buffer.from(stored.body).toString("utf-8");
      const snippet = text === undefined ? undefined : snippetOf(text, pattern);
      if (snippet !== undefined) return { foundIn: attachmentOf(row), snippet };
    }
    // Its words were found by rules that no pattern has; of one attachment there is no doubt.
    const [only, ...others] = rows;
    return only === undefined || others.length > 0
      ? undefined
      : { foundIn: attachmentOf(only), snippet: undefined };
  }
}

function attachmentOf(row: Row): AttachmentHit["foundIn"] {
  const name = textOf(row, "name");
  return {
    attachmentId: textOf(row, "attachment_id") ?? "",
    ...(name !== undefined && { name }),
  };
}
