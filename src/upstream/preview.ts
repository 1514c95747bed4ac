import type { Cancellation } from "../core/shared/lazy-signal.ts";
import { type Data, isContainer, isDeeper, maxLevels } from "../core/shared/data.ts";
import { canonicalJson, sha256Hex } from "../core/shared/digest.ts";
import { parseExactly } from "../core/shared/text/exact-json.ts";
import { shownLabel, shownName, shownValue } from "../core/shared/text/visible.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { Line } from "../core/tool/tool.ts";
import type { Preview, ServerEntry, UpstreamResult } from "../ports/upstream/upstream-server.ts";
import type { SendCall } from "./running/send-call.ts";
import type { ReviewedTool } from "./upstream-catalog.ts";

/** The present state of a call's target. */
export interface PresentState {
  /** A digest of the result. */
  version: string;
  /** The configured fields, as `before -> after`. */
  lines: readonly Line[];
}

/** Reads the present state before a call. @throws ToolError if it cannot be read, and nothing was done */
export type ReadState = (args: Data, signal: Cancellation) => Promise<PresentState>;

/**
 * Returns the function that reads the present state for a tool. Undefined without a preview.
 * @param settings.reviewed finds a tool of the same server, offered or withheld
 */
export function stateReader(
  entry: ServerEntry,
  tool: string,
  settings: { send: SendCall; reviewed: (tool: string) => ReviewedTool | undefined },
): ReadState | undefined {
  const preview = Object.hasOwn(entry.preview, tool) ? entry.preview[tool] : undefined;
  if (preview === undefined) return undefined;
  const { send, reviewed } = settings;
  return async (args, signal) => {
    const found = reviewed(preview.tool);
    if (found === undefined || found.withheld !== undefined || found.risk !== "low") {
      throw new ToolError(
        "not_configured",
        `The preview of ${tool} names ${shownName(preview.tool)}, which is not an offered tool of low risk. Nothing was done.`,
        { hint: `Tell the user to change mcpServers.${entry.name}.preview in SERVERS_FILE.` },
      );
    }
    const filled = filledIn(preview.arguments, args);
    const call = { entry, tool: preview.tool, hash: found.pin.hash, acts: false, signal };
    const answer = await send({ ...call, arguments: isContainer(filled) ? filled : {} });
    const data = dataOf(answer);
    const isTooDeep = isDeeper(data, maxLevels);
    if (answer.isError || isTooDeep) {
      const why = isTooDeep ? ": its result has too many levels" : "";
      throw new ToolError(
        "unavailable",
        `The server ${entry.name} could not show the present state with ${preview.tool}${why}. Nothing was done.`,
        { hint: `Call ${found.name} to see why.` },
      );
    }
    return { version: versionOf(preview, answer, data), lines: linesOf(preview, data, args) };
  };
}

/** Replaces each text of the form `$.path` by the argument at this path. An absent argument is left out. */
function filledIn(template: unknown, args: Data): unknown {
  if (typeof template === "string" && template.startsWith("$."))
    return valueAt(args, template.slice(2));
  if (Array.isArray(template)) return template.map((part: unknown) => filledIn(part, args));
  if (!isContainer(template)) return template;
  const fields = Object.entries(template).map(([name, part]) => [name, filledIn(part, args)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** Returns a digest of the whole result or, with `ignore`, of all fields except the ignored ones. */
function versionOf({ ignore }: Preview, { structured, blocks }: UpstreamResult, data: unknown) {
  const compared =
    ignore.length === 0 || data === undefined
      ? [structured ?? null, blocks]
      : [without(data, ignore), blocks.filter(({ kind }) => kind !== "text")];
  return sha256Hex(canonicalJson(compared));
}

/** Returns a copy without the values at these paths. */
function without(value: unknown, paths: readonly string[], at = ""): unknown {
  if (!isContainer(value)) return value;
  const kept = Object.entries(value)
    .filter(([name]) => !paths.includes(`${at}${name}`))
    .map(([name, part]) => [name, without(part, paths, `${at}${name}.`)]);
  return Object.fromEntries(kept);
}

function linesOf({ show }: Preview, before: unknown, args: Data): Line[] {
  return show.map((path) => {
    const was = valueAt(before, path);
    const becomes = valueAt(args, path);
    const shown = was === undefined ? "nothing" : shownValue(was);
    const label = shownLabel(path);
    return { label, value: becomes === undefined ? shown : `${shown} -> ${shownValue(becomes)}` };
  });
}

/** Returns the structured content, or the JSON that the server wrote as text. */
function dataOf({ structured, blocks }: UpstreamResult): unknown {
  if (structured !== undefined) return structured;
  const text = blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("\n");
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

/** Returns the value at a path of names and indexes, such as `labels.0.name`. */
function valueAt(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce(
      (at, name) => (isContainer(at) && Object.hasOwn(at, name) ? at[name] : undefined),
      value,
    );
}
