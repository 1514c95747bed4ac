import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, type RequestOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect } from "vitest";
import { type Home, newHome, operatorSecret, templateOf } from "./home.ts";
import { type Ended, processVariableIn } from "../servers/command-here.ts";
import { compiledProgram } from "../servers/typescript-child.ts";
import { bareEnv, program, runHere, runProgram } from "./program.ts";
import { StdioHere } from "./stdio-here.ts";

const fixtures = new URL("../fixtures/upstream/", import.meta.url);

/** Returns the path of a server in test/fixtures/upstream, or of its bundle. */
function upstreamFixture(name: string): string {
  return compiledProgram(fileURLToPath(new URL(name, fixtures)));
}

/** Makes an entry of `servers.json` that starts a fixture. */
export function nodeServer(name: string, more: object = {}, args: readonly string[] = []): object {
  return { command: process.execPath, args: [upstreamFixture(name), ...args], ...more };
}

export function writeServers(home: Home, mcpServers: object): void {
  writeFileSync(join(home.dir, "servers.json"), JSON.stringify({ mcpServers }), { mode: 0o600 });
}

/** Creates a home with these upstream servers, without reviews. */
export function homeWithServers(
  t: Parameters<typeof newHome>[0],
  mcpServers: object,
  env: Record<string, string> = {},
): Home {
  const home = newHome(t, env);
  writeServers(home, mcpServers);
  return home;
}

/** Accepts the tools of a server with their proposed risks, as an approver. */
export async function review(home: Home, name: string, secret = operatorSecret): Promise<Ended> {
  const run = processVariableIn(home.env) === undefined ? runHere : runProgram;
  return await run(
    home,
    ["servers", "review", name, "--accept-proposed", "--secret-stdin", "--json"],
    { input: `${secret}\n` },
  );
}

/** Copies of homes after their first review, by the servers and settings that were reviewed. */
const templates = new Map<string, Promise<string>>();

/**
 * Does the same for every named server. A home that no program has used yet gets a copy of an equal one that this
 * worker reviewed before, because a review starts two programs.
 */
export async function reviewed(home: Home, ...names: string[]): Promise<void> {
  if (existsSync(join(home.dir, "countersign.db"))) return await reviewEach(home, names);
  const key = JSON.stringify([names, { ...home.env, COUNTERSIGN_DATA_DIR: "" }, filesOf(home.dir)]);
  const found = templates.get(key);
  if (found === undefined) {
    const made = reviewEach(home, names).then(() => templateOf(home));
    templates.set(key, made);
    // A failure is of this test alone.
    made.catch(() => templates.delete(key));
    await made;
  } else {
    cpSync(await found, home.dir, { recursive: true });
  }
}

async function reviewEach(home: Home, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { code, stderr } = await review(home, name);
    expect(code, stderr).toBe(0);
  }
}

function filesOf(dir: string): string[][] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
    .map((path) => [relative(dir, path), readFileSync(path, "utf8")]);
}

/** Returns the directory in which a server runs. */
export function directoryOf(home: Home, name: string): string {
  const directory = join(home.dir, "servers", name);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return directory;
}

/**
 * Changes how the fixture behaves from now on. The file is replaced in one step, because a running fixture reads it and
 * would crash on an empty one.
 */
export function setState(home: Home, name: string, state: object): void {
  const path = join(directoryOf(home, name), "state.json");
  writeFileSync(`${path}.new`, JSON.stringify(state));
  renameSync(`${path}.new`, path);
}

/** Returns the calls that the fixture received, in order. */
export function callsOf(home: Home, name: string): string[] {
  const path = join(directoryOf(home, name), "calls.log");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}

export interface RawResult {
  text: string;
  isError: boolean;
  structured: Record<string, unknown> | undefined;
  /** All of it, as the client received it. */
  whole: string;
  kinds: string[];
  error:
    | { kind: string; sideEffects: string; approval?: { id: string; status: string } }
    | undefined;
}

/** Connects a client of the built server that returns results unchanged. */
export async function open(home: Home, onListChanged?: () => void) {
  const client = newClient(onListChanged);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, "serve"],
    env: bareEnv(home.env),
    stderr: "pipe",
  });
  let log = "";
  transport.stderr?.on("data", (chunk: Buffer) => (log += chunk.toString()));
  await client.connect(transport);
  home.later(() => client.close());
  return {
    ...callsBy(client),
    log: () => log,
    pid: () => transport.pid,
    /** Ids of the processes that the server has started. */
    children: () =>
      readFileSync(`/proc/${transport.pid}/task/${transport.pid}/children`, "utf8")
        .trim()
        .split(" ")
        .map(Number),
    close: () => client.close(),
  };
}

/** Does the same with the server in this process, for tests whose subject is not the process. */
export async function openHere(home: Home, onListChanged?: () => void) {
  const client = newClient(onListChanged);
  const transport = new StdioHere(home);
  await client.connect(transport);
  home.later(() => client.close());
  return { ...callsBy(client), log: () => transport.server.said.stderr };
}

function newClient(onListChanged: () => void = () => undefined): Client {
  return new Client(
    { name: "upstream-test", version: "1.0.0" },
    { listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onListChanged } } },
  );
}

function callsBy(client: Client) {
  return {
    instructions: () => client.getInstructions() ?? "",
    list: async () => (await client.listTools(undefined, { cacheMode: "bypass" })).tools,
    ping: () => client.ping(),
    call: async (
      name: string,
      args: Record<string, unknown> = {},
      options: RequestOptions = {},
    ): Promise<RawResult> => {
      const result = await client.request(
        { method: "tools/call", params: { name, arguments: args } },
        { timeout: 120_000, ...options },
      );
      if (!("content" in result)) throw new Error("no result");
      const text = result.content
        .map((block) => (block.type === "text" ? block.text : ""))
        .join("\n");
      return {
        text,
        isError: result.isError === true,
        structured: result.structuredContent as Record<string, unknown> | undefined,
        whole: JSON.stringify(result),
        kinds: result.content.map(({ type }) => type),
        error: result._meta?.["dev.countersign/error"] as RawResult["error"],
      };
    },
  };
}

const canaries = { TAVILY_API_KEY: "CANARY-TAVILY", MY_CANARY: "CANARY-ENV" };
/** Commands of a person take some seconds on a busy machine. */
const longWait = { ...canaries, APPROVAL_WAIT_MS: "45000" };

/** Creates a home with a hostile server and an ordinary one, both reviewed. */
export async function hostileServers(
  t: Parameters<typeof homeWithServers>[0],
  state: object = {},
  waitsLong = false,
): Promise<Home> {
  const hostile = nodeServer("hostile-server.mjs", { timeoutMs: 5_000 });
  const home = homeWithServers(
    t,
    { hostile, notes: nodeServer("notes-server.mjs") },
    waitsLong ? longWait : canaries,
  );
  setState(home, "hostile", state);
  await reviewed(home, "hostile", "notes");
  return home;
}

/** Creates the same with a client of a server in this process. */
export async function hostileHome(...options: Parameters<typeof hostileServers>) {
  const home = await hostileServers(...options);
  return { home, client: await openHere(home) };
}

/** Checks that another server still answers, and that the process is the same. */
export async function isUnharmed(client: Awaited<ReturnType<typeof openHere>>): Promise<void> {
  const { text } = await client.call("notes__search_notes", { query: "after" });
  expect(text).toContain("found after");
}
