import { rmSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { jsoncFormat } from "../../adapters/jsonc/format.ts";
import type { Config } from "../../config.ts";
import { isData } from "../../core/shared/data.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { ConfigSyntaxError } from "../../ports/config-format.ts";
import { entriesOf, withoutPath } from "../../setup/clients/change.ts";
import type { McpClient } from "../../setup/clients/client.ts";
import { changedLines } from "../../setup/clients/diff.ts";
import { mcpClients } from "../../setup/clients/table.ts";
import { personAtTerminal, PromptCancelled } from "../../setup/person.ts";
import { codexEntry } from "../../upstream/codex-entry.ts";
import { importedEntry } from "../../upstream/imported-entry.ts";
import { configFormats } from "../compose/config-formats.ts";
import { isAtTerminal } from "../platform/ask-line.ts";
import {
  filesOf,
  importSuffix,
  leftClientDrafts,
  readTexts,
  replaceText,
  thisMachine,
} from "../platform/client-files.ts";
import { loadSettings } from "../platform/settings.ts";
import { rewrite, serversIn, textOf } from "./change-servers.ts";
import { ownCommand, programPath } from "../platform/own-command.ts";
import { faultOfEntry } from "./read-servers-file.ts";

/** The clients whose entries can be converted to those of `servers.json`. */
export const importable = ["claude-desktop", "claude-code", "vscode", "cursor", "codex"] as const;

interface Options {
  move: boolean;
  yes: boolean;
  json: boolean;
  envFile: string | undefined;
}

/** One entry of a client. Without `problem` it is imported under `name`. */
interface Candidate {
  file: string;
  given: string;
  name: string;
  entry: object;
  leftOut: readonly string[];
  /** True if `servers.json` has this server already, so that the entry is only taken out of the client. */
  isPresent?: boolean;
  problem?: string;
}

/** Reads the entries of a client, shows the change of each file, and writes after the person agrees. */
export async function importServers(id: string, options: Options): Promise<number> {
  const config = loadSettings({ envFile: options.envFile });
  const client = mcpClients.find((one) => one.id === id);
  if (client === undefined) throw new ToolError("not_found", `There is no client ${id}.`);
  const files = filesOf(client, thisMachine()).map(({ file }) => ({ file, ...readTexts(file) }));
  for (const left of files.flatMap(({ file }) => leftClientDrafts(file)))
    rmSync(left, { force: true });
  const taken = new Set(serversIn(config, options.envFile).map(({ name }) => name));
  const before = textOf(config) ?? "";
  const found = files.flatMap(({ file, text }) =>
    candidatesIn(client, file, text ?? "", {
      taken,
      movable: options.move ? writtenIn(before) : {},
      ownUrl: config.http.publicUrl,
      faultOf: (name, entry) => faultOfEntry(config, name, entry, options.envFile),
    }),
  );
  const usable = found.filter(({ problem }) => problem === undefined);
  const change = (text: string): string =>
    usable
      .filter(({ isPresent }) => isPresent !== true)
      .reduce((now, one) => jsoncFormat.set(now, ["mcpServers", one.name], one.entry), text);
  const moves = files.flatMap(({ file, text }) => {
    const own = usable.filter((one) => one.file === file);
    if (!options.move || text === undefined || own.length === 0) return [];
    const section = client.path.slice(0, -1);
    const after = own.reduce(
      (now, { given }) => withoutPath(configFormats[client.format], now, [...section, given]),
      text,
    );
    return [{ file, before: text, after }];
  });
  if (!options.json) {
    const changes = [{ file: config.servers.file, before, after: change(before) }, ...moves];
    show(client, found, changes);
  }
  const isWritten = usable.length > 0 && (options.yes || (await agrees(options)));
  if (isWritten) {
    rewrite(config, options.envFile, change);
    for (const { file, ...texts } of moves)
      replaceText(file, { ...texts, keepsBackup: false, suffix: importSuffix });
  }
  tell(client, found, { isWritten, ...options }, config);
  return usable.length > 0 && !isWritten && !options.json ? 1 : 0;
}

function candidatesIn(
  client: McpClient,
  file: string,
  text: string,
  {
    taken,
    movable,
    ownUrl,
    faultOf,
  }: {
    taken: Set<string>;
    /** The entries of `servers.json` whose equals in a client may be taken out. */
    movable: Readonly<Record<string, unknown>>;
    ownUrl: string | undefined;
    faultOf: (name: string, entry: object) => string | undefined;
  },
): readonly Candidate[] {
  let entries: ReturnType<typeof entriesOf>;
  try {
    entries = entriesOf(configFormats[client.format], client, text, programPath);
  } catch (error) {
    if (!(error instanceof ConfigSyntaxError)) throw error;
    throw new ToolError(
      "invalid_input",
      `${file}, line ${error.line}: ${error.message}. Nothing was written.`,
    );
  }
  return entries.map(({ name: given, entry, isOurs }): Candidate => {
    const read = importedEntry(given, client.id === "codex" ? codexEntry(entry) : entry, {
      hasPlainVariables: client.id === "claude-code",
    });
    const base = { file, given, name: given, entry: {}, leftOut: [] };
    if (isOurs || (read.kind === "usable" && isAt(read.entry, ownUrl)))
      return { ...base, problem: "it is Countersign itself" };
    if (read.kind === "unusable") return { ...base, problem: read.problem };
    const { name, leftOut } = read;
    if (isSameServer(read.entry, movable[name]))
      return { file, given, name, entry: read.entry, leftOut, isPresent: true };
    if (taken.has(name)) return { ...base, name, problem: `there is a server ${name} already` };
    const fault = faultOf(name, read.entry);
    if (fault !== undefined) return { ...base, name, problem: fault };
    taken.add(name);
    return { file, given, name, entry: read.entry, leftOut };
  });
}

function writtenIn(text: string): Readonly<Record<string, unknown>> {
  const file = text.trim() === "" ? undefined : jsoncFormat.parse(text);
  const servers = isData(file) ? file["mcpServers"] : undefined;
  return isData(servers) ? servers : {};
}

/** The fields that say which server an entry is. The others are settings of Countersign. */
const target = ["command", "args", "env", "url", "headers", "module"];

function isSameServer(entry: object, present: unknown): boolean {
  const targetOf = (of: object): object =>
    Object.fromEntries(Object.entries(of).filter(([field]) => target.includes(field)));
  return isData(present) && isDeepStrictEqual(targetOf(entry), targetOf(present));
}

/** Returns whether an entry reaches the server with this public address. */
function isAt(entry: object, ownUrl: string | undefined): boolean {
  return ownUrl !== undefined && "url" in entry && entry.url === `${ownUrl}/mcp`;
}

function show(
  client: McpClient,
  found: readonly Candidate[],
  changes: readonly { file: string; before: string; after: string }[],
): void {
  if (found.length === 0) console.log(`${client.title} has no servers.`);
  const secrets = found.flatMap(({ entry }) => secretsOf(entry));
  for (const { file, before, after } of changes) {
    if (before === after) continue;
    const lines = changedLines(before, after).map((line) =>
      secrets.reduce((text, secret) => text.replaceAll(secret, "***"), line),
    );
    console.log([`${file}:`, ...lines, ""].join("\n"));
  }
}

/** Returns the values of variables and headers as JSON writes them. They are often secrets. */
function secretsOf(entry: object): string[] {
  const tables = [
    "env" in entry ? entry.env : undefined,
    "headers" in entry ? entry.headers : undefined,
  ];
  return tables.flatMap((table) =>
    Object.values(table ?? {})
      .map((value) => JSON.stringify(value).slice(1, -1))
      .filter((value) => value.length > 3 && !/^(?:\w+ )?\$\{env:[^}]+\}$/.test(value)),
  );
}

async function agrees({ json }: Options): Promise<boolean> {
  if (json || !isAtTerminal()) return false;
  try {
    return await personAtTerminal().chooseOne("Write this?", [
      { value: true, label: "Yes" },
      { value: false, label: "No" },
    ]);
  } catch (error) {
    if (!(error instanceof PromptCancelled)) throw error;
    throw new ToolError("cancelled", "Cancelled. Nothing was written.", { cause: error });
  }
}

function tell(
  client: McpClient,
  found: readonly Candidate[],
  { isWritten, json, move }: Options & { isWritten: boolean },
  { servers }: Config,
): void {
  const done = move ? "moved" : "imported";
  for (const { file, given, name, leftOut, isPresent, problem } of found) {
    const result = problem !== undefined ? "skipped" : isWritten ? done : "not-written";
    const reason = problem !== undefined && { problem };
    if (json) console.log(JSON.stringify({ file, given, name, result, leftOut, ...reason }));
    else {
      const place = isPresent === true ? `${name}, which ${servers.file} has already` : name;
      const left = leftOut.length > 0 ? ` Left out: ${leftOut.join(", ")}.` : "";
      console.log(
        `${given}: ${problem === undefined ? `${result} as ${place}.${left}` : `skipped, ${problem}.`}`,
      );
    }
  }
  if (json) return;
  if (isWritten)
    console.log(
      `Written to ${servers.file}. No tool is offered before a review: ${ownCommand()} servers review NAME.${move ? ` ${client.title} reaches the servers through Countersign: ${ownCommand()} connect ${client.id}.` : ""}`,
    );
  else if (found.some(({ problem }) => problem === undefined))
    console.error(
      isAtTerminal()
        ? "Nothing was written."
        : "Nothing was written. Run the command at a terminal, or with --yes.",
    );
}
