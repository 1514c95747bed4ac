/** A place in a text, from `start` to before `end`. UTF-16 units. */
export interface TextRange {
  start: number;
  end: number;
}

/** Finds all matches of a global pattern. */
export function placesOf(pattern: RegExp, text: string): TextRange[] {
  const places: TextRange[] = [];
  // `matchAll` would copy the pattern for each text.
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const end = pattern.lastIndex;
    places.push({ start: match.index, end });
    if (end === match.index) pattern.lastIndex += 1;
  }
  return places;
}

/** More characters than the first word of any such match has. */
const beforeHyphen = 14;

/**
 * Finds the matches of a sticky pattern that begin with a whole word and a hyphen. Hyphens are found much faster than
 * words, of which most have none.
 */
export function placesAtHyphens(pattern: RegExp, text: string): TextRange[] {
  const places: TextRange[] = [];
  let end = 0;
  for (let at = text.indexOf("-"); at !== -1; at = text.indexOf("-", Math.max(at + 1, end))) {
    // Most hyphens are beside blanks or in lines of them.
    if (!isLatin(text.charCodeAt(at - 1)) || !isLatin(text.charCodeAt(at + 1))) continue;
    let start = at - 1;
    while (start > end && at - start < beforeHyphen && isLatin(text.charCodeAt(start - 1)))
      start -= 1;
    pattern.lastIndex = start;
    if (!pattern.test(text)) continue;
    end = pattern.lastIndex;
    places.push({ start, end });
  }
  return places;
}

/** Returns whether a UTF-16 unit is a Latin letter. A division sign is in the ranges of some patterns. */
function isLatin(unit: number): boolean {
  const small = unit | 0x20;
  return (
    (small >= 0x61 && small <= 0x7a) ||
    (unit >= 0xaa &&
      (unit === 0xaa ||
        unit === 0xba ||
        (unit >= 0xc0 && unit <= 0x2af && unit !== 0xd7) ||
        (unit >= 0x1e00 && unit <= 0x1eff)))
  );
}

// A full-width bracket behind a URL is read as an ASCII one.
const addresses =
  /(?:\b[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/|\b[Ww]{3}\.)(?:\[\w{1,40}\]=|\|(?=[\da-f]{6})|(?![<>"'|()\]}])[!-~])+/g;
/** A part of every URL. */
const addressStem = /:\/\/|[Ww]{3}\./g;

/** Characters from the beginning of a URL to its stem. */
const beforeStem = 22;

/** Finds the URLs of a text, with punctuation that follows them. Only the text around each stem is searched. */
export function addressesIn(text: string): TextRange[] {
  const places: TextRange[] = [];
  let end = 0;
  for (;;) {
    addressStem.lastIndex = end;
    const stem = addressStem.exec(text);
    if (stem === null) break;
    addresses.lastIndex = Math.max(end, stem.index - beforeStem);
    const found = addresses.exec(text);
    if (found === null) break;
    end = addresses.lastIndex;
    places.push({ start: found.index, end });
  }
  return places;
}

/** Characters around a place in which a pattern may match. */
const reach = 100;

/**
 * Finds the matches of a pattern near places, in their order. Most mails have none, and finding the places is much faster
 * than searching the pattern.
 * @param text in lower case, like the patterns
 */
export function placesNear(pattern: RegExp, near: readonly TextRange[], text: string): TextRange[] {
  const places: TextRange[] = [];
  let from = -1;
  let to = -1;
  const search = (): void => {
    if (from === -1) return;
    for (const { start, end } of placesOf(pattern, text.slice(from, to)))
      places.push({ start: start + from, end: end + from });
  };
  for (const { start } of near) {
    if (from !== -1 && start - reach <= to) {
      to = start + reach;
      continue;
    }
    search();
    from = Math.max(0, start - reach);
    to = start + reach;
  }
  search();
  return places;
}
