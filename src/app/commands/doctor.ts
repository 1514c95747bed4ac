import type { Config } from "../../config.ts";
import { ConfigError, type Problem } from "../../config/config-error.ts";
import { type SettingName, settings } from "../../config/settings.ts";
import type { Log } from "../../core/shared/log.ts";
import { type ErrorFields, ToolError } from "../../core/tool/tool-error.ts";
import { defineCommand, form } from "../command-line/define-command.ts";
import { envFile, flag, json, text } from "../command-line/options.ts";
import { type CheckedConnection, connectionsOf, tested } from "../compose/connections.ts";
import { withStores } from "../compose/with-stores.ts";
import { openPlaces, openStores } from "../compose/open/open-stores.ts";
import { createClientMemory } from "../../adapters/libsql/approvals/client-memory.ts";
import { usedCredentials } from "../doctor/credentials.ts";
import { type FileFinding, fileFindings } from "../doctor/data-directory.ts";
import { type Fact, factsOf, formatVersions } from "../doctor/facts.ts";
import { editCommand } from "../doctor/mend-setting.ts";
import { settingFaults } from "../doctor/setting-faults.ts";
import { serverFacts } from "../doctor/servers.ts";
import { toolListFacts } from "../doctor/tool-list.ts";
import { createLog } from "../platform/log.ts";
import { ownCommand } from "../platform/own-command.ts";
import { systemCode } from "../platform/safe-file.ts";
import { loadSettings, placesOf, readSettings, type SettingsPlace } from "../platform/settings.ts";

interface Options {
  credentials: boolean;
  http: boolean;
  fix: boolean;
  client: string | undefined;
  json: boolean;
  envFile: string | undefined;
}

export const command = defineCommand({
  about:
    "Tries every connection that the settings name, and says whether it works, is off or is broken, with the command that repairs it. Then it reports upstream servers, permissions, leftover files, the leader, sizes, versions, the clock, and where each setting came from.",
  exitCodes: { 0: "everything that is configured works", 1: "something is broken" },
  forms: [
    form({
      options: {
        credentials: flag(
          "list what each secret opens and where to revoke it, without trying any connection",
        ),
        http: flag("sign in at the public address as a remote client does, and try nothing else"),
        fix: flag(
          "deny other users access to the files of this program, and remove leftover files",
        ),
        client: text(
          "FILE|NAME",
          "report what a client supports, from a trace file or from its last sessions",
        ),
        json,
        envFile,
      },
      conflicts: [
        ["credentials", "fix"],
        ["credentials", "http"],
        ["fix", "http"],
        ["client", "fix"],
        ["client", "credentials"],
        ["client", "http"],
      ],
      run: async (options) => {
        if (options.client !== undefined) return await describeClient(options.client, options);
        if (options.credentials) return listCredentials(options);
        return await (options.http ? walkHttp(options) : examine(options));
      },
    }),
  ],
});

async function examine(options: Options): Promise<number> {
  const print = (summary: string, data: object): void =>
    console.log(options.json ? JSON.stringify(data) : summary);
  // Files are examined before the settings are read, which fails if the permissions are too wide.
  const filesAreWell = examineFiles(options, print);
  const place = placeOf(options, print);
  if (place === undefined) return 1;
  const config = configOf(options, place, print);
  if (config === undefined) return 1;
  // Each fault is printed below as one sentence. Vendors' own error messages need log level `debug`.
  const quiet: Log = createLog(config.logLevel === "debug" ? "debug" : "error");
  const { faults, close, ...stores } = openCheckable(config, quiet);
  let allWell = filesAreWell && faults.length === 0;
  for (const fault of faults) printFact(fault, print);
  try {
    // All at once: without a network, each of a dozen waits for its own time limit.
    const tests = connectionsOf(config, stores, quiet).map(
      (connection) => [connection, tested(connection)] as const,
    );
    for (const [connection, test] of tests) {
      const outcome = await test;
      allWell &&= outcome.error === undefined;
      const { summary, data } = resultOf(connection, outcome, place);
      print(summary, data);
    }
    const { envFile } = options;
    const hasKeys = stores.keyed !== undefined;
    const servers = hasKeys ? await serverFacts(config, { log: quiet, envFile }) : [];
    const toolList = hasKeys ? await toolListFacts(config, quiet, envFile) : [];
    for (const fact of [...servers, ...(await factsOf(config, stores, place)), ...toolList]) {
      allWell &&= fact.problem === undefined;
      printFact(fact, print);
    }
  } finally {
    await close();
  }
  tellSettings(place, options, print);
  return allWell ? 0 : 1;
}

/**
 * Returns the settings as text. If their file cannot be read, prints why, and what is known without it.
 * @throws ConfigError if the data directory cannot be used
 */
function placeOf({ envFile }: Options, print: Print): SettingsPlace | undefined {
  try {
    return readSettings({ envFile, warn: () => undefined });
  } catch (error) {
    const faults = faultsOf(error, "settings", "No connection was tried.");
    if (error instanceof ConfigError && error.problems.some(isOfDirectory)) throw error;
    for (const fault of faults) printFact(fault, print);
    printFact({ name: "versions", summary: formatVersions() }, print);
    return undefined;
  }
}

const isOfDirectory = ({ setting }: Problem): boolean => setting === "COUNTERSIGN_DATA_DIR";

/** Opens the stores. Without a usable `install.key`, opens those that need no keys, and says so. */
function openCheckable(config: Config, log: Log) {
  try {
    const stores = openStores(config, log);
    const { database, objects } = stores;
    return { database, objects, keyed: stores, faults: [], close: () => stores.close() };
  } catch (error) {
    const untried = "The audit record, the calendar and upstream servers were not tried.";
    const faults = faultsOf(error, "keys", untried);
    const { database, objects } = openPlaces(config, log);
    const close = async (): Promise<void> => {
      await objects.close();
      await database.close();
    };
    return { database, objects, keyed: undefined, faults, close };
  }
}

/** Returns the faults of settings or files. Their sentences say what to do. @throws every other error */
function faultsOf(error: unknown, name: string, untried: string): readonly Fact[] {
  if (!(error instanceof ConfigError)) throw error;
  return error.problems.map(({ setting, problem }) => ({
    name,
    summary: "",
    problem: `${setting} ${problem}. ${untried}`,
  }));
}

/** Returns the settings. If they have errors, prints each one and returns undefined: nothing can be tried then. */
function configOf(options: Options, place: SettingsPlace, print: Print): Config | undefined {
  try {
    return loadSettings({ envFile: options.envFile });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const fact of settingFaults(error, place)) printFact(fact, print);
    tellSettings(place, options, print);
    return undefined;
  }
}

function printFact(fact: Fact, print: Print): void {
  const { name, summary, problem, mend } = fact;
  const next = mend === undefined ? "" : ` Run: ${mend}`;
  print(`${name}: ${problem === undefined ? summary : `broken. ${problem}${next}`}`, fact);
}

/** Signs in as a remote client does, and prints each step. Removes what it registered. */
async function walkHttp(options: Options): Promise<number> {
  return await withStores(options.envFile, async ({ config, stores }) => {
    const { oauth, publicUrl } = config.http;
    const [approver] = config.approvals.approvers;
    if (!oauth || publicUrl === undefined) throw notSetUp();
    if (oauth.issuer === undefined && approver === undefined) throw notSetUp();
    function notSetUp(): ToolError {
      return new ToolError("not_configured", "doctor --http needs OAUTH=on. Nothing was tried.", {
        hint: "Set OAUTH=on, PUBLIC_URL and APPROVERS, and start the server.",
      });
    }
    const { createTestToken } = await import("../../adapters/oidc/test-token.ts");
    const { walkSignIn } = await import("../doctor/sign-in-chain.ts");
    const { origin } = new URL(publicUrl);
    const registered: string[] = [];
    const tokenFor = async (clientId: string): Promise<string> => {
      registered.push(clientId);
      const who = { clientId, principal: approver?.name ?? "operator", resource: `${origin}/mcp` };
      return await createTestToken(stores.oauth, stores.keys.oauth, who);
    };
    let allWell = true;
    for await (const { name, problem, means } of walkSignIn(origin, tokenFor, oauth.issuer)) {
      allWell &&= problem === undefined;
      const summary = problem === undefined ? "works" : `broken. ${problem} ${means}`;
      const data = { name, state: problem === undefined ? "works" : "broken", problem, means };
      console.log(options.json ? JSON.stringify(data) : `${name}: ${summary}`);
    }
    for (const clientId of registered) await stores.oauth.removeClient(clientId);
    return allWell ? 0 : 1;
  });
}

type Print = (summary: string, data: object) => void;

function resultOf(
  connection: CheckedConnection,
  { error, limit }: { error?: ErrorFields; limit?: string },
  place: SettingsPlace,
): { summary: string; data: object } {
  const { name, settings: names, check } = connection;
  const state = check === undefined ? "off" : error === undefined ? "works" : "broken";
  const mend =
    error !== undefined
      ? mendOf(connection, error, place)
      : state === "off" && name !== "policy file"
        ? own("init")
        : undefined;
  const next = mend === undefined ? "" : ` Run: ${mend}`;
  const why = error && [error.message, error.hint].filter((each) => each !== undefined).join(" ");
  const summary = {
    works: `${name}: works${limit === undefined ? "" : `. ${limit}`}`,
    off: `${name}: off. Set ${names} to enable it.${next}`,
    broken: `${name}: broken. ${why ?? ""}${next}`,
  }[state];
  const data = {
    name,
    state,
    ...(limit !== undefined && { limit }),
    ...(error && { error }),
    ...(mend && { mend }),
  };
  return { summary, data };
}

/** Settings that `init` does not ask for, by the connection that they configure. */
const editedByHand = new Map<string, SettingName>([
  ["database", "DATABASE_URL"],
  ["authorization server", "OAUTH_ISSUER"],
]);

/** Returns the command that repairs a connection. Undefined if no command does. */
function mendOf(
  { name, isOwnFile = false }: CheckedConnection,
  { kind }: ErrorFields,
  { fromFile, given, file }: SettingsPlace,
): string | undefined {
  const setting = editedByHand.get(name);
  if (setting !== undefined) {
    const isInFile = fromFile[setting] !== undefined && given[setting] === undefined;
    return isInFile ? editCommand(file) : undefined;
  }
  if (name === "policy file") return own("policy check");
  // A store that cannot be read has a line of its own, and `audit verify` would only repeat it.
  if (name === "audit record") return kind === "conflict" ? own("audit verify") : undefined;
  return isOwnFile ? undefined : own("init");
}

function own(words: string): string {
  return `${ownCommand()} ${words}`;
}

function examineFiles(options: Options, print: Print): boolean {
  const { dataDir, file } = placesOf(options.envFile);
  let isWell = true;
  for (const finding of fileFindings(dataDir, file)) {
    const { path, problem, mend, isDangerous } = finding;
    const fixed = options.fix && isFixed(finding);
    if (!fixed && isDangerous) isWell = false;
    const outcome = fixed ? "Fixed." : `${options.fix ? "Not fixed. " : ""}Run: ${mend}`;
    print(`${path}: ${problem}. ${outcome}`, { path, problem, mend, fixed });
  }
  return isWell;
}

/** Repairs a file. False if this user may not. */
function isFixed({ fix }: FileFinding): boolean {
  try {
    fix?.();
    return fix !== undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

/** Prints names alone, because a value may be a secret. */
function tellSettings(place: SettingsPlace, options: Options, print: Print): void {
  const { given, fromFile, file } = place;
  const names = Object.keys(settings) as SettingName[];
  const sourceOf = (name: SettingName): "environment" | "file" | "default" => {
    if (given[name] !== undefined) return "environment";
    return (fromFile[name] ?? "") === "" ? "default" : "file";
  };
  if (options.json) {
    for (const name of names) print("", { setting: name, from: sourceOf(name) });
    return;
  }
  for (const [source, label] of [
    ["environment", "the environment"],
    ["file", file],
  ] as const) {
    const found = names.filter((name) => sourceOf(name) === source);
    if (found.length > 0) console.log(`settings from ${label}: ${found.join(", ")}`);
  }
  console.log("all other settings: default");
}

async function describeClient(given: string, options: Options): Promise<number> {
  const { reportLines, reportsOf } = await import("../doctor/client-lines.ts");
  return await withStores(options.envFile, async ({ stores }) => {
    for (const report of await reportsOf(given, createClientMemory(stores.database)))
      console.log(options.json ? JSON.stringify(report) : `${reportLines(report).join("\n")}\n`);
    return 0;
  });
}

function listCredentials(options: Options): number {
  const place = readSettings({ envFile: options.envFile });
  for (const credential of usedCredentials(place)) {
    const { name, from, opens, revoke } = credential;
    console.log(
      options.json
        ? JSON.stringify(credential)
        : `${name} (${from})\n  opens: ${opens}\n  revoke: ${revoke}`,
    );
  }
  return 0;
}
