import type { GivenContent } from "./ledger.ts";
import { fenceUntrusted } from "../tool/untrusted-text.ts";
import type { Tool } from "../tool/tool.ts";

type Data = Readonly<Record<string, unknown>>;

/** Returns the outgoing text of a call. */
export function outgoingText<Ports>(tool: Tool<Ports>, args: Data): string {
  return tool.outgoing?.(args) ?? textsIn(args).join("\n");
}

/**
 * Returns every text, number and field name. Upstream tools take objects, and field names can carry as much as values.
 */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => [name, ...textsIn(field)]);
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
  const { name: id } = tool;
  return texts.length === 0
    ? []
    : [{ kind: "upstream", id, writtenBy: "unknown", verified: false, texts }];
}
