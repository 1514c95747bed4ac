/** One step of a path to a value: a key, or the list element whose `name` is this. */
export type ConfigKey = string | { readonly named: string };

/** Edits a text of one format. Comments, order and the formatting of other entries are kept. */
export interface ConfigFormat {
  /** Returns the content as data, undefined for an empty text. @throws ConfigSyntaxError */
  parse(text: string): unknown;
  /** Returns the text with this value at the path. Missing parents are created. @throws ConfigSyntaxError */
  set(text: string, path: readonly ConfigKey[], value: object): string;
  /** Returns the text without the value at the path. @throws ConfigSyntaxError */
  remove(text: string, path: readonly ConfigKey[]): string;
}

/** The text cannot be edited: it has a syntax error, or a value on the path has another type. */
export class ConfigSyntaxError extends Error {
  override readonly name = "ConfigSyntaxError";
  /** Counted from 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Returns the number of the line that has this offset, counted from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

const byteOrderMark = "\uFEFF";

/** Returns a text without its byte order mark. */
export function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

/**
 * Edits a text without its byte order mark, and adds the mark again. Some Windows editors write one, and the parser
 * does not accept it.
 */
export function edited(text: string, edit: (body: string) => string): string {
  return text.startsWith(byteOrderMark) ? `${byteOrderMark}${edit(text.slice(1))}` : edit(text);
}
