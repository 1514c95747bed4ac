import type { GivenContent } from "./ledger.ts";
import { fenceUntrusted } from "../tool/untrusted-text.ts";
import type { Tool } from "../tool/tool.ts";
import type { Data } from "../shared/data.ts";

/** Returns the outgoing text of a call. */
export function outgoingText<Ports>(tool: Tool<Ports>, args: Data): string {
  if (tool.outgoing !== undefined) return tool.outgoing(args);
  const rows = new Set<string>();
  const texts = textsIn(args, rows, namesOf(tool.schemas?.input));
  return [...texts, ...rows].join("\n");
}

/** Returns the names of the fields that a tool declares. A caller cannot choose them. */
function namesOf(schema: unknown): ReadonlySet<string> {
  const isObject = typeof schema === "object" && schema !== null && "properties" in schema;
  return new Set(isObject ? Object.keys(schema.properties ?? {}) : []);
}

const noNames: ReadonlySet<string> = new Set();

/**
 * Returns every text, number and field name. Upstream tools take objects, and field names can carry as much as values.
 * @param rows receives the field names of each object in a row, because values would interrupt a sentence in them
 */
function textsIn(value: unknown, rows: Set<string>, declared = noNames): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, rows));
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.entries(value);
  const names = entries.flatMap(([name]) => (declared.has(name) ? [] : [name]));
  if (names.length > 1) rows.add(names.join(" "));
  return entries.flatMap(([name, field]) => [name, ...textsIn(field, rows)]);
}

/** The items in a result, which both the record and the result's metadata need. */
const known = new WeakMap<Data, readonly GivenContent[]>();

/** Returns the items in a result. */
export function givenContents<Ports>(
  tool: Tool<Ports>,
  args: Data,
  output: Data,
): readonly GivenContent[] {
  if (tool.gives === undefined && tool.reads !== "private" && tool.reads !== "public") return [];
  const found = known.get(output) ?? contentsOf(tool, args, output);
  known.set(output, found);
  return found;
}

function contentsOf<Ports>(tool: Tool<Ports>, args: Data, output: Data): readonly GivenContent[] {
  if (tool.gives !== undefined) return tool.gives(output, args);
  const texts: string[] = [];
  fenceUntrusted(tool.output, output, (text) => {
    texts.push(text);
    return text;
  });
  texts.push(...numbersIn(output["data"]));
  const { name: id } = tool;
  return texts.length === 0
    ? []
    : [{ kind: "upstream", id, writtenBy: "unknown", verified: false, texts }];
}

/** Returns the numbers of structured content, which can be private too. */
function numbersIn(value: unknown): string[] {
  if (typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
