import { shownLabel, shownName, shownValue } from "../core/shared/text/visible.ts";
import type { EffectFound, Line } from "../core/tool/tool.ts";
import type { ToolDefinition } from "../ports/upstream/upstream-server.ts";
import type { Data } from "../core/shared/data.ts";

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
  const all = groupOf(
    Object.entries(args).map(([name, value]) => valueGroup(name, value, isShown)),
  );
  const shown = linesWithin(all, maxLines);
  const left = all.count - shown.length;
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

/** The lines of one value, or of the values within it. */
interface Group {
  line?: Line;
  parts: readonly Group[];
  /** Number of lines. */
  count: number;
}

function groupOf(parts: readonly Group[]): Group {
  return { parts, count: parts.reduce((sum, { count }) => sum + count, 0) };
}

/** Returns a line for each value that no preview shows. The path of a nested value is its label: `items[0].name`. */
function valueGroup(path: string, value: unknown, isShown: (line: Line) => boolean): Group {
  if (Array.isArray(value) && value.length > 0)
    return groupOf(value.map((part, index) => valueGroup(`${path}[${index}]`, part, isShown)));
  if (typeof value === "object" && value !== null && Object.keys(value).length > 0)
    return groupOf(
      Object.entries(value).map(([key, part]) => valueGroup(`${path}.${key}`, part, isShown)),
    );
  const line = { label: shownLabel(path), value: shownValue(value) };
  return isShown(line) ? { parts: [], count: 0 } : { line, parts: [], count: 1 };
}

/**
 * Returns lines of a group, in order. If they do not fit, each part gets its share of the room, so that a long list does
 * not hide the argument after it. The first parts get a line if there is not one for each.
 */
function linesWithin({ line, parts, count }: Group, room: number): readonly Line[] {
  if (room === 0) return [];
  if (line !== undefined) return [line];
  const shares = new Map<Group, number>();
  let left = Math.min(room, count);
  let waiting = parts.length;
  for (const part of parts.toSorted((one, other) => one.count - other.count)) {
    const share = Math.min(part.count, left, Math.max(1, Math.floor(left / waiting)));
    shares.set(part, share);
    left -= share;
    waiting -= 1;
  }
  return parts.flatMap((part) => linesWithin(part, shares.get(part) ?? 0));
}
