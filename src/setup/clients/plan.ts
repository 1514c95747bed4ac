import { isLoopback } from "../../config/loopback.ts";
import { type ConfigFormat, ConfigSyntaxError } from "../../ports/config-format.ts";
import {
  type ConfigChange,
  entryFor,
  type FileTexts,
  needsQuestion,
  type RequestedServer,
  withEntry,
  withoutEntry,
} from "./change.ts";
import type { McpClient } from "./client.ts";
import { changedLines } from "./diff.ts";

/** The planned change of one file of a client. */
export type ConnectPlan =
  | ({ kind: "change"; diff: readonly string[] } & ConfigChange)
  /** The file already has the wanted content. */
  | { kind: "nothing" }
  | { kind: "impossible"; problem: string };

/** `undo` removes our entry, which is recognised by `program`. */
export type Order =
  | { kind: "connect"; requested: RequestedServer }
  | { kind: "undo"; program: string };

export interface PlannedFile {
  client: McpClient;
  file: string;
  texts: FileTexts;
}

/**
 * Returns the change that `connect` would make to this file, or the reason against it.
 * @param command this program as a person can type it
 */
export function planFor(
  format: ConfigFormat,
  { client, file, texts }: PlannedFile,
  order: Order,
  command: string,
): ConnectPlan {
  try {
    const change = changeFor(format, { client, file, texts }, order);
    if (typeof change === "string") return { kind: "impossible", problem: change };
    const { text } = texts;
    if (change === undefined || change.after === text) return { kind: "nothing" };
    const diff = changedLines(text ?? "", change.after ?? "");
    return { kind: "change", ...change, diff };
  } catch (error) {
    if (!(error instanceof ConfigSyntaxError)) throw error;
    return {
      kind: "impossible",
      problem: `${file}, line ${error.line}: ${error.message}. Nothing was written. Correct the file, or see ${command} connect --print ${client.id}.`,
    };
  }
}

function changeFor(
  format: ConfigFormat,
  { client, file, texts }: PlannedFile,
  order: Order,
): ConfigChange | string | undefined {
  if (order.kind === "undo") {
    const change = withoutEntry(format, client, texts, order.program);
    return change?.found === "other"
      ? `The entry in ${file} was not written by connect. It was not removed. Remove it by hand if you do not need it.`
      : change;
  }
  const entry = entryFor(client, order.requested);
  if (entry === undefined) return whyNoEntry(client);
  return withEntry(format, client, { text: texts.text, entry, requested: order.requested });
}

function whyNoEntry({ title, remote }: McpClient): string {
  return remote === undefined
    ? `The file of ${title} cannot name a remote server. Connect it without --http, or add a connector in ${title}.`
    : `${title} cannot sign in. Connect it without --sign-in, with a token.`;
}

/**
 * Returns the entry as the only content of a file, with the facts about the client that a person needs. Or the reason
 * why the client can have no such entry.
 */
export function printed(
  format: ConfigFormat,
  client: McpClient,
  requested: RequestedServer,
): { text: string; facts: readonly string[] } | { problem: string } {
  const entry = entryFor(client, requested);
  if (entry === undefined) return { problem: whyNoEntry(client) };
  const alone = format.set("", client.path, entry);
  const { question } = client;
  const isAsked = question !== undefined && needsQuestion(requested);
  const text = isAsked ? format.set(alone, question.path, question.value) : alone;
  return { text: text.trimEnd(), facts: factsOf(client, requested) };
}

export function factsOf(client: McpClient, requested: RequestedServer): readonly string[] {
  if ("local" in requested) return client.facts;
  const { protocol, hostname } = new URL(requested.remote);
  const isOpen = protocol === "http:" && !isLoopback(hostname);
  const signIn = client.signIn === undefined ? [] : [client.signIn];
  return [
    ...(isOpen ? ["Others on the network can read the token. Use an address with https."] : []),
    ...(requested.access === "token" ? client.tokenFacts : signIn),
    ...client.facts,
  ];
}
