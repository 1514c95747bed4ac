import { z } from "zod";
import { canonicalJson, sha256Hex } from "../core/shared/digest.ts";
import type { ServerEntry, ToolDefinition } from "../ports/upstream/upstream-server.ts";

const definition = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
});

const pin = z.object({
  definition,
  hash: z.string(),
  risk: z.enum(["low", "medium", "high"]),
  reviewedBy: z.string(),
  reviewedAt: z.string(),
});

const serverPins = z.object({
  identity: z.string(),
  tools: z.record(z.string(), pin),
  /**
   * Definitions that the server listed and that differ from the reviewed ones, by tool name. Null for a reviewed tool
   * that the server no longer lists.
   */
  seen: z.record(z.string(), z.union([definition, z.null()])).default({}),
});

/** The reviewed tools of all servers, as they are stored. */
export const pinsFile = z.object({
  version: z.literal(1),
  servers: z.record(z.string(), serverPins),
});

/** A tool's definition as a person reviewed it, and the risk that the person chose. */
export type Pin = z.output<typeof pin>;
export type ServerPins = z.output<typeof serverPins>;
export type Pins = z.output<typeof pinsFile>;

export const noPins: Pins = { version: 1, servers: {} };

/** A cache: definitions are listed once and compared at each call. */
const hashes = new WeakMap<ToolDefinition, string>();

/** Returns the SHA-256 of all fields of a definition that a model or a person reads. Hexadecimal. */
export function definitionHash(tool: ToolDefinition): string {
  const known = hashes.get(tool);
  if (known !== undefined) return known;
  const hash = computedHash(tool);
  hashes.set(tool, hash);
  return hash;
}

function computedHash(tool: ToolDefinition): string {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const fields = { name, title, description, inputSchema, outputSchema, annotations };
  return sha256Hex(
    canonicalJson(Object.fromEntries(Object.entries(fields).filter(([, v]) => v !== undefined))),
  );
}

/**
 * Returns the pins after a server listed its tools. A reviewed tool is withheld if its definition changed or if it is
 * missing. It is offered again when its definition is the reviewed one again.
 */
export function pinsAfterListing(pins: ServerPins, listed: readonly ToolDefinition[]): ServerPins {
  const byName = new Map(listed.map((tool) => [tool.name, tool]));
  const seen: ServerPins["seen"] = {};
  for (const [name, { hash }] of Object.entries(pins.tools)) {
    const now = byName.get(name);
    if (now === undefined || definitionHash(now) !== hash) seen[name] = now ?? null;
  }
  for (const tool of listed) if (pins.tools[tool.name] === undefined) seen[tool.name] = tool;
  return { ...pins, seen };
}

export const notReviewed = "The tool has not been reviewed yet.";

/** Returns the reason for withholding a tool from lists and calls. Undefined if there is none. */
export function withheldBecause(
  { name, identity }: Pick<ServerEntry, "name" | "identity">,
  pins: ServerPins | undefined,
  tool: string,
): string | undefined {
  const found = pins?.tools[tool];
  if (pins === undefined || found === undefined) return notReviewed;
  if (pins.identity !== identity)
    return `The server ${name} has another command or address than when it was reviewed.`;
  if (!Object.hasOwn(pins.seen, tool)) return undefined;
  return pins.seen[tool] === null
    ? `The server ${name} no longer has this tool.`
    : `The server ${name} changed the definition of this tool after it was reviewed.`;
}
