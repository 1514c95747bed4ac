import { sha256Hex } from "../core/shared/digest.ts";

/** The longest tool name that every client and model service accepts. Characters. */
const maxCharacters = 64;
const hashCharacters = 8;

/** Returns the name under which a tool of an upstream server is offered. A changed or long name ends in a hash. */
export function offeredName(server: string, tool: string): string {
  const full = `${server}__${tool}`;
  const plain = full.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  if (plain === full && full.length <= maxCharacters) return full;
  const hash = sha256Hex(full).slice(0, hashCharacters);
  return `${plain.slice(0, maxCharacters - hashCharacters - 1)}_${hash}`;
}

/** Returns whether a name under which a tool is offered belongs to this server. */
export function isToolOf(server: string, name: string): boolean {
  return name.startsWith(`${server}__`);
}

/** Returns true for the name of a possible upstream tool. */
export function isUpstreamName(name: string): boolean {
  return name.includes("__");
}
