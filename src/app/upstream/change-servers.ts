import { rmSync } from "node:fs";
import { jsoncFormat } from "../../adapters/jsonc/format.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { serverName } from "../../upstream/servers-file.ts";
import { isToolOf } from "../../upstream/tool-name.ts";
import type { Config } from "../../config.ts";
import { loadSettings } from "../platform/settings.ts";
import { readSafely } from "../platform/safe-file.ts";
import { replaceFile } from "../platform/write-file.ts";
import { updatePins } from "./pin-file.ts";
import { hasServersFile } from "./has-servers-file.ts";
import { ServersFileError, faultOfEntry, readServersFile } from "./read-servers-file.ts";
import { requestRestart } from "./restart-file.ts";
import { reviewedNames } from "./reviewed-names.ts";
import { serverNamed } from "./server-named.ts";
import { forgetSignIn } from "./sign-in-file.ts";
import { unknownServer } from "./unknown-server.ts";
import { ownCommand } from "../platform/own-command.ts";

/** The options of a new entry. */
interface GivenEntry {
  url: string | undefined;
  env: readonly string[];
  header: readonly string[];
  clientId: string | undefined;
  clientSecret: string | undefined;
  callbackPort: string | undefined;
}

/** Adds an entry to the file of servers. Nothing is started, and no tool is offered before a review. */
export async function addServer(
  name: string,
  words: readonly string[],
  options: GivenEntry & { envFile: string | undefined },
): Promise<number> {
  const config = loadSettings({ envFile: options.envFile });
  const valid = serverName.safeParse(name);
  if (!valid.success)
    throw new ToolError(
      "invalid_input",
      `The name ${JSON.stringify(name)} cannot be used: ${valid.error.issues[0]?.message}. Nothing was added.`,
    );
  if (serversIn(config, options.envFile).some((one) => one.name === name)) {
    throw new ToolError("conflict", `There is a server ${name} already. Nothing was added.`, {
      hint: `Remove it first: ${ownCommand()} servers remove ${name}`,
    });
  }
  const entry = entryFrom(words, options);
  const fault = faultOfEntry(config, name, entry, options.envFile);
  if (fault !== undefined)
    throw new ToolError("invalid_input", `${name} cannot be used: ${fault}. Nothing was added.`);
  rewrite(config, options.envFile, (text) => jsoncFormat.set(text, ["mcpServers", name], entry));
  console.log(
    `${name} was added to ${config.servers.file}. Its tools are not offered yet. Run: ${ownCommand()} servers review ${name}`,
  );
  return await Promise.resolve(0);
}

/** Asks every running process to end a server, which starts again at its next call. */
export async function restartServer(
  name: string,
  { envFile }: { envFile: string | undefined },
): Promise<number> {
  const config = loadSettings({ envFile });
  serverNamed(name, config, envFile);
  await requestRestart(config.dataDir, name);
  console.log(
    `Every running Countersign of this data directory stops ${name} within a second. It starts again at its next call.`,
  );
  return 0;
}

function entryFrom([command, ...args]: readonly string[], given: GivenEntry): object {
  const { url, clientId, clientSecret, callbackPort } = given;
  if (url !== undefined && command !== undefined) {
    throw new ToolError(
      "invalid_input",
      "A server has either --url or a command after --, and not both. Nothing was added.",
    );
  }
  if (url !== undefined) {
    const headers = pairs("--header", given.header);
    const oauth = {
      clientId,
      ...(clientSecret !== undefined && { clientSecret }),
      ...(callbackPort !== undefined && { callbackPort: Number(callbackPort) }),
    };
    return {
      type: "http",
      url,
      ...(given.header.length > 0 && { headers }),
      ...(clientId !== undefined && { oauth }),
    };
  }
  if (command === undefined) {
    throw new ToolError(
      "invalid_input",
      "A server needs a command after --, or an address with --url. Nothing was added.",
    );
  }
  const env = pairs("--env", given.env);
  return { command, ...(args.length > 0 && { args }), ...(given.env.length > 0 && { env }) };
}

/** Removes an entry and the review of its tools. */
export async function removeServer(
  name: string,
  { envFile }: { envFile: string | undefined },
): Promise<number> {
  const config = loadSettings({ envFile });
  const names = serversIn(config, envFile).map((one) => one.name);
  if (!names.includes(name)) throw unknownServer(name, names);
  rewrite(config, envFile, (text) => jsoncFormat.remove(text, ["mcpServers", name]));
  await updatePins(config.dataDir, (pins) => {
    const { [name]: _gone, ...servers } = pins.servers;
    return { ...pins, servers };
  });
  const wasSignedIn = await forgetSignIn(config.dataDir, name);
  const forgotten = wasSignedIn ? " Its sign-in was deleted." : "";
  console.log(`${name} was removed. Its tools are no longer offered.${forgotten}`);
  const rules = await rulesOfServer(config, name);
  if (rules.length > 0)
    console.log(
      `Rules in ${config.policyFile} name its tools and approve nothing now: ${rules.join(", ")}. Delete them, because they would apply to a new server of this name.`,
    );
  return 0;
}

/** Returns the ids of the rules in the policy file that name tools of a removed server. */
async function rulesOfServer(config: Config, server: string): Promise<readonly string[]> {
  const { policyFile } = config;
  if (policyFile === undefined) return [];
  const { PolicyFileError, knownTools, readPolicyFile } =
    await import("../compose/policy/read-policy-file.ts");
  const { readRegistry } = await import("../compose/read-registry.ts");
  try {
    const tools = [...knownTools(readRegistry()), ...(await reviewedNames(config))];
    const { idle } = readPolicyFile(policyFile, tools);
    return idle
      .filter(({ rule: { tool } }) => isToolOf(server, tool))
      .map(({ rule: { ruleId } }) => ruleId);
  } catch (error) {
    // The server was removed. `policy check` and `doctor` name a fault of the policy file.
    if (error instanceof PolicyFileError) return [];
    throw error;
  }
}

/** Returns the configured servers. Empty without a file. */
export function serversIn(config: Config, envFile: string | undefined) {
  return hasServersFile(config) ? readServersFile(config, envFile) : [];
}

/** Writes the changed file, and restores the old one if the new one is invalid. */
export function rewrite(
  config: Config,
  envFile: string | undefined,
  change: (text: string) => string,
): void {
  const { file } = config.servers;
  const before = textOf(config);
  replaceFile(file, change(before ?? ""));
  try {
    readServersFile(config, envFile);
  } catch (error) {
    if (before === undefined) rmSync(file, { force: true });
    else replaceFile(file, before);
    throw error;
  }
}

/** Returns the text of the file of servers. Undefined without a file. */
export function textOf(config: Config): string | undefined {
  if (!hasServersFile(config)) return undefined;
  return readSafely(config.servers.file, (problem) => new ServersFileError(problem));
}

function pairs(option: string, given: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf("=");
      if (at > 0) return [text.slice(0, at), text.slice(at + 1)] as const;
      throw new ToolError(
        "invalid_input",
        `${option} must be NAME=VALUE, not ${JSON.stringify(text)}. Nothing was added.`,
      );
    }),
  );
}
