import { inIndexSpelling } from "../reading/normalise.ts";
import { type Reading, spanOf } from "../reading/reading.ts";
import { isPrintable } from "../reading/tokens.ts";

const marks = /\p{M}+/gu;
const umlautPair = /([aou])e/g;

/**
 * Returns whether a word of a reading is hard to recognise in the outgoing text: at least half of its letters are written
 * as something else or apart from each other. An accent in another spelling, or one hyphen, is no disguise. Words in other
 * scripts than Latin never count, because addresses from browsers encode all their letters.
 */
export function isDisguised(
  reading: Reading,
  { text, start, end }: { text: string; start: number; end: number },
  outgoing: string,
): boolean {
  const places = reading.places();
  if (places === undefined || !isPrintable.test(text)) return false;
  const span = spanOf(reading, start, end);
  const written = plainLetters(outgoing.slice(span.start, span.end));
  // An encoded run can have words around it that stay the same, and a compound has all its words.
  if (written.includes(text) || written.replace(umlautPair, "$1").includes(text)) return false;
  let changed = 0;
  let isPlainBefore = false;
  for (let at = start; at < end; at += 1) {
    const [from, to] = [places.from[at] ?? 0, places.to[at] ?? 0];
    // Accents follow their letter.
    const isPlain = plainLetters(outgoing.slice(from, to)) === reading.text[at];
    const isApart = isPlain && isPlainBefore && from !== places.to[at - 1];
    if (!isPlain || isApart) changed += 1;
    isPlainBefore = isPlain;
  }
  return changed * 2 >= end - start;
}

function plainLetters(written: string): string {
  return inIndexSpelling(written.toLowerCase().normalize("NFD").replace(marks, ""));
}
