import { promisify } from "node:util";
import { inflateRaw, inflateRawSync } from "node:zlib";
import { spend, turn } from "../../../core/shared/event-loop.ts";
import { textRange } from "../../../ports/mail/mail-objects.ts";
import type { ObjectStore } from "../../../ports/files/objects.ts";
import type { Row } from "../driver/statement.ts";
import { numberOf, storedTextOf } from "../mail/mail-row.ts";
import { type HitPattern, snippetOf } from "./snippet.ts";

const inflate = promisify(inflateRaw);

/** Bytes of a text that are searched first. Later hits are searched only in texts without an earlier one. */
const leadBytes = 32_000;

/** Compressed bytes up to which inflating is cheaper than sending to another thread. */
const smallLead = 8_192;

/** Beginnings that are read together. More would arrive from the thread of the store in one go. */
const readAtOnce = 5;

/**
 * Folded characters for the snippets of one result: the leads of fifty messages, or one long message. A later hit has
 * no snippet.
 */
const answerCharacters = 2_500_000;

/** Creates the search for the snippets of one page, within one limit for all of them. */
export function snippetFinder(objects: ObjectStore) {
  return async function snippetsOf(
    rows: readonly Row[],
    patterns: readonly HitPattern[],
  ): Promise<ReadonlyMap<Row, string>> {
    const snippets = new Map<Row, string>();
    let left = answerCharacters;
    /** Searches one text with an equal share of the remaining limit. Unused shares go to the next texts. */
    const search = async (row: Row, text: string, waiting: number): Promise<void> => {
      const share = Math.floor(left / Math.max(1, waiting));
      const work = { left: share };
      const snippet = await snippetOf(text, patterns, work);
      left -= share - work.left;
      if (snippet !== undefined) snippets.set(row, snippet);
    };
    const withText = rows.filter((row) => (numberOf(row, "text_bytes") ?? 0) > 0);
    for (let from = 0; from < withText.length; from += readAtOnce) {
      const group = withText.slice(from, from + readAtOnce);
      const beginnings = await Promise.all(group.map(beginningOf));
      for (const [at, row] of group.entries()) {
        // One at a time: the texts of many simultaneous searches would otherwise be decoded in one go.
        await turn();
        const stored = beginnings[at];
        const lead = stored === undefined ? await leadOf(row) : decoded(stored);
        spend(lead.length);
        await search(row, lead, withText.length - from - at);
      }
    }
    const deep = withText.filter(
      (row) => !snippets.has(row) && (numberOf(row, "text_bytes") ?? 0) > leadBytes,
    );
    if (left <= 0) return snippets;
    const length = Math.ceil(left / Math.max(1, deep.length));
    const rests = await Promise.all(deep.map((row) => restOf(row, length)));
    for (const [at, row] of deep.entries()) {
      await turn();
      const rest = Buffer.from(rests[at] ?? new Uint8Array()).toString("utf-8");
      spend(rest.length);
      await search(row, rest, deep.length - at);
    }
    return snippets;
  };

  /** Reads the beginning of a text without a lead: of the embedded store, or of mail that was copied from it. */
  async function beginningOf(row: Row): Promise<Uint8Array | undefined> {
    if (row["lead"] instanceof Uint8Array) return undefined;
    // A message is a hit even if its text cannot be read.
    const stored = await windowOf(row, { offset: 0, length: leadBytes }).catch(() => undefined);
    return stored ?? new Uint8Array();
  }

  /** Reads the text after the lead, with some overlap for hits across the border. */
  async function restOf(row: Row, length: number): Promise<Uint8Array | undefined> {
    return await windowOf(row, { offset: leadBytes - 1_000, length });
  }

  async function windowOf(
    row: Row,
    window: { offset: number; length: number },
  ): Promise<Uint8Array | undefined> {
    const text = storedTextOf(row);
    if (text === undefined) return undefined;
    const { key, ...range } = textRange(text, window);
    return (await objects.get(key, range))?.body;
  }
}

/** Decodes the beginning of a text, of which the last character may be cut. */
function decoded({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength)
    .toString("utf-8")
    .replace(/\uFFFD+$/, "");
}

async function leadOf(row: Row): Promise<string> {
  const lead = row["lead"];
  if (!(lead instanceof Uint8Array)) return "";
  const inflated = lead.byteLength <= smallLead ? inflateRawSync(lead) : await inflate(lead);
  return inflated.toString("utf-8");
}
