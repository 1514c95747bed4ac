import { ToolError } from "../../../core/tool/tool-error.ts";
import { attachmentReader } from "./attachment-reader.ts";
import { type AttachmentHit, attachmentSearcher } from "../search/attachment-hits.ts";
import { textRange } from "../../../ports/mail/mail-objects.ts";
import type {
  MailHit,
  MailMessage,
  MailReader,
  MailSearch,
} from "../../../ports/mail/mail-reader.ts";
import type { ObjectStore } from "../../../ports/files/objects.ts";
import type { Database } from "../driver/database.ts";
import type { Row } from "../driver/statement.ts";
import {
  authenticationOf,
  dateOf,
  forwarderOf,
  hiddenOf,
  numberOf,
  recipientsColumn,
  recipientsOf,
  senderColumns,
  senderOf,
  storedTextOf,
  summaryOf,
  textOf,
} from "./mail-row.ts";
import { cursorTime } from "../search/mail-cursor.ts";
import { mailSearcher } from "../search/mail-search.ts";
import { clausesOf, type Expression, filesOf, termsOf } from "../search/search-expression.ts";
import { readQuery } from "../search/search-query.ts";
import { hitPatterns } from "../search/snippet.ts";
import { snippetFinder } from "../search/snippets.ts";

/** Creates the reader of this instance's mail: search in the database, text from the object store. */
export function createMailReader(stores: {
  database: Database;
  objects: ObjectStore;
  clock?: () => Date;
}): MailReader {
  const { database, objects } = stores;
  const clock = stores.clock ?? (() => new Date());
  const find = mailSearcher(database);
  const snippetsOf = snippetFinder(objects);
  const { attachmentsOf, readAttachment } = attachmentReader(stores);
  const attachmentHits = attachmentSearcher(stores);

  async function search(request: MailSearch) {
    const query = request.query?.trim() ?? "";
    const began = request.cursor === undefined ? undefined : cursorTime(request.cursor);
    const asked = readQuery(query, began ?? clock());
    // A query with only punctuation matches no message.
    const isVain = query !== "" && asked.expression === undefined && asked.notices.length === 0;
    const [found, state] = await Promise.all([
      isVain ? nothing : find({ ...request, query }, asked),
      presentState(),
    ]);
    const { ids, ...totals } = found;
    return {
      hits: await hitsOf(ids, clausesOf(asked.expression)),
      ...totals,
      ...state,
      ...(asked.notices.length > 0 && { notices: asked.notices }),
    };
  }

  async function presentState(): Promise<{ newest: Date | undefined; pending: number }> {
    const { rows } = await database.read({
      sql: `SELECT (SELECT max(received_at) FROM mail WHERE search_id IS NOT NULL) AS newest,
        (SELECT count(*) FROM mail WHERE search_id IS NULL AND due_at IS NOT NULL) AS pending`,
      args: [],
    });
    const row = rows[0] ?? {};
    return { newest: dateOf(row, "newest"), pending: numberOf(row, "pending") ?? 0 };
  }

  async function hitsOf(
    ids: readonly number[],
    expressions: readonly Expression[],
  ): Promise<MailHit[]> {
    if (ids.length === 0) return [];
    const terms = termsOf(expressions);
    const patterns = hitPatterns(terms);
    const lead =
      patterns.length === 0
        ? "NULL"
        : "(SELECT deflated FROM mail_leads l WHERE l.mail_id = mail.mail_id)";
    const [{ rows }, inAttachments] = await Promise.all([
      database.read({
        sql: `SELECT search_id, email_id, subject, date, received_at, sender_source, summary, summary_source, attachment_count,
          raw_sha256, text_sha256, text_at, text_bytes, ${senderColumns}, ${lead} AS lead
        FROM mail WHERE search_id IN (SELECT value FROM json_each(?))`,
        args: [JSON.stringify(ids)],
      }),
      attachmentHits(ids, terms, filesOf(expressions)),
    ]);
    const byId = new Map(rows.map((row) => [numberOf(row, "search_id"), row]));
    const found = ids.map((id) => byId.get(id)).filter((row) => row !== undefined);
    const snippets = patterns.length === 0 ? undefined : await snippetsOf(found, patterns);
    return found.map((row) =>
      hitOf(row, snippets?.get(row), inAttachments.get(numberOf(row, "search_id"))),
    );
  }

  function hitOf(row: Row, own: string | undefined, attached: AttachmentHit | undefined): MailHit {
    const summary = summaryOf(row);
    const snippet = own ?? attached?.snippet;
    return {
      emailId: textOf(row, "email_id") ?? "",
      from: senderOf(row),
      subject: textOf(row, "subject") ?? "",
      date: dateOf(row, "date") ?? dateOf(row, "received_at") ?? new Date(0),
      summary: summary?.text ?? "",
      summarySource: summary?.source ?? "extract",
      ...(snippet !== undefined && { snippet }),
      ...(attached !== undefined && { foundIn: attached.foundIn }),
      attachmentCount: numberOf(row, "attachment_count") ?? 0,
    };
  }

  async function read(
    emailId: string,
    window: { offset: number; length: number },
  ): Promise<MailMessage> {
    const [row, attached] = await Promise.all([messageRow(emailId), attachmentsOf(emailId)]);
    const text = storedTextOf(row);
    if (text === undefined) {
      throw new ToolError(
        "unavailable",
        `${emailId} has arrived and is still being processed. Nothing was returned.`,
        {
          hint: "Try again in a few seconds.",
          retryAfterSeconds: 3,
        },
      );
    }
    const totalBytes = text.bytes;
    const { key, ...range } = textRange(text, window);
    const stored = totalBytes === 0 ? undefined : await objects.get(key, range);
    if (totalBytes > 0 && stored === undefined) {
      throw new ToolError(
        "unavailable",
        `The text of ${emailId} is missing from the store. Nothing was returned.`,
      );
    }
    const forwardedBy = forwarderOf(row);
    const authentication = authenticationOf(row);
    return {
      emailId,
      from: senderOf(row),
      ...recipientsOf(row),
      subject: textOf(row, "subject") ?? "",
      date: dateOf(row, "date") ?? dateOf(row, "received_at") ?? new Date(0),
      ...(forwardedBy !== undefined && { forwardedBy }),
      ...(authentication !== undefined && { authentication }),
      ...(row["parts_differ"] === 1 && { partsDiffer: true }),
      ...hiddenOf(row),
      attachments: attached,
      text: { window: stored?.body ?? new Uint8Array(), totalBytes },
    };
  }

  async function messageRow(emailId: string): Promise<Row> {
    const { rows } = await database.read({
      sql: `SELECT *, ${senderColumns}, ${recipientsColumn} FROM mail WHERE email_id = ?`,
      args: [emailId],
    });
    const [row] = rows;
    if (row === undefined) {
      throw new ToolError("not_found", "The message does not exist. Nothing was read.", {
        hint: "Ids come from search_emails.",
      });
    }
    return row;
  }

  return { search, read, readAttachment };
}

const nothing = { ids: [], total: 0, totalIsLowerBound: false, nextCursor: undefined };
