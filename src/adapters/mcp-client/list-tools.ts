import type { Client } from "@modelcontextprotocol/client";
import { z } from "zod";
import { shownName } from "../../core/shared/text/visible.ts";
import type { ToolDefinition } from "../../ports/upstream/upstream-server.ts";
import { type UpstreamPlace, notStarted } from "./errors.ts";

/** All pages of a list together. Milliseconds. */
export const listWithinMs = 30_000;
const maxTools = 1_000;
/** All pages of a list together. Characters. */
const maxListCharacters = 5_000_000;
const maxPages = 100;

/** Some servers write null or an empty text at the end of their list. */
const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });

/** The tools of a server that can be used, and the names of the others as a person is shown them. */
export interface ListedTools {
  tools: readonly ToolDefinition[];
  leftOut: readonly string[];
}

/**
 * Lists the tools of a server, all pages of them.
 * @param options.usable returns the definition of a listed tool. Undefined for a tool that cannot be used
 * @throws {ToolError} if the list is too long. Errors of the client are thrown as they are.
 */
export async function listTools(
  client: Client,
  options: {
    at: UpstreamPlace;
    usable: (tool: unknown) => ToolDefinition | undefined;
    warn: (message: string, fields: Readonly<Record<string, string>>) => void;
    signal: AbortSignal | undefined;
  },
): Promise<ListedTools> {
  const { at, usable, warn, signal } = options;
  const found = new Map<string, ToolDefinition>();
  const leftOut = new Set<string>();
  let cursor: string | undefined;
  let characters = 0;
  let count = 0;
  const endsAt = performance.now() + listWithinMs;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const timeout = Math.max(1, Math.round(endsAt - performance.now()));
    const got = page.parse(
      await client.request({ method: "tools/list", params }, page, {
        timeout,
        ...(signal && { signal }),
      }),
    );
    characters += JSON.stringify(got).length;
    count += got.tools.length;
    if (count > maxTools || characters > maxListCharacters)
      throw notStarted(at, `lists more than ${maxTools} tools or 5 MB`, {
        fix: "Start it with fewer tools, if it has an option for that.",
      });
    for (const each of got.tools) {
      const tool = usable(each);
      if (tool === undefined || found.has(tool.name)) {
        const reason = tool === undefined ? "its definition is not accepted" : "listed twice";
        const name = listedName(each);
        warn("a tool of an upstream server cannot be used", { tool: name, reason });
        leftOut.add(name);
        continue;
      }
      found.set(tool.name, tool);
    }
    const next = got.nextCursor ?? "";
    if (next === "") return { tools: [...found.values()], leftOut: [...leftOut] };
    if (next === cursor) break;
    cursor = next;
  }
  throw notStarted(at, "lists its tools without an end", {
    fix: "Update the server, or remove it.",
  });
}

/** Returns the name of a listed tool for a person. It is untrusted text. */
function listedName(tool: unknown): string {
  const name = typeof tool === "object" && tool !== null && "name" in tool ? tool.name : undefined;
  return typeof name === "string" ? shownName(name.slice(0, 128)) : "without a name";
}
