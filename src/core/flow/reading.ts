/**
 * One way to read a text. Each UTF-16 unit of `text` came from the units `from[i]` to `to[i]` of the outgoing text, so
 * that a match in a decoded text can be marked in the text that is sent.
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

/** Reads a text unchanged. */
export function verbatim(text: string): Reading {
  const from = Array.from({ length: text.length }, (_, index) => index);
  return { text, from, to: from.map((index) => index + 1) };
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

/**
 * Replaces each match of `form`. A match stays if `replace` returns undefined. Returns undefined if nothing changed.
 */
export function replaced(
  source: Reading,
  form: RegExp,
  replace: (match: string) => string | undefined,
): Reading | undefined {
  const writer = new ReadingWriter(source);
  let copied = 0;
  let isChanged = false;
  for (const { 0: match, index } of source.text.matchAll(form)) {
    const text = replace(match);
    if (text === undefined || text === match) continue;
    writer.copy(copied, index);
    writer.put(text, index, index + match.length);
    copied = index + match.length;
    isChanged = true;
  }
  if (!isChanged) return undefined;
  writer.copy(copied, source.text.length);
  return writer.done();
}

/** Reverses a reading by UTF-16 units. */
export function reversed({ text, from, to }: Reading): Reading {
  return {
    text: Array.from({ length: text.length }, (_, index) => text[text.length - 1 - index]).join(""),
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
