import type { TextRange } from "./text-ranges.ts";

/** Codes beside a found one. A longer list is a table. */
const mostBeside = 16;
const shortestBeside = 6;
const formOf = (value: string): string =>
  value.replace(/\d/g, "9").replace(/[A-Z]/g, "A").replace(/[a-z]/g, "a");

/** Returns the values of the same form that follow or precede a code, with only separators between them. */
export function neighboursOf(text: string, { start, end }: TextRange): TextRange[] {
  const value = text.slice(start, end);
  if (value.length < shortestBeside || !/^[A-Za-z0-9-]+$/.test(value) || !/\d/.test(value))
    return [];
  // Groups of random letters and digits differ in their form.
  const sameForm = value.includes("-") ? shapeOf : formOf;
  const form = sameForm(value);
  const found: TextRange[] = [];
  for (const step of [1, -1]) {
    let at = step === 1 ? end : start;
    while (found.length < mostBeside) {
      const next =
        step === 1
          ? /^[\s,;|/·•]{1,4}([A-Za-z0-9-]+)(?![\w-])/.exec(text.slice(at, at + 80))
          : /(?<![\w-])([A-Za-z0-9-]+)[\s,;|/·•]{1,4}$/.exec(text.slice(Math.max(0, at - 80), at));
      const [whole = "", other = ""] = next ?? [];
      if (sameForm(other) !== form || !/\d/.test(other)) break;
      const first = step === 1 ? at + whole.length - other.length : at - whole.length;
      found.push({ start: first, end: first + other.length });
      at = step === 1 ? first + other.length : first;
    }
  }
  return found;
}

/** The mark or number before a value in a line of a list. */
const mark = String.raw`[ \t>*•·–-]{0,6}(?:\d{1,2}(?:[.):]|[ \t]*\|)[ \t]*)?`;
const beforeValue = new RegExp(`^${mark}$`, "u");
const lineOfList = new RegExp(String.raw`^(${mark})(\S(?:.*\S)?)[ \t]*$`, "u");
const wordFirst = /^[A-Za-z]{3,10}(?= \d+$)/;
const shapeOf = (value: string): string =>
  value.replace(wordFirst, "word").replace(/[A-Za-z\d]/g, "x");

/** Returns the values of the same shape in the lines above and below, if a code has a line of its own: backup codes. */
export function inSameList(text: string, { start, end }: TextRange): TextRange[] {
  const value = text.slice(start, end);
  if (value.length < shortestBeside || !/\d/.test(value) || !/^[A-Za-z\d -]+$/.test(value))
    return [];
  const first = text.lastIndexOf("\n", start - 1) + 1;
  const last = text.indexOf("\n", end);
  const rest = last === -1 ? text.slice(end) : text.slice(end, last);
  if (!beforeValue.test(text.slice(first, start)) || rest.trim() !== "") return [];
  const shape = shapeOf(value);
  const found: TextRange[] = [];
  for (const isBelow of [true, false]) {
    let at = isBelow ? last : first - 1;
    while (found.length < mostBeside && at > 0 && at < text.length) {
      const from = isBelow ? at + 1 : text.lastIndexOf("\n", at - 1) + 1;
      const to = isBelow ? text.indexOf("\n", from) : at;
      const line = text.slice(from, to === -1 ? text.length : to);
      const [, before = "", other = ""] = lineOfList.exec(line) ?? [];
      if (line.trim() !== "" && shapeOf(other) !== shape) break;
      if (other !== "")
        found.push({ start: from + before.length, end: from + before.length + other.length });
      if (isBelow && to === -1) break;
      at = isBelow ? to : from - 1;
    }
  }
  return found;
}
