/**
 * One way to read an outgoing text, for example decoded. Each UTF-16 unit `text[i]` comes from the units `from[i]` to
 * `to[i]` of the outgoing text, so a match can be marked there.
 */
export interface Reading {
  text: string;
  from: readonly number[];
  to: readonly number[];
}

/** A part of the outgoing text, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

/** Returns the reading of a text without changes. */
export function verbatim(text: string): Reading {
  const from: number[] = [];
  const to: number[] = [];
  for (let unit = 0; unit < text.length; unit += 1) {
    from.push(unit);
    to.push(unit + 1);
  }
  return { text, from, to };
}

/** Collects a new reading piece by piece. */
class ReadingWriter {
  #text = "";
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #source: Reading;

  constructor(source: Reading) {
    this.#source = source;
  }

  /** Appends `text` in place of the units `start` to `end` of the source. */
  put(text: string, start: number, end: number): void {
    const first = this.#source.from[start];
    const last = this.#source.to[end - 1];
    if (text === "" || first === undefined || last === undefined) return;
    this.#text += text;
    // In a reversed source the positions count down.
    const from = Math.min(first, this.#source.from[end - 1] ?? first);
    const to = Math.max(last, this.#source.to[start] ?? last);
    for (let unit = 0; unit < text.length; unit += 1) {
      this.#from.push(from);
      this.#to.push(to);
    }
  }

  /** Appends the units `start` to `end` of the source unchanged. */
  copy(start: number, end: number): void {
    this.#text += this.#source.text.slice(start, end);
    for (let unit = start; unit < end; unit += 1) {
      this.#from.push(this.#source.from[unit] ?? 0);
      this.#to.push(this.#source.to[unit] ?? 0);
    }
  }

  done(): Reading {
    return { text: this.#text, from: this.#from, to: this.#to };
  }
}

/** Replaces each match of `form`, unless `replace` returns undefined for it. Returns undefined if nothing changed. */
export function replaced(
  source: Reading,
  form: RegExp,
  replace: (match: string) => string | undefined,
): Reading | undefined {
  const changes: Change[] = [];
  for (const { 0: match, index } of source.text.matchAll(form)) {
    const text = replace(match);
    if (text === undefined || text === match) continue;
    changes.push({ start: index, end: index + match.length, text });
  }
  return replacedAt(source, changes);
}

interface Change extends Span {
  text: string;
}

/** Replaces parts of a reading, given in the order of the text. Returns undefined if there are none. */
export function replacedAt(source: Reading, changes: readonly Change[]): Reading | undefined {
  if (changes.length === 0) return undefined;
  const writer = new ReadingWriter(source);
  let copied = 0;
  for (const { start, end, text } of changes) {
    writer.copy(copied, start);
    writer.put(text, start, end);
    copied = end;
  }
  writer.copy(copied, source.text.length);
  return writer.done();
}

/** Reverses a reading by UTF-16 units. */
export function reversed({ text, from, to }: Reading): Reading {
  let backwards = "";
  for (let unit = text.length - 1; unit >= 0; unit -= 1) backwards += text[unit];
  return {
    text: backwards,
    from: from.toReversed(),
    to: to.toReversed(),
  };
}

/** Returns the part of the outgoing text that the units `start` to `end` of a reading came from. */
export function spanOf({ from, to }: Reading, start: number, end: number): Span {
  let span = { start: from[start] ?? 0, end: to[start] ?? 0 };
  for (let unit = start + 1; unit < end; unit += 1) {
    span = {
      start: Math.min(span.start, from[unit] ?? span.start),
      end: Math.max(span.end, to[unit] ?? span.end),
    };
  }
  return span;
}
