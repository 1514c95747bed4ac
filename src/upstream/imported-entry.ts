import { z } from "zod";
import { serverName } from "./servers-file.ts";

/** An entry of `servers.json`, made from the entry of a client. */
export type ImportedEntry =
  | { kind: "usable"; name: string; entry: object; leftOut: readonly string[] }
  | { kind: "unusable"; problem: string };

const texts = z.record(z.string(), z.string());
const entryOfClient = z.looseObject({
  type: z.string().optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  env: texts.optional(),
  url: z.url({ protocol: /^https?$/ }).optional(),
  headers: texts.optional(),
  timeoutMs: z.int().optional(),
});
const known = new Set(Object.keys(entryOfClient.shape));
/** Fields that change what the server does, and that `servers.json` does not have. */
const needed = ["cwd", "envFile", "oauth", "auth", "headersHelper"];

/**
 * Converts the entry of a client, with its variables in our form.
 * @param options.hasPlainVariables `${NAME}` is a variable of the environment, as in Claude Code. In other clients it
 *   has another meaning
 */
export function importedEntry(
  name: string,
  given: unknown,
  { hasPlainVariables }: { hasPlainVariables: boolean },
): ImportedEntry {
  const read = entryOfClient.safeParse(given);
  if (!read.success) return unusable("its format is not known");
  const { type = "", command, args, env, url, headers, timeoutMs } = read.data;
  const missing = needed.filter((field) => field in read.data);
  if (missing.length > 0)
    return unusable(`it needs ${missing.join(", ")}, which is not supported here`);
  if (type === "sse" || type === "ws") return unusable(`its transport ${type} is not supported`);
  if ((command === undefined) === (url === undefined))
    return unusable("it has neither a command nor an address, or both");
  const entry = {
    ...(url === undefined
      ? { command, ...(args && { args }), ...(env && { env }) }
      : { type: "http", url, ...(headers && { headers }) }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
  const translated = hasPlainVariables ? withOurVariables(entry) : entry;
  const foreign = /\$\{(?!env:[^}]+\})[^}]*\}/.exec(JSON.stringify(translated))?.[0];
  if (foreign !== undefined)
    return unusable(`${withoutDefault(foreign)} has a meaning only in that client`);
  const ours = serverName.safeParse(plainName(name));
  if (!ours.success) return unusable("its name cannot be used here");
  const leftOut = Object.keys(read.data).filter((field) => !known.has(field));
  return { kind: "usable", name: ours.data, entry: translated, leftOut };
}

function unusable(problem: string): ImportedEntry {
  return { kind: "unusable", problem };
}

/** Cuts the default of `${NAME:-default}`, which may be a secret. */
function withoutDefault(variable: string): string {
  return variable.replace(/:-.*\}$/, ":-...}");
}

/** Converts `${NAME}` of Claude Code to `${env:NAME}`. */
function withOurVariables(entry: object): object {
  const text = JSON.stringify(entry).replaceAll(/\$\{([A-Za-z_]\w*)\}/g, "$${env:$1}");
  return z.looseObject({}).parse(JSON.parse(text));
}

function plainName(name: string): string {
  return name
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .replaceAll(/_{2,}/g, "_")
    .slice(0, 32)
    .replaceAll(/^[-_]+|[-_]+$/g, "");
}
