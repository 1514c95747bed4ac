import { shownLabel, shownName, shownValue } from "../core/shared/text/visible.ts";
import type { EffectFound, Line } from "../core/tool/tool.ts";
import type { ToolDefinition } from "../ports/upstream/upstream-server.ts";

type Data = Readonly<Record<string, unknown>>;

/** Limit on values of arguments that a person is shown. The number of the others is added. */
const maxLines = 100;

/**
 * Returns the effect that a person is shown: server, tool, and the arguments with their paths and values.
 * @param state the lines of a preview
 */
export function upstreamEffect(
  server: string,
  tool: ToolDefinition,
  args: Data,
  state: readonly Line[] = [],
): EffectFound<Data> {
  // Label and value are compared, because `a.b` can be the name of an argument and also the path of a field.
  const isShown = ({ label, value }: Line): boolean =>
    state.some((line) => line.label === label && line.value.endsWith(` -> ${value}`));
  const lines = argumentLines(args).filter((line) => !isShown(line));
  const shown = lines.slice(0, maxLines);
  const left = lines.length - shown.length;
  const headline = `Use ${shownName(tool.title ?? tool.name)} of the server ${server}`;
  return {
    headline,
    mentions: Object.keys(args),
    facts: [
      // The title is the server's own claim. Only without a title does the headline contain the name.
      ...(tool.title === undefined ? [] : [{ label: "tool", value: tool.name }]),
      { label: "undo", value: "cannot be undone here" },
    ],
    arguments: [
      ...state,
      ...shown,
      ...(left > 0
        ? [{ label: "arguments", value: `and ${left} more ${left === 1 ? "value" : "values"}` }]
        : []),
    ],
    // The client must not see the present state, which the policy may forbid it to read.
    forClient:
      state.length === 0 ? "all" : { headline, mentions: [], withheld: "the present state" },
  };
}

/** Returns a line for each value. The path of a nested value is its label: `items[0].name`. */
function argumentLines(args: Data): readonly Line[] {
  return Object.entries(args).flatMap(([name, value]) => linesOf(name, value));
}

function linesOf(path: string, value: unknown): Line[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((part, index) => linesOf(`${path}[${index}]`, part));
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, part]) => linesOf(`${path}.${key}`, part));
  return [{ label: shownLabel(path), value: shownValue(value) }];
}
