import {
  type Document,
  type ErrorCode,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
  stringify,
  visit,
} from "yaml";
import { type ConfigFormat, ConfigSyntaxError, type ConfigKey } from "../../ports/config-format.ts";

/**
 * YAML with a list of servers, each with a name. The library is used only to find the places of changes, because it
 * would reformat the whole document.
 */
export const yamlFormat: ConfigFormat = {
  parse: (text) => {
    const { document, lines } = documentOf(text);
    refuseUnknownAlias(document, lines);
    return document.contents === null ? undefined : valueOf(document);
  },
  set: (text, path, value) => {
    const [key, name] = keysOf(path);
    const { document, lines } = documentOf(text);
    const list = listOf(document, key, lines);
    if (list === undefined) return atEnd(text, `${key}:\n${item(value, "  ", "\n")}`);
    if (isInOneLine(list, text) || !isSeq(list))
      return inOneLine(document, { key, name, value, text });
    const own = list.items.find((each) => isNamed(each, name));
    const [from, to] = linesOf(text, own ?? list.items.at(-1) ?? list);
    const made = item(value, indentOf(text, list.items[0]), eolOf(text));
    if (own !== undefined) return `${text.slice(0, from)}${made}${text.slice(to)}`;
    const before = text.slice(0, to);
    const gap = before.endsWith("\n") ? "" : eolOf(text);
    return `${before}${gap}${made}${text.slice(to)}`;
  },
  remove: (text, path) => {
    const [key, name] = keysOf(path);
    const { document, lines } = documentOf(text);
    const list = listOf(document, key, lines);
    const own = isSeq(list) ? list.items.find((each) => isNamed(each, name)) : undefined;
    if (!isSeq(list) || own === undefined) return text;
    if (isInOneLine(list, text)) return withoutItem(text, list, own);
    const [from, to] = linesOf(text, own);
    const before = text.slice(0, from);
    // An empty list must be written explicitly.
    const isOnly = list.items.length === 1;
    return `${isOnly ? before.replace(/:[ \t]*(\r?\n)$/, ": []$1") : before}${text.slice(to)}`;
  },
};

function keysOf(path: readonly ConfigKey[]): readonly [key: string, name: string] {
  const [key, last] = path;
  if (typeof key !== "string" || typeof last !== "object" || path.length !== 2)
    throw new TypeError("in YAML, servers are a list below one key");
  return [key, last.named];
}

function documentOf(text: string): { document: Document; lines: LineCounter } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [first] = document.errors;
  if (first !== undefined)
    throw new ConfigSyntaxError(
      lines.linePos(first.pos[0]).line,
      sentences[first.code] ?? "this is not valid YAML",
    );
  return { document, lines };
}

/** Our words for the faults that a person makes. The library's are for programmers. */
const sentences: Partial<Record<ErrorCode, string>> = {
  BAD_DQ_ESCAPE: "a backslash in double quotes begins no known character",
  BAD_INDENT: "the indentation is wrong, or a bracket is not closed",
  BAD_SCALAR_START: "a value that begins with this character needs quotes",
  BLOCK_AS_IMPLICIT_KEY: "the indentation is wrong, or a value with a colon needs quotes",
  DUPLICATE_KEY: "a key is there twice",
  MISSING_CHAR: "a colon, a quote or a bracket is missing",
  MULTIPLE_DOCS: "there is more than one document",
  TAB_AS_INDENT: "a tab is used for indentation",
};

function refuseUnknownAlias(document: Document, lines: LineCounter): void {
  visit(document, {
    Alias: (_, node) => {
      if (node.resolve(document) !== undefined) return;
      const { line } = lines.linePos(node.range?.[0] ?? 0);
      throw new ConfigSyntaxError(line, `the alias ${node.source} has no anchor`);
    },
  });
}

function valueOf(document: Document): unknown {
  try {
    return document.toJS() as unknown;
  } catch {
    // The library refuses aliases that multiply.
    throw new ConfigSyntaxError(1, "the aliases stand for too much content");
  }
}

/**
 * Returns the list at a key, or undefined if the key is missing.
 * @throws ConfigSyntaxError if the value is not a list
 */
function listOf(document: Document, key: string, lines: LineCounter): YAMLSeq | Node | undefined {
  const { contents } = document;
  if (contents === null) return undefined;
  const fault = (node: Node, message: string): ConfigSyntaxError =>
    new ConfigSyntaxError(lines.linePos(node.range?.[0] ?? 0).line, message);
  if (!isMap(contents)) throw fault(contents, "the content is not a map");
  const node = (contents as YAMLMap).get(key, true) as Node | undefined;
  if (node === undefined || isSeq(node)) return node;
  if (isScalar(node) && node.value === null) return node;
  throw fault(node, `${key} is not a list`);
}

function isNamed(node: unknown, name: string): node is Node {
  return isMap(node) && node.get("name") === name;
}

/** Returns whether the value is `[]`, `[ { ... } ]` or empty. */
function isInOneLine(node: Node, text: string): boolean {
  return !isSeq(node) || text[node.range?.[0] ?? 0] === "[";
}

/** Adds an item to a list in brackets, or writes an empty one on lines of their own. */
function inOneLine(
  document: Document,
  { key, name, value, text }: { key: string; name: string; value: object; text: string },
): string {
  const node = (document.contents as YAMLMap).get(key, true) as Node;
  const [from = 0, to = 0] = node.range ?? [];
  if (!isSeq(node) || node.items.length === 0) {
    const eol = eolOf(text);
    const [, comment = "", below = ""] =
      /^([^\r\n]*)(?:\r?\n)?([\s\S]*)$/.exec(text.slice(to)) ?? [];
    const after = comment.trim() === "" ? "" : ` ${comment.trim()}`;
    const before = `${text.slice(0, from).trimEnd()}${after}`;
    return `${before}${eol}${item(value, "  ", eol)}${below}`;
  }
  const own = node.items.find((each) => isNamed(each, name));
  const [start, end] = rangeOf(own ?? node.items.at(-1));
  const made = inBrackets(value);
  return own === undefined
    ? `${text.slice(0, end)}, ${made}${text.slice(end)}`
    : `${text.slice(0, start)}${made}${text.slice(end)}`;
}

/** Removes an item of a list in brackets, and one comma beside it. */
function withoutItem(text: string, list: YAMLSeq, own: Node): string {
  const [start, end] = rangeOf(own);
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const isLast = list.items.at(-1) === own;
  return isLast
    ? `${before.replace(/,\s*$/, "")}${after}`
    : `${before}${after.replace(/^\s*,[ \t]*/, "")}`;
}

function rangeOf(node: unknown): readonly [start: number, end: number] {
  const [start = 0, end = 0] = (node as Node).range ?? [];
  return [start, end];
}

/** Formats a value in one line. A JSON text is a YAML text. */
function inBrackets(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inBrackets).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(
    ([key, given]) => `${JSON.stringify(key)}: ${inBrackets(given)}`,
  );
  return `{ ${pairs.join(", ")} }`;
}

function item(value: object, indent: string, eol: string): string {
  return stringify([value], { lineWidth: 0 })
    .trimEnd()
    .split("\n")
    .map((line) => `${indent}${line}${eol}`)
    .join("");
}

/**
 * Returns the range of whole lines of a list item, without the comments after it. The item begins with the line of its
 * dash: an anchor, a comment or a line end may follow the dash, and the library's range begins after them.
 */
function linesOf(text: string, node: unknown): readonly [from: number, to: number] {
  const [start = 0, valueEnd = 0] = (node as Node).range ?? [];
  const dashes = [...text.slice(0, start).matchAll(/^[ \t]*-(?=\s)/gm)];
  const from = dashes.at(-1)?.index ?? text.lastIndexOf("\n", start - 1) + 1;
  const last = text.slice(0, valueEnd).trimEnd().length;
  const end = text.indexOf("\n", last);
  return [from, end < 0 ? text.length : end + 1];
}

function indentOf(text: string, first: unknown): string {
  const [from] = linesOf(text, first);
  return /^[ \t]*/.exec(text.slice(from))?.[0] ?? "";
}

/** Adds lines at the end of the document, which a line with three dots may mark. */
function atEnd(text: string, made: string): string {
  const eol = eolOf(text);
  const mark = text.search(/^\.{3}(?=\s|$)/m);
  const [inside, outside] = mark < 0 ? [text, ""] : [text.slice(0, mark), text.slice(mark)];
  const before = inside === "" || inside.endsWith("\n") ? inside : `${inside}${eol}`;
  return `${before}${made.replaceAll("\n", eol)}${outside}`;
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
