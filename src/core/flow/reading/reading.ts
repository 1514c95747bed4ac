import { type Token, tokensOf } from "./tokens.ts";

/** An outgoing text is too long, or decodes in too many ways, to be compared. A person must then be asked. */
export class NotCompared extends Error {}

/** The places in the outgoing text from which each UTF-16 unit of a reading comes. */
interface Places {
  from: Int32Array;
  to: Int32Array;
}

/**
 * One way to read an outgoing text, for example decoded. Each UTF-16 unit `text[i]` comes from the units
 * `places().from[i]` to `places().to[i]` of the outgoing text, so a match can be marked there.
 */
export interface Reading {
  text: string;
  /** Computes the places at the first use, because most readings have no match. Undefined if all are the same. */
  places: () => Places | undefined;
  /** Computes the tokens at the first use. */
  tokens: () => readonly Token[];
}

/** A part of the outgoing text, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

/** A class, because one comparison makes dozens of readings and needs the places of hardly any. */
class TextReading implements Reading {
  readonly text: string;
  readonly #make: () => Places | undefined;
  #places: Places | undefined;
  #tokens: readonly Token[] | undefined;

  constructor(text: string, make: () => Places | undefined) {
    this.text = text;
    this.#make = make;
  }

  places(): Places | undefined {
    return (this.#places ??= this.#make());
  }

  tokens(): readonly Token[] {
    return (this.#tokens ??= tokensOf(this.text));
  }
}

/** Returns the reading of a text without changes. */
export function verbatim(text: string): Reading {
  return new TextReading(text, () => undefined);
}

function placesOf(source: Reading): Places {
  const { text } = source;
  const known = source.places();
  if (known !== undefined) return known;
  const from = new Int32Array(text.length);
  const to = new Int32Array(text.length);
  // Filling them through an iterator takes ten times longer.
  for (let unit = 0; unit < text.length; unit += 1) {
    from[unit] = unit;
    to[unit] = unit + 1;
  }
  return { from, to };
}

/** Returns a reading whose text has other characters at the same places. */
export function respelled(source: Reading, text: string): Reading {
  return new TextReading(text, () => source.places());
}

/** Replaces each match of `form`, unless `replace` returns undefined for it. Returns undefined if nothing changed. */
export function replaced(
  source: Reading,
  form: RegExp,
  replace: (match: string) => string | undefined,
): Reading | undefined {
  let changes: Change[] | undefined;
  let from = 0;
  for (;;) {
    // `matchAll` would copy the form, which takes longer than a search without a match. The place of each search is
    // ours, because `replace` may search with the same form, and may throw.
    form.lastIndex = from;
    const found = form.exec(source.text);
    // A form that is not global finds its first match again and again.
    if (found === null || found.index < from) break;
    const { 0: match, index } = found;
    // A form that matches nothing would match at the same place again.
    from = index + Math.max(1, match.length);
    const text = replace(match);
    if (text === undefined || text === match) continue;
    changes ??= [];
    changes.push({ start: index, end: index + match.length, text });
  }
  return changes && replacedAt(source, changes);
}

export interface Change extends Span {
  text: string;
}

/** Replaces parts of a reading, given in the order of the text. Returns undefined if there are none. */
export function replacedAt(source: Reading, changes: readonly Change[]): Reading | undefined {
  if (changes.length === 0) return undefined;
  let text = "";
  let copied = 0;
  for (const change of changes) {
    text += source.text.slice(copied, change.start) + change.text;
    copied = change.end;
  }
  text += source.text.slice(copied);
  const { length } = text;
  return new TextReading(text, () => placesAfter(source, changes, length));
}

function placesAfter(source: Reading, changes: readonly Change[], length: number): Places {
  const places = placesOf(source);
  const from = new Int32Array(length);
  const to = new Int32Array(length);
  let next = 0;
  let copied = 0;
  const copyUntil = (end: number): void => {
    from.set(places.from.subarray(copied, end), next);
    to.set(places.to.subarray(copied, end), next);
    next += end - copied;
  };
  for (const { start, end, text } of changes) {
    copyUntil(start);
    const whole = spanOf(source, start, end);
    from.fill(whole.start, next, next + text.length);
    to.fill(whole.end, next, next + text.length);
    next += text.length;
    copied = end;
  }
  copyUntil(source.text.length);
  return { from, to };
}

let unitsNow = new Uint16Array(1_024);
let bytesNow = Buffer.from(unitsNow.buffer);

/** Returns an array for the units of a text that is built now. The next text is built in the same array. */
export function unitsFor(length: number): Uint16Array {
  if (length > unitsNow.length) {
    unitsNow = new Uint16Array(length * 2);
    bytesNow = Buffer.from(unitsNow.buffer);
  }
  return unitsNow;
}

/** Builds a text from UTF-16 units. Strings with one unit more each would need a collection every few comparisons. */
export function textOfUnits(units: Uint16Array, length: number): string {
  const bytes = units === unitsNow ? bytesNow : Buffer.from(units.buffer);
  return bytes.toString("utf16le", 0, length * 2);
}

/** Returns the units of a reading at these places, one after the other. */
export function picked(source: Reading, chosen: ArrayLike<number>): Reading {
  const units = unitsFor(chosen.length);
  for (let at = 0; at < chosen.length; at += 1) units[at] = source.text.charCodeAt(chosen[at] ?? 0);
  return new TextReading(textOfUnits(units, chosen.length), () => {
    const { from, to } = placesOf(source);
    return {
      from: Int32Array.from(chosen, (at) => from[at] ?? 0),
      to: Int32Array.from(chosen, (at) => to[at] ?? 0),
    };
  });
}

/** Returns the characters of a text in the opposite order. */
export function backwards(text: string): string {
  return Array.from(text).toReversed().join("");
}

/** Returns the part of a reading from `start` to `end`. */
export function partOf(source: Reading, start: number, end: number): Reading {
  return new TextReading(source.text.slice(start, end), () => {
    const { from, to } = placesOf(source);
    return { from: from.slice(start, end), to: to.slice(start, end) };
  });
}

/** Reverses a reading by UTF-16 units. */
export function reversed(source: Reading): Reading {
  const { length } = source.text;
  const units = unitsFor(length);
  for (let at = 0; at < length; at += 1) units[length - 1 - at] = source.text.charCodeAt(at);
  return new TextReading(textOfUnits(units, length), () => {
    const { from, to } = placesOf(source);
    return { from: from.toReversed(), to: to.toReversed() };
  });
}

/** Returns the part of the outgoing text that the units `start` to `end` of a reading came from. */
export function spanOf(reading: Pick<Reading, "places">, start: number, end: number): Span {
  const places = reading.places();
  if (places === undefined) return { start, end };
  const { from, to } = places;
  let span = { start: from[start] ?? 0, end: to[start] ?? 0 };
  for (let unit = start + 1; unit < end; unit += 1) {
    span = {
      start: Math.min(span.start, from[unit] ?? span.start),
      end: Math.max(span.end, to[unit] ?? span.end),
    };
  }
  return span;
}
