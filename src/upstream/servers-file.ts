import { z } from "zod";
import { firstFault } from "../core/policy/file/first-fault.ts";
import { LocatedFault, parseLocatedJson } from "../core/policy/file/located-json.ts";
import { canonicalJson, sha256Hex } from "../core/shared/digest.ts";
import { visible } from "../core/shared/text/visible.ts";
import type { OAuthClient, ServerEntry, ServerTarget } from "../ports/upstream/upstream-server.ts";

/** Time limits of a call. Many clients give up after 60 s, so a longer call needs a client that waits. */
const defaultTimeoutMs = 30_000;
export const callTimeouts = { least: 1_000, most: 600_000 } as const;
const maxServers = 50;

/** Two underscores in a row are excluded, because they separate the server from the tool. */
export const serverName = z
  .string()
  .regex(/^(?!.*__)[A-Za-z0-9](?:[A-Za-z0-9_-]{0,30}[A-Za-z0-9-])?$/, {
    error:
      "a server's name must be 1 to 32 letters, digits, hyphens and single underscores, and must not end in an underscore",
  });

const preview = z.strictObject({
  tool: z.string().min(1),
  arguments: z.record(z.string(), z.json()).default({}),
  show: z.array(z.string().min(1)).min(1).max(20),
  ignore: z.array(z.string().min(1)).max(20).default([]),
});

/** Each entry has exactly one of `kinds`. `foreign` lists the fields that an entry of each kind must not have. */
const kinds = ["command", "url", "module"] as const;
const foreign = {
  command: ["headers", "oauth"],
  url: ["args", "env"],
  module: ["args", "headers", "oauth"],
} as const;

const texts = z.record(z.string().min(1), z.string());

const oauth = z.strictObject({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).optional(),
  callbackPort: z.int().min(1).max(65_535).optional(),
});

const oldTransport =
  'is the old transport HTTP+SSE, which is not supported; try "http" with the address of the server that ends in /mcp';

/**
 * Returns whether a text can be the address of a server over HTTP. Its variables may be any part of it, so an address
 * with variables is checked after they were replaced.
 */
function mayBeAddress(text: string): boolean {
  const begins = /^(?:https?:\/\/|\$\{env:)/i.test(text);
  return begins && (text.includes("${env:") || faultOfAddress(text) !== notAddress);
}

const notAddress = "is not a URL with http or https";

/** Returns the fault of an address whose variables were replaced, as the end of a sentence. Undefined if it has none. */
function faultOfAddress(url: string): string | undefined {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return notAddress;
  return hasUser(url) ? "contains a user or a password" : undefined;
}

function hasUser(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

const entry = z
  .strictObject({
    type: z
      .enum(["stdio", "http", "streamable-http", "streamableHttp"], {
        error: ({ input }) => (input === "sse" ? oldTransport : undefined),
      })
      .optional(),
    command: z.string().min(1).optional(),
    args: z.array(z.string()).optional(),
    env: texts.optional(),
    module: z.string().min(1).optional(),
    url: z.string().refine(mayBeAddress, { error: "must be a URL with http or https" }).optional(),
    headers: texts.optional(),
    oauth: oauth.optional(),
    tools: z.record(z.string().min(1), z.enum(["low", "medium", "high", "off"])).optional(),
    reads: z.enum(["private", "public", "none"]).default("private"),
    sends: z.boolean().default(true),
    preview: z.record(z.string().min(1), preview).default({}),
    timeoutMs: z.int().min(callTimeouts.least).max(callTimeouts.most).default(defaultTimeoutMs),
  })
  .superRefine((value, context) => {
    const fault = (message: string, ...path: string[]): void =>
      context.addIssue({ code: "custom", message, path });
    const [kind, ...more] = kinds.filter((field) => value[field] !== undefined);
    if (kind === undefined || more.length > 0)
      return fault('needs either "command", "url" or "module"');
    const isHttp = kind === "url";
    for (const field of foreign[kind])
      if (value[field] !== undefined) fault(`does not apply to a server with "${kind}"`, field);
    if (value.url !== undefined && hasUser(value.url))
      fault("must not contain a user or a password: use headers", "url");
    if (value.type !== undefined && (value.type === "stdio") === isHttp)
      fault(`is ${value.type}, but the server has "${kind}"`, "type");
  });

const file = z.strictObject({
  $schema: z.string().optional(),
  mcpServers: z.record(serverName, entry).refine((all) => Object.keys(all).length <= maxServers, {
    error: `has more than ${maxServers} servers`,
  }),
});

/** The values that `${env:NAME}` may name, and the environment and directory of each process. */
export interface ServersEnvironment {
  /** Undefined for a name without a value. */
  valueOf(name: string): string | undefined;
  /** Returns whether a name is a setting of this program. Servers never get these. */
  isOurs(name: string): boolean;
  /** Variables that every process gets, such as PATH. */
  base: Readonly<Record<string, string>>;
  /** Returns the command that serves the tools of a local module. The path is relative to `servers.json`. */
  moduleCommand(path: string): readonly [command: string, ...args: string[]];
  /** The directory in which a server's process runs. */
  directoryOf(server: string): string;
}

/** Parses `servers.json`. @throws LocatedFault at the first fault, with the name of the field */
export function parseServers(
  text: string,
  environment: ServersEnvironment,
): readonly ServerEntry[] {
  const json = parseLocatedJson(text);
  const result = file.safeParse(json.value);
  if (!result.success) throw firstFault(json, result.error.issues, "a list of servers");
  return Object.entries(result.data.mcpServers).map(([name, value]) => {
    const problems: string[] = [];
    const resolve = (field: string, value: string): string =>
      value.replaceAll(/\$\{env:([^}]*)\}/g, (_all, variable: string) => {
        const place = ["mcpServers", name, ...field.split(".")];
        if (environment.isOurs(variable)) {
          throw new LocatedFault(
            `mcpServers.${name}.${field}: ${variable} is a setting of Countersign, and no server gets it`,
            json.placeOf(place),
          );
        }
        const found = environment.valueOf(variable);
        if (found === undefined)
          problems.push(
            `mcpServers.${name}.${field}: ${variable} is not set. Set it in the environment or in .env of the data directory.`,
          );
        return found ?? "";
      });
    return entryOf(name, value, resolve, environment, problems);
  });
}

function entryOf(
  name: string,
  value: z.output<typeof entry>,
  resolve: (field: string, text: string) => string,
  environment: ServersEnvironment,
  problems: string[],
): ServerEntry {
  const all = (field: string, given: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(
      Object.entries(given).map(([key, text]) => [key, resolve(`${field}.${key}`, text)]),
    );
  const [program, ...programArgs] =
    value.module === undefined
      ? [value.command ?? "", ...(value.args ?? [])]
      : environment.moduleCommand(value.module);
  const target: ServerTarget =
    value.url !== undefined
      ? {
          kind: "http",
          url: resolve("url", value.url),
          headers: all("headers", value.headers),
          ...(value.oauth && { oauth: clientOf(value.oauth, resolve) }),
        }
      : {
          kind: "process",
          command: program,
          args: programArgs.map((text, index) => resolve(`args.${index}`, text)),
          env: { ...environment.base, ...all("env", value.env) },
          directory: environment.directoryOf(name),
        };
  const fault = target.kind === "http" ? faultOfAddress(target.url) : undefined;
  if (fault !== undefined)
    problems.push(
      `mcpServers.${name}.url: ${fault} after its variables were replaced. Correct it in servers.json, or set its variables in .env of the data directory.`,
    );
  for (const [header, text] of Object.entries(target.kind === "http" ? target.headers : {})) {
    const fault = faultOfHeader(header, text);
    if (fault !== undefined)
      problems.push(
        `mcpServers.${name}.headers.${header}: ${fault}. Correct it in servers.json, or in the variable that it names.`,
      );
  }
  const { tools = {}, reads, sends, preview, timeoutMs, command, args, url, module } = value;
  const host = url === undefined || target.kind !== "http" ? [] : hostByVariable(url, target.url);
  const place =
    url === undefined
      ? [program, ...programArgs].join(" ")
      : url.replace(/^(?:https?:\/\/)?[^/?#]*/i, (written) => host[0] ?? written);
  const identity = sha256Hex(
    canonicalJson(
      module === undefined ? [command ?? "", args ?? [], url ?? "", ...host] : { module },
    ),
  );
  const [problem] = problems;
  const found = { name, target, place, identity, tools, reads, sends, preview, timeoutMs };
  return problem === undefined ? found : { ...found, problem };
}

/**
 * Returns the host that an address has only after its variables were replaced. A server on another host needs a new
 * review. Empty if the host is in the address as it is written.
 */
function hostByVariable(written: string, replaced: string): string[] {
  const originOf = (url: string): string | undefined =>
    URL.canParse(url) ? new URL(url).origin : undefined;
  const origin = originOf(replaced);
  return origin === undefined || origin === originOf(written) ? [] : [origin];
}

function clientOf(
  { clientId, clientSecret, callbackPort }: z.output<typeof oauth>,
  resolve: (field: string, text: string) => string,
): OAuthClient {
  return {
    id: resolve("oauth.clientId", clientId),
    ...(clientSecret !== undefined && { secret: resolve("oauth.clientSecret", clientSecret) }),
    port: callbackPort,
  };
}

/** Headers that say where a message ends or how the connection is used (RFC 9110 sections 7.6.1 and 8.6). */
const ownHeaders = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const wrongCharacter = "has a character that a header cannot contain";

/** Returns why HTTP cannot send a header, as the end of a sentence. Undefined if it can. */
function faultOfHeader(name: string, value: string): string | undefined {
  if (!isHeader(name, value)) return wrongCharacter;
  return ownHeaders.has(name.toLowerCase())
    ? "is a header that each request sets itself"
    : undefined;
}

/**
 * Returns the fault of the first header that HTTP cannot send, before it is written to `servers.json`. The fault does
 * not contain the value. Undefined without a fault.
 */
export function faultOfHeaders({ target }: Pick<ServerEntry, "target">): string | undefined {
  const headers = Object.entries(target.kind === "http" ? target.headers : {});
  for (const [name, text] of headers) {
    // A line break at the end would only be left out.
    const fault = /[\r\n]/.test(text) ? wrongCharacter : faultOfHeader(name, text);
    // "Authorization: Bearer TOKEN" has the value in the name.
    if (fault !== undefined) return `headers.${visible(name.replace(/(?<=.):.*$/s, ""))}: ${fault}`;
  }
  return undefined;
}

/** Returns whether HTTP can send a header. Its value may not contain line breaks or curly quotes (RFC 9110 section 5). */
function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name);
  } catch {
    return false;
  }
}
