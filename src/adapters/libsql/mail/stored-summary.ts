import { inflateRawSync } from "node:zlib";
import { textRange } from "../../../ports/mail/mail-objects.ts";
import type { ObjectStore } from "../../../ports/files/objects.ts";
import type { ExtractOf, MailSummary } from "../../../ports/mail/mail-store.ts";
import type { Row } from "../driver/statement.ts";
import { storedTextOf, summaryOf, textOf } from "./mail-row.ts";

/**
 * Bytes of a text up to which an extract of it is not stored. It is read from the text again. In mails of one kilobyte
 * the extracts were a quarter of the stored bytes.
 */
const mostBytes = 32_000;

/** Returns the summary to store. Null if it is the extract of the message's text. */
export function storedSummary(
  summary: MailSummary | undefined,
  textBytes: number | undefined,
): string | null {
  if (summary === undefined) return null;
  const bytes = textBytes ?? 0;
  return summary.isOfText === true && bytes > 0 && bytes <= mostBytes ? null : summary.text;
}

/** Returns whether the summary of a row has to be read from the message's text. */
export function isInText(row: Row): boolean {
  return textOf(row, "summary") === undefined && row["summary_source"] === "extract";
}

/** Creates the reader of the summary of a row of `mail`. It is empty if the text cannot be read. */
export function summaryReader(objects: ObjectStore, extractOf: ExtractOf) {
  return async (row: Row): Promise<string> => {
    if (!isInText(row)) return summaryOf(row)?.text ?? "";
    const text = storedTextOf(row);
    if (text === undefined) return "";
    const { lead } = row;
    if (lead instanceof Uint8Array) return await extractOf(inflateRawSync(lead).toString("utf-8"));
    const { key, ...range } = textRange(text, { offset: 0, length: mostBytes });
    const stored = await objects.get(key, range).catch(() => undefined);
    return stored === undefined ? "" : await extractOf(Buffer.from(stored.body).toString("utf-8"));
  };
}
