import { textRange } from "../../../ports/mail/mail-objects.ts";
import type { MailSummary } from "../../../ports/mail/mail-store.ts";
import type { ObjectStore } from "../../../ports/files/objects.ts";
import type { SqlValue } from "../driver/statement.ts";
import type { Row } from "../driver/statement.ts";
import { numberOf, storedTextOf, summaryOf } from "./mail-row.ts";
import { packedText } from "./packed-text.ts";

/** Characters of a text in which its extract is looked for. */
const mostCharacters = 4_000;
/** Places that are tried: other words may begin like the extract. */
const mostPlaces = 4;
/** Extracts that are read at the same time. More would arrive from the thread of the store in one go. */
const readAtOnce = 50;
/** An extract has at most 280 characters, and white space around each. */
const mostBytes = 2_048;
/** Shorter extracts take as many bytes as their place and a read. Characters. */
const leastCharacters = 12;

/**
 * Returns a summary as the row of a message has it: text, or the place of an extract in the text of the message. Texts
 * took a twelfth of the space of short mail.
 * @param body the text, if it is stored on this machine as a part of the raw message
 */
export function storedSummary({ text, source }: MailSummary, body?: string): SqlValue {
  const place = source === "extract" && body !== undefined ? placeOf(text, body) : undefined;
  return place ?? packedText(text);
}

/** Returns offset, length and whether the extract was cut, as one number. Undefined if the text does not contain it. */
function placeOf(extract: string, body: string): number | undefined {
  const isCut = extract.endsWith("…");
  const wanted = isCut ? extract.slice(0, -1) : extract;
  if (wanted.length < leastCharacters) return undefined;
  const text = body.slice(0, mostCharacters);
  const [beginning = ""] = wanted.split(" ", 1);
  let from = 0;
  for (let tried = 0; tried < mostPlaces; tried += 1) {
    const start = text.indexOf(beginning, from);
    if (start === -1) return undefined;
    const end = endOf(wanted, text, start);
    if (end !== undefined) {
      const [offset, length] = [text.slice(0, start), text.slice(start, end)].map((part) =>
        Buffer.byteLength(part),
      );
      if (offset === undefined || length === undefined || length >= mostBytes) return undefined;
      return (offset * mostBytes + length) * 2 + Number(isCut);
    }
    from = start + 1;
  }
  return undefined;
}

/** Returns the end of a text that is equal except for its white space. */
function endOf(wanted: string, text: string, start: number): number | undefined {
  let at = start;
  for (const [position, word] of wanted.split(" ").entries()) {
    if (position > 0) {
      const [space = ""] = /^\s+/.exec(text.slice(at, at + mostBytes)) ?? [];
      if (space === "") return undefined;
      at += space.length;
    }
    if (!text.startsWith(word, at)) return undefined;
    at += word.length;
  }
  // Half a character has no bytes of its own.
  return text.slice(start, at).isWellFormed() ? at : undefined;
}

/** Creates the reader of the summaries of rows of `mail`. One is empty if its text cannot be read. */
export function summaryReader(objects: ObjectStore) {
  async function summaryIn(row: Row): Promise<string> {
    const place = numberOf(row, "summary");
    const text = storedTextOf(row);
    if (place === undefined || text === undefined) return summaryOf(row)?.text ?? "";
    const [offset, length] = [Math.floor(place / 2 / mostBytes), Math.floor(place / 2) % mostBytes];
    const { key, ...range } = textRange(text, { offset, length });
    const stored = await objects.get(key, range).catch(() => undefined);
    const extract = Buffer.from(stored?.body ?? []).toString("utf-8");
    return extract.replace(/\s+/g, " ") + (place % 2 === 1 && extract !== "" ? "…" : "");
  }

  return async function summariesOf(rows: readonly Row[]): Promise<Map<Row, string>> {
    const summaries = new Map<Row, string>();
    for (let from = 0; from < rows.length; from += readAtOnce) {
      const some = rows.slice(from, from + readAtOnce);
      const found = await Promise.all(some.map(summaryIn));
      for (const [at, row] of some.entries()) summaries.set(row, found[at] ?? "");
    }
    return summaries;
  };
}
