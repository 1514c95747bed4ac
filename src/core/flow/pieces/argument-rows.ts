import type { Span } from "../reading/reading.ts";

// A secret can be spread over the fields and list items of one call, one part in each.

/** Longer values are texts of their own and no parts. Characters. */
const longestPart = 80;
/** Limits on values of one row, and on the characters of all rows of a call. More values are a table. */
const mostParts = 200;
const longestRows = 2_400;
/** The same for numbers. A code of four digits is in hundreds of them by chance. */
const mostNumbers = 20;
/** Fewest values whose common beginning and end are left out even within a word. */
const fewestAlike = 3;

/** A value or field name of a call, with its line in the outgoing text. */
export interface ArgumentPart {
  text: string;
  line: number;
}

/** Values of one call that belong together, in rows. They are compared besides the outgoing text. */
export interface ArgumentRows {
  text: string;
  /** Returns the lines of the outgoing text that have this part of the rows, from the first to the last. */
  linesOf: (span: Span) => { first: number; last: number };
}

/**
 * Returns rows of the parts of each group: with spaces, and also without if each part is one word. Further rows leave
 * out the text that all parts have in common, such as `item 1: `. Undefined if no group has two parts.
 */
export function rowsOf(groups: readonly (readonly ArgumentPart[])[]): ArgumentRows | undefined {
  let text = "";
  const places: { start: number; end: number; line: number }[] = [];
  const known = new Set<string>();
  const add = (row: readonly ArgumentPart[], separator: string): void => {
    const joined = row.map((part) => part.text).join(separator);
    if (known.has(joined) || text.length + joined.length > longestRows) return;
    known.add(joined);
    for (const { text: own, line } of row) {
      places.push({ start: text.length, end: text.length + own.length, line });
      text += own + separator;
    }
    text = `${text.slice(0, text.length - separator.length)}\n`;
  };
  for (const group of groups) {
    const parts = group.filter((part) => part.text.length <= longestPart);
    const most = parts.some(({ text }) => /\p{L}/u.test(text)) ? mostParts : mostNumbers;
    if (parts.length > most || new Set(parts.map((part) => part.text)).size < 2) continue;
    const own = withoutFrame(parts);
    for (const row of own === undefined ? [parts] : hasSingles(own) ? [own] : [parts, own]) {
      // Spaces between single characters would make all rows look like words in pieces.
      if (!hasSingles(row)) add(row, " ");
      if (!row.some((part) => /\s/.test(part.text))) add(row, "");
    }
  }
  if (text === "") return undefined;
  return {
    text,
    linesOf: ({ start, end }) => {
      const lines = places
        .filter((place) => place.start < end && place.end > start)
        .map(({ line }) => line);
      return { first: Math.min(...lines), last: Math.max(...lines) };
    },
  };
}

function hasSingles(parts: readonly ArgumentPart[]): boolean {
  return parts.every(({ text }) => text.length === 1);
}

/** Returns what differs between the parts: without their common beginning and end, and without running numbers. */
function withoutFrame(parts: readonly ArgumentPart[]): readonly ArgumentPart[] | undefined {
  const values = parts.map(({ text }) => text);
  const framed = withoutCommon(values);
  const counted = withoutNumbers(framed);
  const own = counted === framed ? framed : withoutCommon(counted);
  return own === values
    ? undefined
    : parts
        .map(({ line }, at) => ({ text: own[at] ?? "", line }))
        .filter(({ text }) => text !== "");
}

function withoutCommon(values: readonly string[]): readonly string[] {
  const start = common(values);
  const rest = start === 0 ? values : values.map((value) => value.slice(start));
  // The module of `backwards` would be loaded by every start of a server.
  const end = common(rest.map((value) => Array.from(value).toReversed().join("")));
  return end === 0 ? rest : rest.map((value) => value.slice(0, value.length - end));
}

/** Returns how many characters all values begin with. Two values often begin with the same character by chance. */
function common(values: readonly string[]): number {
  const [first = ""] = values;
  let length = first.length;
  for (const value of values) {
    let same = 0;
    while (same < length && value[same] === first[same]) same += 1;
    length = same;
  }
  if (values.length >= fewestAlike) return length;
  while (length > 0 && /[\p{L}\p{N}]/u.test(first[length - 1] ?? "")) length -= 1;
  return length;
}

/** Leaves out numbers that count the values from zero or one, at the beginning or the end of each. */
function withoutNumbers(values: readonly string[]): readonly string[] {
  if (values.length < fewestAlike) return values;
  for (const from of [0, 1]) {
    const numbers = values.map((_value, at) => String(at + from));
    if (values.every((value, at) => value.startsWith(numbers[at] ?? "")))
      return values.map((value, at) =>
        value.slice(numbers[at]?.length).replace(/^[^\p{L}\p{N}]+/u, ""),
      );
    if (values.every((value, at) => value.endsWith(numbers[at] ?? "")))
      return values.map((value, at) =>
        value.slice(0, value.length - (numbers[at]?.length ?? 0)).replace(/[^\p{L}\p{N}]+$/u, ""),
      );
  }
  return values;
}
