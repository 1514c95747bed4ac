import { promisify } from "node:util";
import { inflateRaw, inflateRawSync } from "node:zlib";
import { textKey } from "../../../ports/mail/mail-objects.ts";
import type { ObjectStore } from "../../../ports/files/objects.ts";
import type { Row } from "../driver/statement.ts";
import { numberOf, textOf } from "../mail/mail-row.ts";
import { snippetOf } from "./snippet.ts";

const inflate = promisify(inflateRaw);

/** Bytes of a text that are worth storing compressed in the database. Later hits are searched in the object store. */
const leadBytes = 32_000;

/** Compressed bytes up to which inflating is cheaper than sending to another thread. */
const smallLead = 8_192;

/**
 * Folded characters for the snippets of one answer: the leads of fifty messages, or one long message. A later hit has
 * no snippet.
 */
const answerCharacters = 2_500_000;

/** Creates the search for the snippets of one page, within one limit for all of them. */
export function snippetFinder(objects: ObjectStore) {
  return async function snippetsOf(
    rows: readonly Row[],
    pattern: RegExp,
  ): Promise<ReadonlyMap<Row, string>> {
    const snippets = new Map<Row, string>();
    let left = answerCharacters;
    /** Searches one text with an equal share of the remaining limit. Unused shares go to the next texts. */
    const look = async (row: Row, text: string, waiting: number): Promise<void> => {
      const share = Math.floor(left / Math.max(1, waiting));
      const work = { left: share };
      const snippet = await snippetOf(text, pattern, work);
      left -= share - work.left;
      if (snippet !== undefined) snippets.set(row, snippet);
    };
    const leads = await Promise.all(rows.map(leadOf));
    for (const [at, lead] of leads.entries()) {
      const row = rows[at];
      if (row !== undefined && lead !== undefined) await look(row, lead, rows.length - at);
    }
    const deep = rows.filter((row, at) => {
      const isLong = (numberOf(row, "text_bytes") ?? 0) > leadBytes;
      return leads[at] !== undefined && !snippets.has(row) && isLong;
    });
    if (left <= 0) return snippets;
    const length = Math.ceil(left / Math.max(1, deep.length));
    const rests = await Promise.all(deep.map((row) => restOf(row, length)));
    for (const [at, row] of deep.entries()) await look(row, rests[at] ?? "", deep.length - at);
    return snippets;
  };

  /** Reads the text after the lead, with some overlap for hits across the border. */
  async function restOf(row: Row, length: number): Promise<string> {
    const sha256 = textOf(row, "text_sha256");
    const offset = leadBytes - 1_000;
    const stored = sha256 && (await objects.get(textKey(sha256), { offset, length }));
    return stored ? Buffer.from(stored.body).toString("utf-8") : "";
  }
}

async function leadOf(row: Row): Promise<string | undefined> {
  const lead = row["lead"];
  if (!(lead instanceof Uint8Array)) return undefined;
  const inflated = lead.byteLength <= smallLead ? inflateRawSync(lead) : await inflate(lead);
  return inflated.toString("utf-8");
}
