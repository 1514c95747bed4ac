import { type Token, tokensOf } from "./tokens.ts";

/** An outgoing text is too long, or decodes in too many ways, to be compared. A person must then be asked. */
export class NotCompared extends Error {}

/** The places in the outgoing text from which each UTF-16 unit of a reading comes. */
interface Places {
  from: readonly number[];
  to: readonly number[];
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
  const from: number[] = [];
  const to: number[] = [];
  for (let unit = 0; unit < text.length; unit += 1) {
    from.push(unit);
    to.push(unit + 1);
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

interface Change extends Span {
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
  return new TextReading(text + source.text.slice(copied), () => placesAfter(source, changes));
}

function placesAfter(source: Reading, changes: readonly Change[]): Places {
  const places = placesOf(source);
  const from: number[] = [];
  const to: number[] = [];
  let unit = 0;
  const copyUntil = (end: number): void => {
    for (; unit < end; unit += 1) {
      from.push(places.from[unit] ?? 0);
      to.push(places.to[unit] ?? 0);
    }
  };
  for (const { start, end, text } of changes) {
    copyUntil(start);
    const whole = spanOf(source, start, end);
    for (let at = 0; at < text.length; at += 1) {
      from.push(whole.start);
      to.push(whole.end);
    }
    unit = end;
  }
  copyUntil(source.text.length);
  return { from, to };
}

/** Returns the units of a reading at these places, one after the other. */
export function picked(source: Reading, chosen: readonly number[]): Reading {
  const text = String.fromCharCode(...chosen.map((at) => source.text.charCodeAt(at)));
  return new TextReading(text, () => {
    const { from, to } = placesOf(source);
    return {
      from: chosen.map((at) => from[at] ?? 0),
      to: chosen.map((at) => to[at] ?? 0),
    };
  });
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
  let backwards = "";
  for (let unit = source.text.length - 1; unit >= 0; unit -= 1) backwards += source.text[unit];
  return new TextReading(backwards, () => {
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
