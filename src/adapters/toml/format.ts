import { isDeepStrictEqual } from "node:util";
import { type AST, ParseError, getStaticTOMLValue, parseTOML } from "toml-eslint-parser";
import {
  type ConfigFormat,
  type ConfigKey,
  ConfigSyntaxError,
  edited,
  withoutMark,
} from "../../ports/config-format.ts";

/** TOML: tables with headers, and keys whose value is a table. */
export const tomlFormat: ConfigFormat = {
  parse: (text) => {
    const body = withoutMark(text);
    const tree = treeOf(body);
    return body.trim() === "" ? undefined : getStaticTOMLValue(tree);
  },
  set: (text, path, value) => edited(text, (body) => withValue(body, path.map(keyOf), value)),
  remove: (text, path) => edited(text, (body) => withoutTable(body, path.map(keyOf))),
};

function withValue(text: string, keys: readonly string[], value: object): string {
  const body = entriesOf(text);
  const table = body.find((node) => node.type === "TOMLTable" && isAt(node.resolvedKey, keys));
  if (table?.type === "TOMLTable") return changed(text, { table, keys, value });
  const pair = pairAt(body, keys);
  if (pair !== undefined) return replaced(text, pair.value.range, inline(value));
  return withTable(text, keys, value);
}

function withoutTable(text: string, keys: readonly string[]): string {
  const body = entriesOf(text);
  const pair = pairAt(body, keys);
  const own = body.filter(
    (node) => node.type === "TOMLTable" && isAt(node.resolvedKey.slice(0, keys.length), keys),
  );
  // From the last to the first, because a cut moves the offsets after it.
  return [...own, ...(pair === undefined ? [] : [pair])]
    .toSorted((one, other) => other.range[0] - one.range[0])
    .reduce((left, node) => withoutLines(left, node.range), text);
}

type Range = readonly [from: number, to: number];

function keyOf(step: ConfigKey): string {
  if (typeof step === "string") return step;
  throw new TypeError("no client has a list of servers in TOML");
}

function treeOf(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text, { tomlVersion: "latest" });
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new ConfigSyntaxError(error.lineNumber, error.message.toLowerCase());
  }
}

function entriesOf(text: string): readonly (AST.TOMLKeyValue | AST.TOMLTable)[] {
  return treeOf(text).body[0].body;
}

function isAt(found: readonly (string | number)[], keys: readonly string[]): boolean {
  return isDeepStrictEqual([...found], [...keys]);
}

function namesOf({ key }: AST.TOMLKeyValue): readonly string[] {
  return key.keys.map((part) => (part.type === "TOMLBare" ? part.name : part.value));
}

/** Finds `countersign = { ... }` below `[mcp_servers]`, or `mcp_servers.countersign = { ... }`. */
function pairAt(
  body: readonly (AST.TOMLKeyValue | AST.TOMLTable)[],
  keys: readonly string[],
): AST.TOMLKeyValue | undefined {
  return body
    .flatMap((node) =>
      node.type === "TOMLTable"
        ? node.body.map((pair) => ({ pair, above: node.resolvedKey }))
        : [{ pair: node, above: [] }],
    )
    .find(({ pair, above }) => isAt([...above, ...namesOf(pair)], keys))?.pair;
}

/** Changes only the keys that differ, so that comments of other keys are kept. */
function changed(
  text: string,
  { table, keys, value }: { table: AST.TOMLTable; keys: readonly string[]; value: object },
): string {
  const wanted = Object.entries(value);
  const before = valueAt(text, keys);
  let now = text;
  for (const [key, given] of wanted) {
    if (isDeepStrictEqual(before[key], given)) continue;
    now = withoutTables(now, [...keys, key]);
    const pair = pairAt(entriesOf(now), [...keys, key]);
    now =
      pair === undefined
        ? withLine(now, keys, `${key} = ${inline(given)}`)
        : replaced(now, pair.value.range, inline(given));
  }
  for (const key of Object.keys(before).filter((name) => !(name in value))) {
    const pair = table.body.length > 0 && pairAt(entriesOf(now), [...keys, key]);
    if (pair) now = withoutLines(now, pair.range);
    now = withoutTables(now, [...keys, key]);
  }
  return now;
}

/** Removes every table whose header begins with these keys. */
function withoutTables(text: string, keys: readonly string[]): string {
  // From the last to the first, because a cut moves the offsets after it.
  return entriesOf(text)
    .filter(
      (node) => node.type === "TOMLTable" && isAt(node.resolvedKey.slice(0, keys.length), keys),
    )
    .toReversed()
    .reduce((left, node) => withoutLines(left, node.range), text);
}

function valueAt(text: string, keys: readonly string[]): Record<string, unknown> {
  let at: unknown = getStaticTOMLValue(treeOf(text));
  for (const key of keys) at = (at as Record<string, unknown>)[key];
  return at as Record<string, unknown>;
}

/** Adds a line after the last line of the table with these keys. */
function withLine(text: string, keys: readonly string[], line: string): string {
  const table = entriesOf(text).find(
    (node) => node.type === "TOMLTable" && isAt(node.resolvedKey, keys),
  );
  if (table?.type !== "TOMLTable") return text;
  const end = lineEnd(text, table.body.at(-1)?.range[1] ?? table.key.range[1]);
  return `${text.slice(0, end)}${eolOf(text)}${line}${text.slice(end)}`;
}

/** Adds a table at the end of the file, independent of the text before it. */
function withTable(text: string, keys: readonly string[], value: object): string {
  const eol = eolOf(text);
  const lines = Object.entries(value).map(([key, given]) => `${key} = ${inline(given)}`);
  const before = text === "" || text.endsWith("\n") ? text : `${text}${eol}`;
  const made = [`[${keys.join(".")}]`, ...lines].join(eol);
  const after = `${before}${before === "" ? "" : eol}${made}${eol}`;
  try {
    treeOf(after);
  } catch (error) {
    if (!(error instanceof ConfigSyntaxError)) throw error;
    const line = text.split("\n").findIndex((each) => each.includes(keys[0] ?? "")) + 1;
    throw new ConfigSyntaxError(
      line,
      `${keys[0]} is written as one value, which cannot be added to`,
    );
  }
  return after;
}

/** Cuts whole lines. If the end of the file or an empty line follows, cuts one empty line before them too. */
function withoutLines(text: string, [from, to]: Range): string {
  const before = text.slice(0, text.lastIndexOf("\n", from - 1) + 1);
  const end = lineEnd(text, to);
  const after = text.slice(text.startsWith("\r\n", end) ? end + 2 : end + 1);
  const isAlone = after === "" || /^\r?\n/.test(after);
  return `${isAlone ? before.replace(/(^|\n)\r?\n$/, "$1") : before}${after}`;
}

/** Returns the end of the line with this offset, comment included. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  if (end < 0) return text.length;
  return text[end - 1] === "\r" ? end - 1 : end;
}

function replaced(text: string, [from, to]: Range, put: string): string {
  return text.slice(0, from) + put + text.slice(to);
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/**
 * Formats a value on one line. A JSON string is a valid TOML string, except for one character that TOML requires to be
 * escaped.
 */
function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value !== "object" || value === null)
    return JSON.stringify(value).replaceAll("\u007F", String.raw`\u007F`);
  const pairs = Object.entries(value).map(([key, given]) => `${quoted(key)} = ${inline(given)}`);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

function quoted(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}
