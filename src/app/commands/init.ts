import { createMailAdmin } from "../../adapters/libsql/mail/mail-admin.ts";
import { type Config, type Environment, parseSettings } from "../../config.ts";
import { ConfigError } from "../../config/config-error.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { QuarantinedMail } from "../../ports/mail/mail-admin.ts";
import { mailToJson, summarizeMail } from "../../channels/mail-lines.ts";
import {
  type CheckedCapability,
  setUp,
  type SetupPlace,
  stateOf,
} from "../../setup/conversation.ts";
import { clientLines } from "../../setup/client-lines.ts";
import type { ServerCommand } from "../../setup/clients/client.ts";
import { withSettings } from "../../setup/env-text.ts";
import { PromptCancelled, personAtTerminal, type Prompter } from "../../setup/person.ts";
import { configFormats } from "../compose/config-formats.ts";
import { connectionsOf, tested } from "../compose/connections.ts";
import { isAtTerminal } from "../platform/ask-line.ts";
import { readEnvFile } from "../platform/env-file.ts";
import { replaceFile } from "../platform/write-file.ts";
import {
  cancelledCode,
  cancelledExit,
  defineCommand,
  form,
} from "../command-line/define-command.ts";
import { flag, text } from "../command-line/options.ts";
import { createLog } from "../platform/log.ts";
import { openStores, type Stores } from "../compose/open/open-stores.ts";
import { receivesMail } from "../service/install-unit.ts";
import { isInstalled, offerService } from "../service/offer-unit.ts";
import { inShell } from "../../core/shared/text/shell-word.ts";
import { ownCommand, ownServer } from "../platform/own-command.ts";
import { readSettings, type SettingsPlace } from "../platform/settings.ts";
import { endBySignal } from "../platform/stop-signal.ts";
import { changeFiles, foundFiles } from "./connect.ts";

export const command = defineCommand({
  exitCodes: cancelledExit,
  about:
    "Asks what you want to set up, tries each connection, and writes .env in the data directory. It first shows confirmations of forwarding that wait for you. Then it offers to connect the clients on this machine. Ctrl-C cancels; settings that were already written stay.",
  forms: [
    form({
      options: {
        json: flag(
          "ask nothing; print what is set up and what is missing, one JSON object per line",
        ),
        envFile: text("PATH", "read and write this file instead of .env in the data directory"),
      },
      run: init,
    }),
  ],
});

/** Confirmations shown here. `mail quarantine` lists all of them. */
const mostConfirmations = 20;

async function init(options: { json: boolean; envFile: string | undefined }): Promise<number> {
  const { envFile } = options;
  const { file } = readSettings({ envFile });
  // Read again at each step, because other programs may write it. Its warnings were already printed.
  const source = { envFile, warn: () => undefined };
  if (options.json) return await printJson(source);
  if (isAtTerminal()) return await ask(source);
  await printReport(source);
  const todo = `put the settings into ${file}, and run ${ownCommand()} doctor`;
  throw new ToolError(
    "forbidden",
    `init asks its questions only at a terminal. Nothing was written. Without a terminal, ${todo}.`,
  );
}

interface Source {
  envFile: string | undefined;
  warn: () => void;
}

async function ask(source: Source): Promise<number> {
  const person = personAtTerminal();
  const left = (): void =>
    person.warn(
      `Cancelled. Only the changes reported above were saved. To continue, run: ${ownCommand()} init`,
    );
  // Applies while a connection is tested. At a question Ctrl-C is a key.
  process.once("SIGINT", (signal) => {
    left();
    endBySignal(signal);
  });
  const { problems, waiting } = await presentState(source);
  person.info(`Settings are stored in ${readSettings(source).file}.`);
  for (const problem of problems) person.warn(problem);
  for (const mail of waiting) person.info(summarizeMail(mail));
  let isConnected = false;
  try {
    await setUp(person, setupPlace(source));
    isConnected = await connectClients(person, readSettings(source), source);
    await offerService(person, source.envFile);
  } catch (error) {
    if (!(error instanceof PromptCancelled)) throw error;
    left();
    return cancelledCode;
  }
  // Printed without the frame of the questions, so that it can be copied.
  for (const step of nextSteps(readSettings(source), source, isConnected)) console.log(`\n${step}`);
  return 0;
}

async function printReport(source: Source): Promise<void> {
  const { problems, waiting } = await presentState(source);
  for (const { capability, lacks } of stateOf(setupPlace(source)))
    console.log(
      `${capability.title}: ${lacks.length === 0 ? "is set up" : `needs ${lacks.join(", ")}`}`,
    );
  for (const line of [...problems, ...waiting.map(summarizeMail)]) console.log(line);
}

async function printJson(source: Source): Promise<number> {
  const { problems, waiting } = await presentState(source);
  const { file, dataDir } = readSettings(source);
  const lines = [
    { file, dataDir },
    ...stateOf(setupPlace(source)).map(({ capability: { title }, lacks }) => ({ title, lacks })),
    ...problems.map((problem) => ({ problem })),
    ...waiting.map((mail) => mailToJson(mail)),
  ];
  for (const line of lines) console.log(JSON.stringify(line));
  return 0;
}

/** Shows the faults of the current settings and the confirmations that providers of mail wait for. */
async function presentState(
  source: Source,
): Promise<{ problems: readonly string[]; waiting: readonly QuarantinedMail[] }> {
  const { config, problems } = configOf(readSettings(source), {});
  if (config === undefined) return { problems, waiting: [] };
  try {
    const waiting = await withStoresOf(config, ({ database }) =>
      createMailAdmin(database).quarantined({ onlyConfirmations: true, limit: mostConfirmations }),
    );
    return { problems: [], waiting };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { problems: [error.message], waiting: [] };
  }
}

function setupPlace(source: Source): SetupPlace {
  const now = (): SettingsPlace => readSettings(source);
  return {
    file: now().file,
    given: now().given,
    get fromFile() {
      return now().fromFile;
    },
    canChange: (name) =>
      withSettings(readEnvFile(now().file, source.warn) ?? "", { [name]: "any" }) !== undefined,
    attempt: (answers, connection) => attempt(now(), answers, connection),
    write: (answers) => {
      const { file } = now();
      const text = withSettings(readEnvFile(file, source.warn) ?? "", answers);
      if (text === undefined)
        throw new ToolError(
          "conflict",
          `${file} has changed since it was read. Nothing was written.`,
        );
      replaceFile(file, text);
    },
  };
}

async function attempt(
  place: SettingsPlace,
  answers: Environment,
  name: string,
): Promise<CheckedCapability> {
  const { config, problems } = configOf(place, answers);
  if (config === undefined) {
    // An answer is accepted despite faults that existed before it.
    const known = configOf(place, {}).problems;
    return { problems, isUsable: problems.every((problem) => known.includes(problem)) };
  }
  const { error, limit } = await withStoresOf(config, async (stores) => {
    const connections = connectionsOf(config, { ...stores, keyed: stores }, createLog("error"));
    const connection = connections.find((one) => one.name === name);
    return connection === undefined ? {} : await tested(connection);
  });
  const words = [error?.message, error?.hint, limit].filter((word) => word !== undefined);
  return { problems: words.length === 0 ? [] : [words.join(" ")], isUsable: true };
}

/** Returns the settings with these answers, or their faults as one sentence each. */
function configOf(
  { dataDir, fromFile, given }: SettingsPlace,
  answers: Environment,
): { config?: Config; problems: readonly string[] } {
  const all = { ...fromFile, ...answers, ...given, COUNTERSIGN_DATA_DIR: dataDir };
  try {
    return { config: parseSettings(all, dataDir), problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { problems: error.problems.map(({ setting, problem }) => `${setting} ${problem}.`) };
  }
}

async function withStoresOf<Result>(
  config: Config,
  act: (stores: Stores) => Promise<Result> | Result,
): Promise<Result> {
  const stores = openStores(config, createLog("error"));
  try {
    return await act(stores);
  } finally {
    await stores.close();
  }
}

/** Adds the server to the clients that the person chooses. False if no client has it afterwards. */
async function connectClients(person: Prompter, place: SettingsPlace, source: Source) {
  const files = foundFiles();
  if (files.length === 0) return false;
  const chosen = await person.multiselect(
    "Which clients should have this server? (Space to select, Enter to continue)",
    files.map((value) => ({ value, label: `${value.client.title}: ${value.file}` })),
  );
  const order = { kind: "connect", requested: { local: serverAt(place, source) } } as const;
  const results = await changeFiles(chosen, order, { yes: false, json: false, person });
  return results.some((result) => result === "written" || result === "unchanged");
}

function serverAt({ file, given }: SettingsPlace, { envFile }: Source): ServerCommand {
  const { COUNTERSIGN_DATA_DIR: dataDir } = given;
  return ownServer({ envFile: envFile === undefined ? undefined : file, dataDir });
}

/**
 * Returns the next steps for the person: the client's configuration and, for incoming mail, the process that receives
 * it.
 */
function nextSteps(place: SettingsPlace, source: Source, isConnected: boolean): readonly string[] {
  const { config } = configOf(place, {});
  const isServiceMissing =
    config !== undefined && receivesMail(config) && !isInstalled(source.envFile);
  return [
    ...(isServiceMissing
      ? [`Keep this command running. It receives mail:\n${ownCommand()} ingest`]
      : []),
    ...(isConnected ? [] : clientLines(serverAt(place, source), inShell, configFormats)),
  ];
}
