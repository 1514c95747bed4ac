import { randomBytes } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { jsoncFormat } from "../../adapters/jsonc/format.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { serverName } from "../../upstream/servers-file.ts";
import type { Config } from "../../config.ts";
import { loadSettings } from "../platform/settings.ts";
import { readSafely } from "../platform/safe-file.ts";
import { updatePins } from "./pin-file.ts";
import { ServersFileError, hasServersFile, readServersFile } from "./read-servers-file.ts";
import { unknownServer } from "./unknown-server.ts";

/** Adds an entry to the file of servers. Nothing is started, and no tool is offered before a review. */
export async function addServer(
  name: string,
  words: readonly string[],
  options: {
    url: string | undefined;
    env: readonly string[];
    envFile: string | undefined;
  },
): Promise<number> {
  const config = loadSettings({ envFile: options.envFile });
  const valid = serverName.safeParse(name);
  if (!valid.success)
    throw new ToolError("invalid_input", `${valid.error.issues[0]?.message}. Nothing was added.`);
  const { url } = options;
  const [command, ...args] = words;
  if (url !== undefined) {
    throw new ToolError(
      "invalid_input",
      "--url: servers over HTTP cannot be started yet. Nothing was added.",
    );
  }
  if (command === undefined) {
    throw new ToolError("invalid_input", "A server needs a command after --. Nothing was added.");
  }
  if (serversIn(config, options.envFile).some((one) => one.name === name)) {
    throw new ToolError("conflict", `There is a server ${name} already. Nothing was added.`, {
      hint: `Remove it first: countersign servers remove ${name}`,
    });
  }
  const env = pairs("--env", options.env);
  const entry = {
    command,
    ...(args.length > 0 && { args }),
    ...(options.env.length > 0 && { env }),
  };
  rewrite(config, options.envFile, (text) => jsoncFormat.set(text, ["mcpServers", name], entry));
  console.log(
    `${name} was added to ${config.servers.file}. Its tools are not offered yet. Run: countersign servers review ${name}`,
  );
  return await Promise.resolve(0);
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
  updatePins(config.dataDir, (pins) => {
    const { [name]: _gone, ...servers } = pins.servers;
    return { ...pins, servers };
  });
  console.log(`${name} was removed. Its tools are no longer offered.`);
  return await Promise.resolve(0);
}

function serversIn(config: Config, envFile: string | undefined) {
  return hasServersFile(config) ? readServersFile(config, envFile) : [];
}

/** Writes the changed file, and restores the old one if the new one is invalid. */
function rewrite(
  config: Config,
  envFile: string | undefined,
  change: (text: string) => string,
): void {
  const { file } = config.servers;
  const before = hasServersFile(config)
    ? readSafely(file, (problem) => new ServersFileError(problem))
    : undefined;
  put(file, change(before ?? ""));
  try {
    readServersFile(config, envFile);
  } catch (error) {
    if (before === undefined) rmSync(file, { force: true });
    else put(file, before);
    throw error;
  }
}

function put(file: string, text: string): void {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx", flush: true });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
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
