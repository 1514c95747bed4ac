import type { GivenContent } from "./ledger.ts";
import { fenceUntrusted } from "../tool/untrusted-text.ts";
import { ArgumentLines, type OutgoingArguments } from "./pieces/argument-lines.ts";
import type { Tool } from "../tool/tool.ts";
import type { Data } from "../shared/data.ts";

type Outlet<Ports> = Pick<Tool<Ports>, "outgoing" | "schemas">;

/** Returns the outgoing text of a call. */
export function outgoingText<Ports>(tool: Outlet<Ports>, args: Data): string {
  return outgoingOf(tool, args).text;
}

/** Returns the outgoing text of a call, and its short values in rows. */
export function outgoingOf<Ports>(tool: Outlet<Ports>, args: Data): OutgoingArguments {
  if (tool.outgoing !== undefined) return { text: tool.outgoing(args) };
  return new ArgumentLines(args, namesOf(tool.schemas?.input)).outgoing();
}

/** Returns the names of the fields that a tool declares. A caller cannot choose them. */
function namesOf(schema: unknown): ReadonlySet<string> {
  const isObject = typeof schema === "object" && schema !== null && "properties" in schema;
  return new Set(isObject ? Object.keys(schema.properties ?? {}) : []);
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
