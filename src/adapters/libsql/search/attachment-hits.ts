import { spend, turn } from "../../../core/shared/event-loop.ts";
import { textKey } from "../../../ports/mail/mail-objects.ts";
import type { MailHit } from "../../../ports/mail/mail-reader.ts";
import type { ObjectStore } from "../../../ports/files/objects.ts";
import type { Database } from "../driver/database.ts";
import type { Row } from "../driver/statement.ts";
import { numberOf, textOf } from "../mail/mail-row.ts";
import type { Term } from "./search-expression.ts";
import { attachmentExpression } from "./search-text.ts";
import { type HitPattern, hitPatterns, snippetOf } from "./snippet.ts";

/** Folded characters of attachments that one result may search: about 100 ms of the main thread. */
const answerCharacters = 1_000_000;

/** An attachment whose text or name was searched for. */
export interface AttachmentHit {
  foundIn: NonNullable<MailHit["foundIn"]>;
  snippet: string | undefined;
}

/**
 * Creates the search for the attachments in which the messages of a page were found. The index finds the messages, and
 * the texts show the attachment.
 */
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
    names: readonly string[],
  ): Promise<ReadonlyMap<number | undefined, AttachmentHit>> {
    const [byName, byText] = await Promise.all([named(ids, names), withWords(ids, terms)]);
    return new Map([...byName, ...byText]);
  };

  /** Returns the first attachment of each message whose name has one of these parts. */
  async function named(
    ids: readonly number[],
    names: readonly string[],
  ): Promise<ReadonlyMap<number | undefined, AttachmentHit>> {
    if (names.length === 0) return new Map();
    const { rows } = await database.read({
      sql: `SELECT search_id, attachment_id, name, min(position) FROM mail JOIN mail_attachments USING (mail_id)
        WHERE search_id IN (SELECT value FROM json_each(?))
          AND EXISTS (SELECT 1 FROM json_each(?) WHERE instr(folded, value) > 0) GROUP BY search_id`,
      args: [JSON.stringify(ids), JSON.stringify(names)],
    });
    return new Map(
      rows.map((row) => [
        numberOf(row, "search_id"),
        { foundIn: attachmentOf(row), snippet: undefined },
      ]),
    );
  }

  async function withWords(
    ids: readonly number[],
    terms: readonly Term[],
  ): Promise<ReadonlyMap<number | undefined, AttachmentHit>> {
    const words = attachmentExpression(terms);
    const patterns = hitPatterns(terms.filter(({ column }) => column === undefined));
    if (words === undefined || patterns.length === 0) return new Map();
    // The condition makes SQLite look up the words once, and only if the page has an attachment with a text. For a frequent
    // word the index reads the whole list of its messages.
    const { rows } = await database.read({
      sql: `SELECT search_id, attachment_id, name, a.text_sha256 FROM mail JOIN mail_attachments a USING (mail_id)
        WHERE search_id IN (SELECT value FROM json_each(?1)) AND CASE WHEN a.text_sha256 IS NULL THEN 0
          ELSE search_id IN (SELECT rowid FROM mail_words WHERE mail_words MATCH ?2
            AND rowid >= ?3 AND rowid <= ?4 AND +rowid IN (SELECT value FROM json_each(?1))) END
        ORDER BY search_id, position`,
      args: [JSON.stringify(ids), words, Math.min(...ids), Math.max(...ids)],
    });
    const rowsByMail = new Map<number | undefined, Row[]>();
    for (const row of rows) {
      const id = numberOf(row, "search_id");
      rowsByMail.set(id, [...(rowsByMail.get(id) ?? []), row]);
    }
    const found = new Map<number | undefined, AttachmentHit>();
    const work = { left: answerCharacters };
    let waiting = rowsByMail.size;
    for (const [id, texts] of rowsByMail) {
      const hit = await firstHit(texts, patterns, work, Math.ceil(work.left / waiting));
      waiting -= 1;
      if (hit !== undefined) found.set(id, hit);
    }
    return found;
  }

  /**
   * Searches one attachment after the other, because the first usually matches. Uses at most `share` characters of
   * `work`.
   */
  async function firstHit(
    rows: readonly Row[],
    patterns: readonly HitPattern[],
    work: { left: number },
    share: number,
  ): Promise<AttachmentHit | undefined> {
    const own = { left: share };
    for (const row of rows) {
      if (own.left <= 0) break;
      const window = { offset: 0, length: own.left };
      const stored = await objects.get(textKey(textOf(row, "text_sha256") ?? ""), window);
      await turn();
      const text = stored && Buffer.from(stored.body).toString("utf-8");
      spend(text?.length ?? 0);
      const snippet = text === undefined ? undefined : await snippetOf(text, patterns, own);
      if (snippet === undefined) continue;
      work.left -= share - own.left;
      return { foundIn: attachmentOf(row), snippet };
    }
    work.left -= share - own.left;
    // The words were found by other rules than the pattern's, or after the searched part. A single attachment must be
    // the match.
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
