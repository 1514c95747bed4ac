import type { Span } from "./reading.ts";

/** The characters of base64 in its forms, and those of them that ordinary words do not have. */
const [inRun, isOdd] = [1, 2];
const kinds = Uint8Array.from({ length: 128 }, (_, unit) => {
  const sign = String.fromCharCode(unit);
  return (/[\w+/=-]/.test(sign) ? inRun : 0) | (/[A-Z\d=]/.test(sign) ? isOdd : 0);
});

/** The last text and its runs, because several forms of one text are searched in them. */
let last: { text: string; runs: readonly Span[] } = { text: "", runs: [] };

/**
 * Returns the parts of a text that may be encoded: letters, digits and signs of base64 in a row, with a capital, a digit
 * or padding. Most texts have few of them, so that the forms of encoded text are searched in a few characters only.
 */
function oddRuns(text: string): readonly Span[] {
  if (last.text === text) return last.runs;
  const runs: Span[] = [];
  let start = -1;
  let kind = 0;
  for (let at = 0; at <= text.length; at += 1) {
    // Undefined at the end of the text, and for other characters than those of ASCII.
    const own = kinds[text.charCodeAt(at)] ?? 0;
    if ((own & inRun) !== 0) {
      if (start < 0) start = at;
      kind |= own;
    } else if (start >= 0) {
      if ((kind & isOdd) !== 0) runs.push({ start, end: at });
      start = -1;
      kind = 0;
    }
  }
  last = { text, runs };
  return runs;
}

/** Returns the matches of a form whose matches are parts of such runs. @param shortest the fewest characters of a match */
export function matchesInRuns(
  text: string,
  form: RegExp,
  shortest: number,
): (Span & { run: string })[] {
  const found: (Span & { run: string })[] = [];
  for (const { start, end } of oddRuns(text)) {
    if (end - start < shortest) continue;
    const own = text.slice(start, end);
    form.lastIndex = 0;
    for (let match = form.exec(own); match !== null; match = form.exec(own)) {
      const [run] = match;
      found.push({ run, start: start + match.index, end: start + match.index + run.length });
    }
  }
  return found;
}

/** Parts that may be encoded. The second alternative is hexadecimal without letters. */
const oddParts =
  /(?<![\w+/=-])(?:(?=[\w+/-]*(?:\d|[\w+/-][A-Z]))(?=\d*[A-Za-z])[\w+/-]{3,}={0,2}|(?:[3-7]\d){2,12})(?![\w+/=-])/g;

const shortestPart = 3;

/** Returns the parts of a text that may be encoded: no words, and few numbers. */
export function encodedParts(text: string): readonly string[] {
  return matchesInRuns(text, oddParts, shortestPart).map(({ run }) => run);
}
