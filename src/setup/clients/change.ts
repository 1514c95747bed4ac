import { isDeepStrictEqual } from "node:util";
import {
  type ConfigFormat,
  ConfigSyntaxError,
  lineAt,
  type ConfigKey,
} from "../../ports/config-format.ts";
import { type Entry, type McpClient, type ServerCommand, serverName } from "./client.ts";

/** The server that a client starts or connects to. */
export type RequestedServer = { local: ServerCommand } | RemoteServer;

/** A server at a URL, and how a client authenticates there. */
export interface RemoteServer {
  remote: string;
  access: "token" | "sign-in";
}

/** The present texts. Undefined for a missing file. */
export interface FileTexts {
  text: string | undefined;
  /** The text that `connect` replaced. */
  backup: string | undefined;
}

/** `other`: an entry of this name that is not ours. */
export type FoundEntry = "none" | "ours" | "other";

export interface ConfigChange {
  found: FoundEntry;
  /** Undefined if the file is to be deleted, because there was none before. */
  after: string | undefined;
  /** True if an undo restores an entry of ours that the file had before `connect`. */
  restoresEntry?: boolean;
}

/** Returns the client's entry, undefined if it cannot have a server of this kind. */
export function entryFor(client: McpClient, requested: RequestedServer): Entry | undefined {
  return "local" in requested ? client.local(requested.local) : remoteEntry(client, requested);
}

function remoteEntry(client: McpClient, { remote: url, access }: RemoteServer): Entry | undefined {
  if (access === "sign-in" && client.signIn === undefined) return undefined;
  const entry = client.remote?.(url);
  return entry && { ...entry, ...(access === "token" && client.token) };
}

/** Returns whether an entry of this kind needs the client's prompt for the token. */
export function needsQuestion(requested: RequestedServer): boolean {
  return "remote" in requested && requested.access === "token";
}

/**
 * Returns the text with this entry. Keeps the person's additions to our entry.
 * @throws ConfigSyntaxError
 */
export function withEntry(
  format: ConfigFormat,
  client: McpClient,
  {
    text,
    entry,
    requested,
  }: { text: string | undefined; entry: Entry; requested: RequestedServer },
): ConfigChange {
  const before = text === undefined || text.trim() === "" ? (client.newFile ?? "") : text;
  const current = valueAt(format.parse(before), client.path);
  const found = whose(client, current, requested);
  const merged = found === "ours" ? merge(client, current as Entry, entry) : entry;
  let after = isDeepStrictEqual(current, merged)
    ? before
    : edited(format, before, { path: client.path, value: merged });
  const { question } = client;
  if (
    needsQuestion(requested) &&
    question &&
    valueAt(format.parse(after), question.path) === undefined
  )
    after = edited(format, after, question);
  return { found, after };
}

/**
 * Returns the text without our entry. If nothing else has changed since, it is the previous text, byte for byte.
 * Undefined if there is no entry. @throws ConfigSyntaxError
 */
export function withoutEntry(
  format: ConfigFormat,
  client: McpClient,
  { text, backup }: FileTexts,
  ownProgram: string,
): ConfigChange | undefined {
  if (text === undefined) return undefined;
  const current = valueAt(format.parse(text), client.path);
  if (current === undefined) return undefined;
  const { question } = client;
  const isAsked =
    question !== undefined && valueAt(format.parse(text), question.path) !== undefined;
  const entry = current as Entry;
  const started: RequestedServer = { local: { command: "", args: [ownProgram] } };
  const requested: RequestedServer = isAsked ? { remote: "", access: "token" } : started;
  const found = whose(client, current, started);
  for (const before of [backup, undefined]) {
    const again = withEntry(format, client, { text: before, entry, requested });
    if (again.after !== text) continue;
    return { found, after: before, ...(again.found === "ours" && { restoresEntry: true }) };
  }
  const left = withoutPath(format, text, client.path);
  return { found, after: isAsked ? withoutPath(format, left, question.path) : left };
}

/** An entry of a client's file. */
export interface ClientEntry {
  name: string;
  entry: unknown;
  /** True if it starts or reaches this program. */
  isOurs: boolean;
}

/** The program in a folder of any name, such as a clone that was moved. */
const programFile = /[\\/](?:bundle|dist)[\\/]main\.js$/;

/**
 * Returns every entry of a client's file. An entry with a URL, or with the program of another folder, is ours only if
 * it has our name, because entries of other servers can have this form. @throws ConfigSyntaxError
 */
export function entriesOf(
  format: ConfigFormat,
  client: McpClient,
  text: string,
  ownProgram: string,
): readonly ClientEntry[] {
  if (text.trim() === "") return [];
  const table = valueAt(format.parse(text), client.path.slice(0, -1));
  if (typeof table !== "object" || table === null) return [];
  const started: RequestedServer = { local: { command: "", args: [ownProgram] } };
  return Object.entries(table).map(([name, entry]: [string, unknown]) => {
    const isOurs =
      name === serverName &&
      (whose(client, entry, started) === "ours" ||
        wordsOf(entry).some((word) => typeof word === "string" && programFile.test(word)));
    return { name, entry, isOurs: isOurs || startsUs(entry, started) };
  });
}

/** Keeps the person's additions to our entry, but nothing of an entry of the other kind (local or remote). */
function merge(client: McpClient, current: Entry, entry: Entry): Entry {
  const all = [
    client.local({ command: "", args: [] }),
    remoteEntry(client, { remote: "", access: "token" }) ?? {},
  ];
  const gone = new Set(all.flatMap(Object.keys).filter((key) => !(key in entry)));
  const kept = Object.entries(current).filter(([key]) => !gone.has(key));
  const isTable = (value: unknown): value is object =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  const joined = Object.entries(entry).map(([key, value]): [string, unknown] => {
    const before = current[key];
    return [key, isTable(before) && isTable(value) ? { ...before, ...value } : value];
  });
  return Object.fromEntries<unknown>([...kept, ...joined]);
}

/** Applies an edit, unless it would change anything else. */
function edited(
  format: ConfigFormat,
  text: string,
  { path, value }: { path: readonly ConfigKey[]; value: Entry },
): string {
  const after = format.set(text, path, value);
  const isRight =
    isReadable(format, after) &&
    isDeepStrictEqual(valueAt(format.parse(after), path), value) &&
    isDeepStrictEqual(rest(format, text, path), rest(format, after, path));
  if (!isRight) throw notEditable(text, path);
  return after;
}

function isReadable(format: ConfigFormat, text: string): boolean {
  try {
    format.parse(text);
    return true;
  } catch (error) {
    if (!(error instanceof ConfigSyntaxError)) throw error;
    return false;
  }
}

/** Returns the text without the value at a path, and without any other change. @throws ConfigSyntaxError */
export function withoutPath(
  format: ConfigFormat,
  text: string,
  path: readonly ConfigKey[],
): string {
  const after = format.remove(text, path);
  const isRight =
    valueAt(format.parse(after), path) === undefined &&
    isDeepStrictEqual(rest(format, text, path), rest(format, after, path));
  if (!isRight) throw notEditable(text, path);
  return after;
}

function notEditable(text: string, [first]: readonly ConfigKey[]): ConfigSyntaxError {
  const key = typeof first === "string" ? first : "";
  const line = lineAt(text, Math.max(0, text.indexOf(key)));
  return new ConfigSyntaxError(line, `the syntax of ${key} can only be changed by hand`);
}

/** Returns the content without the value at the path, and without parents that become empty. */
function rest(format: ConfigFormat, text: string, path: readonly ConfigKey[]): unknown {
  return without(format.parse(text) ?? {}, path);
}

function without(value: unknown, [step, ...below]: readonly ConfigKey[]): unknown {
  if (typeof value !== "object" || value === null || step === undefined) return value;
  if (Array.isArray(value))
    return value.filter((each) => typeof step === "string" || !isNamed(each, step.named));
  if (typeof step !== "string" || !(step in value)) return value;
  const { [step]: inner, ...others } = value as Record<string, unknown>;
  const left = below.length === 0 ? undefined : without(inner, below);
  const isEmpty = typeof left === "object" && left !== null && Object.keys(left).length === 0;
  return left === undefined || left === null || isEmpty ? others : { ...others, [step]: left };
}

function valueAt(value: unknown, path: readonly ConfigKey[]): unknown {
  return path.reduce<unknown>((at, step) => {
    if (typeof at !== "object" || at === null) return undefined;
    if (typeof step === "string")
      return Object.hasOwn(at, step) ? (at as Record<string, unknown>)[step] : undefined;
    return Array.isArray(at) ? at.find((each) => isNamed(each, step.named)) : undefined;
  }, value);
}

function isNamed(value: unknown, name: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  return ("name" in value && value.name === name) || ("id" in value && value.id === name);
}

/** Returns whether an entry is ours: it starts this program, or equals the entry that `connect` writes for its URL. */
function whose(client: McpClient, current: unknown, requested: RequestedServer): FoundEntry {
  if (current === undefined) return "none";
  if (startsUs(current, requested)) return "ours";
  const url = valuesOf(current).find(
    (value) => typeof value === "string" && /^https?:/.test(value),
  );
  return typeof url === "string" && reachesUs(client, current as Entry, url) ? "ours" : "other";
}

/** Returns the values of an entry. In a list of entries, `name` identifies it and is not part of the command. */
function valuesOf(entry: unknown): unknown[] {
  if (typeof entry !== "object" || entry === null) return [];
  return Object.entries(entry).flatMap(([key, value]: [string, unknown]) =>
    key === "name" ? [] : [value],
  );
}

/** Returns the texts of an entry, those of its lists too. */
function wordsOf(entry: unknown): unknown[] {
  return valuesOf(entry).flatMap((value): unknown[] => (Array.isArray(value) ? value : [value]));
}

function startsUs(entry: unknown, requested: RequestedServer): boolean {
  const own =
    "local" in requested ? requested.local.args.filter((word) => word.endsWith("main.js")) : [];
  const isUs = (word: unknown): boolean =>
    typeof word === "string" &&
    (own.includes(word) ||
      /^countersign(?:@[\w.-]+)?$|[\\/]countersign(?:[\\/](?:bundle|dist)[\\/]main\.js)?$/.test(
        word,
      ));
  return wordsOf(entry).some(isUs);
}

function reachesUs(client: McpClient, current: Entry, url: string): boolean {
  const [withToken, signsIn] = (["token", "sign-in"] as const).map((access) =>
    remoteEntry(client, { remote: url, access }),
  );
  const has = (entry: Entry): boolean =>
    Object.entries(entry).every(([key, value]) => isDeepStrictEqual(current[key], value));
  // Additions of the person stay in the entry. With other credentials it is a different server's.
  const hasCredentials = Object.keys(client.token ?? {}).some((key) => key in current);
  return (
    (withToken !== undefined && has(withToken)) ||
    (signsIn !== undefined && !hasCredentials && has(signsIn))
  );
}
