import type { Line } from "../../core/tool/tool.ts";

/** A value before and after a change, for highlighting the difference. */
export interface ValueChange {
  /** The changed field, if the labels name it: `title` of `title before` and `title after`. */
  what: string;
  before: Line;
  after: Line;
}

/** Joins neighbouring lines that are labelled before and after. */
export function pairUp(lines: readonly Line[]): readonly (Line | ValueChange)[] {
  const paired: (Line | ValueChange)[] = [];
  for (const line of lines) {
    const previous = paired.at(-1);
    const stem = /^(.*?)\s*\bafter$/i.exec(line.label)?.[1];
    const isPair =
      stem !== undefined &&
      previous !== undefined &&
      "label" in previous &&
      /^(.*?)\s*\bbefore$/i.exec(previous.label)?.[1] === stem;
    if (isPair) paired.splice(-1, 1, { what: stem, before: previous, after: line });
    else paired.push(line);
  }
  return paired;
}

/** A text in three parts: a common start, the difference, and a common end. */
export type Parts = readonly [start: string, changed: string, end: string];

/** Splits two texts into their parts, by whole words. */
export function changedParts(before: string, after: string): { before: Parts; after: Parts } {
  const [was, is] = [before, after].map((text) => text.split(/(?<=\s)|(?=\s)/u));
  if (was === undefined || is === undefined) throw new TypeError("expected two texts");
  const most = Math.min(was.length, is.length);
  let start = 0;
  while (start < most && was[start] === is[start]) start += 1;
  let end = 0;
  while (end < most - start && was.at(-1 - end) === is.at(-1 - end)) end += 1;
  const cut = (words: readonly string[]): Parts => [
    words.slice(0, start).join(""),
    words.slice(start, words.length - end).join(""),
    words.slice(words.length - end).join(""),
  ];
  return { before: cut(was), after: cut(is) };
}
