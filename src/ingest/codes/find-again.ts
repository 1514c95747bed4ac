import type { TextRange } from "./text-ranges.ts";

/** The longest value that is searched as a code. Longer values are searched exactly. Characters. */
const longestCode = 16;
const shortest = 4;
/**
 * Limit on longer values that are searched, each in the whole text. A message with more is a list, whose values were
 * already found.
 */
const mostLong = 200;

const separators = /[\s\-–·.|•]/g;
const isWordSign = (sign: string | undefined): boolean =>
  sign !== undefined && /[A-Za-z0-9]/.test(sign);

/** Finds values of a message again, and codes also in another grouping. One pass is enough for all codes. */
export function findAgain(text: string, values: Iterable<string>): TextRange[] {
  const codes = new Set<string>();
  const long: string[] = [];
  for (const value of values) {
    const plain = value.replace(separators, "");
    if (plain.length < shortest) continue;
    if (plain.length <= longestCode && /^[A-Za-z0-9]+$/.test(plain)) codes.add(plain);
    else long.push(value);
  }
  return [
    ...(codes.size === 0 ? [] : codesIn(text, codes)),
    ...long.slice(0, mostLong).flatMap((value) => placesOfValue(text, value)),
  ];
}

function codesIn(text: string, codes: ReadonlySet<string>): TextRange[] {
  const runs = [...text.matchAll(/[A-Za-z0-9]+/g)].map(({ 0: run, index }) => ({ run, index }));
  const found: TextRange[] = [];
  for (const [first, { index: start }] of runs.entries()) {
    let code = "";
    let end = start;
    for (let at = first; at < runs.length; at += 1) {
      const { run, index } = runs[at] as { run: string; index: number };
      const gap = text.slice(end, index);
      if (at > first && !/^[ \-–·]$/.test(gap)) break;
      code += run;
      end = index + run.length;
      if (code.length > longestCode) break;
      if (codes.has(code)) found.push({ start, end });
    }
  }
  return found;
}

function placesOfValue(text: string, value: string): TextRange[] {
  const found: TextRange[] = [];
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) {
    const end = at + value.length;
    if (!isWordSign(text[at - 1]) && !isWordSign(text[end])) found.push({ start: at, end });
  }
  return found;
}
