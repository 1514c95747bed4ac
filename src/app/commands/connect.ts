import { rmSync } from "node:fs";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { RequestedServer } from "../../setup/clients/change.ts";
import type { McpClient } from "../../setup/clients/client.ts";
import {
  factsOf,
  type Order,
  type ConnectPlan,
  planFor,
  printed,
} from "../../setup/clients/plan.ts";
import { mcpClients } from "../../setup/clients/table.ts";
import { personAtTerminal, PromptCancelled, type Prompter } from "../../setup/person.ts";
import {
  cancelledCode,
  cancelledExit,
  defineCommand,
  form,
} from "../command-line/define-command.ts";
import { choices, flag, httpUrl, text } from "../command-line/options.ts";
import { configFormats } from "../compose/config-formats.ts";
import {
  backupOf,
  type ClientFile,
  filesOf,
  leftClientDrafts,
  readTexts,
  removeEqualBackup,
  replaceText,
  restoreText,
  thisMachine,
} from "../platform/client-files.ts";
import { isAtTerminal } from "../platform/ask-line.ts";
import { readSettings } from "../platform/settings.ts";
import { ownCommand, ownServer, programPath } from "../platform/own-command.ts";

export const command = defineCommand({
  exitCodes: cancelledExit,
  about:
    "Adds this server to the MCP clients on this machine. Without a name it adds the server to every client that it finds. It shows each change and asks before it writes. It keeps a backup beside each file.",
  forms: [
    form({
      arguments: {
        clients: choices(
          "CLIENT",
          mcpClients.map(({ id }) => id),
        ),
      },
      options: {
        http: httpUrl("add a server that runs elsewhere, for example https://mcp.example.org/mcp"),
        signIn: flag("the clients sign in with OAuth and need no token"),
        print: flag("print the entry of each client, and write nothing"),
        undo: flag("remove the entry"),
        yes: flag(
          "write without asking, and replace an entry of this name that connect did not write",
        ),
        json: flag(
          "print one JSON object for each file; without --yes, print only what would change",
        ),
        envFile: text(
          "PATH",
          "the server reads its settings from this file instead of .env in the data directory",
        ),
      },
      conflicts: [
        ["print", "undo"],
        ["http", "undo"],
        ["http", "envFile"],
      ],
      needs: { signIn: "http" },
      run: connect,
    }),
  ],
});

async function connect(
  options: Options & {
    http: string | undefined;
    signIn: boolean;
    print: boolean;
    undo: boolean;
    envFile: string | undefined;
  },
  { clients }: { clients: readonly string[] },
): Promise<number> {
  const files = chosenFiles(clients);
  if (options.undo) return await changeAll(files, { kind: "undo", program: programPath }, options);
  const requested = requestedServer(options);
  if (options.print) return printAll(files, requested, options.json);
  return await changeAll(files, { kind: "connect", requested }, options);
}

function chosenFiles(ids: readonly string[]): readonly ClientFile[] {
  const machine = thisMachine();
  // A client named on the command line gets its entry even before its first start.
  if (ids.length > 0)
    return mcpClients
      .filter(({ id }) => ids.includes(id))
      .flatMap((client) => filesOf(client, machine));
  return foundFiles();
}

/** Returns the files of all clients on this machine. */
export function foundFiles(): readonly ClientFile[] {
  const machine = thisMachine();
  return mcpClients.flatMap((client) => filesOf(client, machine)).filter(({ isFound }) => isFound);
}

function requestedServer({
  http: url,
  signIn,
  envFile,
}: {
  http: string | undefined;
  signIn: boolean;
  envFile: string | undefined;
}): RequestedServer {
  if (url !== undefined) {
    return { remote: url, access: signIn ? "sign-in" : "token" };
  }
  const place = readSettings({ envFile });
  return {
    local: ownServer({
      envFile: envFile === undefined ? undefined : place.file,
      dataDir: place.given["COUNTERSIGN_DATA_DIR"],
    }),
  };
}

function printAll(files: readonly ClientFile[], requested: RequestedServer, json: boolean): number {
  const chosen =
    files.length > 0 ? files : mcpClients.flatMap((one) => filesOf(one, thisMachine()));
  let isEmpty = true;
  for (const { client, file } of chosen) {
    const { id, title } = client;
    const made = printed(configFormats[client.format], client, requested);
    isEmpty &&= "problem" in made;
    if (json) console.log(JSON.stringify({ client: id, title, file, ...made }));
    else if ("problem" in made) console.error(`${made.problem}\n`);
    else console.log(`${[`${title}, in ${file}:`, made.text, ...made.facts].join("\n")}\n`);
  }
  return isEmpty ? 1 : 0;
}

interface Options {
  yes: boolean;
  json: boolean;
}

async function changeAll(
  files: readonly ClientFile[],
  order: Order,
  options: Options,
): Promise<number> {
  const isTerminal = isAtTerminal();
  if (files.length === 0) {
    const known = mcpClients.map(({ title }) => title).join(", ");
    throw new ToolError(
      "not_found",
      `No client was found here. Looked for: ${known}. See ${ownCommand()} connect --print.`,
    );
  }
  const person = isTerminal && !options.yes && !options.json ? personAtTerminal() : undefined;
  try {
    const results = await changeFiles(files, order, { ...options, person });
    const isOpen = results.includes("not-written") && person === undefined && !options.json;
    if (isOpen) console.error("Nothing was written. Run the command at a terminal, or with --yes.");
    return isOpen || results.includes("impossible") ? 1 : 0;
  } catch (error) {
    if (!(error instanceof PromptCancelled)) throw error;
    console.error("Cancelled. Only the changes reported above were made.");
    return cancelledCode;
  }
}

type Result = "written" | "unchanged" | "not-written" | "impossible";

/** Changes one file after the other and asks the person about each. */
export async function changeFiles(
  files: readonly ClientFile[],
  order: Order,
  given: Options & { person?: Prompter | undefined },
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const target of files) {
    try {
      results.push(await changeOne(target, order, given));
    } catch (error) {
      // The other clients are still connected if one file cannot be read or written.
      if (!(error instanceof ToolError)) throw error;
      const problem = error.message;
      if (given.json) printJson(target, { kind: "impossible", problem }, "impossible");
      else console.error(problem);
      results.push("impossible");
    }
  }
  return results;
}

async function changeOne(
  { client, file }: ClientFile,
  order: Order,
  { yes, json, person }: Options & { person?: Prompter | undefined },
): Promise<Result> {
  // A draft may contain secrets of the client's file, and nothing else would delete it.
  for (const left of leftClientDrafts(file)) rmSync(left, { force: true });
  const texts = readTexts(file);
  const plan = planFor(configFormats[client.format], { client, file, texts }, order, ownCommand());
  if (!json) show({ client, file }, plan, order);
  let result: Result = "not-written";
  if (plan.kind === "nothing") {
    result = "unchanged";
    if (order.kind === "undo") removeEqualBackup(file, texts);
  } else if (plan.kind === "impossible") result = "impossible";
  else if (yes || (person && (await agrees(person, client)))) {
    const { after } = plan;
    const { text, backup } = texts;
    if (after === undefined) restoreText(file, { text, backup: undefined });
    else if (order.kind === "undo" && after === backup) restoreText(file, texts);
    else {
      const keepsBackup = order.kind === "connect" && plan.found === "ours";
      replaceText(file, { before: text, after, keepsBackup });
    }
    result = "written";
  }
  if (json) printJson({ client, file }, plan, result);
  else if (result === "written" && plan.kind === "change" && plan.restoresEntry)
    console.log(
      `${client.title} has the entry again that it had before connect. To remove it, run ${ownCommand()} connect --undo again.\n`,
    );
  else if (result === "written")
    tellWritten(client, file, { order, isNew: texts.text === undefined });
  return result;
}

async function agrees(person: Prompter, { title }: McpClient): Promise<boolean> {
  return await person.chooseOne(`Write this for ${title}?`, [
    { value: true, label: "Yes" },
    { value: false, label: "No" },
  ]);
}

function show(
  { client, file }: Pick<ClientFile, "client" | "file">,
  plan: ConnectPlan,
  order: Order,
): void {
  console.log(`${client.title}: ${file}`);
  if (plan.kind === "impossible") console.error(plan.problem);
  if (plan.kind === "nothing")
    console.log(order.kind === "undo" ? "Has no entry.\n" : "Is connected already.\n");
  if (plan.kind !== "change") return;
  for (const line of plan.diff) console.log(line);
  if (plan.found === "other")
    console.log(`This file has an entry of this name that connect did not write.`);
  console.log("");
}

function tellWritten(
  client: McpClient,
  file: string,
  { order, isNew }: { order: Order; isNew: boolean },
): void {
  if (order.kind === "undo") {
    console.log(`${client.title} is no longer connected.\n`);
    return;
  }
  const kept = isNew ? "" : ` The backup is ${backupOf(file)}.`;
  const facts = factsOf(client, order.requested);
  console.log([`${client.title} is connected.${kept}`, ...facts, ""].join("\n"));
}

function printJson(
  { client, file }: Pick<ClientFile, "client" | "file">,
  plan: ConnectPlan,
  result: Result,
): void {
  const { kind } = plan;
  const more =
    kind === "change"
      ? { found: plan.found, diff: plan.diff }
      : { ...(kind === "impossible" && { problem: plan.problem }) };
  console.log(JSON.stringify({ client: client.id, file, result, ...more }));
}
