import type { Risk } from "../core/policy/risk.ts";
import type { Listing } from "../core/tool/catalog.ts";
import type { SearchedTool } from "../ports/upstream/tool-search.ts";
import type { ServerEntry } from "../ports/upstream/upstream-server.ts";
import { upstreamListing } from "./listing.ts";
import { type Pin, type Pins, withheldBecause } from "./pins.ts";
import { offeredName } from "./tool-name.ts";
import { settingOf } from "./tool-settings.ts";

/** A reviewed tool, offered or withheld. */
export interface ReviewedTool {
  name: string;
  entry: ServerEntry;
  pin: Pin;
  risk: Risk;
  /** Why it is not offered. Undefined if it is. */
  withheld: string | undefined;
}

/**
 * Returns the reviewed tools of all configured servers, by the name under which they are offered. Tools that
 * `servers.json` turns off are not among them. Two tools with one name are both withheld.
 */
export function reviewedTools(
  entries: readonly ServerEntry[],
  pins: Pins,
): ReadonlyMap<string, ReviewedTool> {
  const tools = new Map<string, ReviewedTool>();
  for (const entry of entries) {
    const ofServer = pins.servers[entry.name];
    for (const [tool, pin] of Object.entries(ofServer?.tools ?? {})) {
      const setting = settingOf(tool, entry.tools);
      if (setting === "off") continue;
      const name = offeredName(entry.name, tool);
      const other = tools.get(name);
      const clash = `${entry.name}/${tool} and ${other?.entry.name}/${other?.pin.definition.name} have the same name here. One of them must be "off" in "tools" of servers.json.`;
      const withheld = other === undefined ? withheldBecause(entry, ofServer, tool) : clash;
      if (other !== undefined) tools.set(name, { ...other, withheld: clash });
      else tools.set(name, { name, entry, pin, risk: setting ?? pin.risk, withheld });
    }
  }
  return tools;
}

/** Returns the entries of `tools/list` for upstream tools. Starts no server. */
export function upstreamListings(tools: ReadonlyMap<string, ReviewedTool>): readonly Listing[] {
  return [...tools.values()]
    .filter(({ withheld }) => withheld === undefined)
    .map(({ entry, pin, risk }) => upstreamListing(entry, pin.definition, risk));
}

/** Returns the texts by which the offered tools are found. */
export function searchedTools(tools: ReadonlyMap<string, ReviewedTool>): readonly SearchedTool[] {
  return [...tools.values()]
    .filter(({ withheld }) => withheld === undefined)
    .map(({ name: id, entry, pin: { definition } }) => ({
      id,
      server: entry.name,
      name: definition.name,
      title: definition.title ?? "",
      description: definition.description ?? "",
      argumentNames: Object.keys(definition.inputSchema["properties"] ?? {}),
      argumentTexts: textsOf(definition.inputSchema["properties"]),
      readsOnly: definition.annotations?.["readOnlyHint"] === true,
    }));
}

/** Returns the descriptions and possible values of arguments, including nested ones. */
function textsOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, part]: [string, unknown]) => {
    if (key === "description") return typeof part === "string" ? [part] : [];
    if (key === "enum" && Array.isArray(part))
      return part.filter((each) => typeof each === "string");
    return textsOf(part);
  });
}
