import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Gateway, installGateways } from "./gateways.ts";
import { type RawClient, startProgram, startRaw } from "./stdio-client.ts";

// Ratios in one run, in turn: these machines are shared, and only numbers side by side can be compared.

/** Calls at a time: one caller that waits for each answer, and a client that works in parallel. */
const widths = [1, 16];
const warmUpCalls = 1_000;
const rounds = 9;
const callsPerRound = 320;
const listRuns = 9;
const memoryRuns = 5;
const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const many = here("./many-tools.mjs");
const ours = here("./upstream-server.mjs");
const relay = here("./relay.mjs");
/** A relay that reads no message. The limit of 2.6 x assumes that its calls take 2.0 x as long as direct ones. */
const twoHops = "two hops";
const program = here("../../bundle/main.js");
const secret = "bench-secret-of-the-operator";

interface Row {
  what: string;
  measured: string;
  limit: string;
  holds: boolean;
}

/** Prints rows as soon as they are measured. */
function report(rows: readonly Row[]): void {
  for (const { what, measured, limit, holds } of rows) {
    console.log(`${holds ? "ok  " : "FAIL"} ${what}: ${measured} (limit ${limit})`);
    if (!holds) process.exitCode = 1;
  }
}

/** A program whose calls are measured. */
interface Measured {
  name: string;
  tool: string;
  client: RawClient;
}

interface Timed {
  perCallUs: number;
  p99Ms: number;
}

let words = 0;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Makes a home in which the tools of these servers are reviewed. */
function homeWith(directory: string, name: string, servers: object): Record<string, string> {
  const dataDir = join(directory, name);
  const env = {
    COUNTERSIGN_DATA_DIR: dataDir,
    LOG_LEVEL: "error",
    APPROVERS: `operator:${secret}`,
  };
  execFileSync("mkdir", ["-m", "700", dataDir]);
  writeFileSync(join(dataDir, "servers.json"), JSON.stringify({ mcpServers: servers }), {
    mode: 0o600,
  });
  for (const server of Object.keys(servers)) {
    const args = [program, "servers", "review", server, "--accept-proposed", "--secret-stdin"];
    execFileSync(process.execPath, args, {
      input: `${secret}\n`,
      env: { ...process.env, ...env },
      stdio: ["pipe", "ignore", "inherit"],
    });
  }
  return env;
}

/** Calls with some at a time, and returns the time of a call and the slowest ones. */
async function callRound(
  { client, tool }: Pick<Measured, "client" | "tool">,
  calls: number,
  width: number,
): Promise<Timed> {
  const waits: number[] = [];
  let left = calls;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      // Each text is new, so that no program gains by remembering what it has seen.
      const word = `bench ${(words += 1)}`;
      const before = performance.now();
      const result = await client.request("tools/call", { name: tool, arguments: { word } });
      waits.push(performance.now() - before);
      if (!JSON.stringify(result).includes(word)) throw new Error(JSON.stringify(result));
    }
  };
  const before = performance.now();
  await Promise.all(Array.from({ length: width }, work));
  const perCallUs = ((performance.now() - before) * 1_000) / calls;
  const p99Ms = waits.toSorted((a, b) => a - b)[Math.floor(calls * 0.99)] ?? Number.NaN;
  return { perCallUs, p99Ms };
}

/** Measures programs in turn, so that other work of the machine affects all alike. */
async function callTimes(clients: readonly Measured[], width: number): Promise<Map<string, Timed>> {
  const all = new Map<string, Timed[]>(clients.map(({ name }) => [name, []]));
  for (const each of clients) await callRound(each, warmUpCalls, width);
  for (let round = 0; round < rounds; round += 1)
    for (const each of clients)
      all.get(each.name)?.push(await callRound(each, callsPerRound, width));
  return new Map(
    [...all].map(([name, times]) => [
      name,
      {
        perCallUs: median(times.map(({ perCallUs }) => perCallUs)),
        p99Ms: median(times.map(({ p99Ms }) => p99Ms)),
      },
    ]),
  );
}

const shown = ({ perCallUs, p99Ms }: Timed): string =>
  `${perCallUs.toFixed(0)} µs, p99 ${p99Ms.toFixed(1)} ms`;

/** Compares calls through gateways, one and 16 at a time. With `direct` a limit applies to ours. */
async function compareCalls(what: string, clients: readonly Measured[]): Promise<void> {
  for (const width of widths)
    report(await compareAt(width, `${what}, ${width} at a time`, clients));
  await Promise.all(clients.map(async ({ client }) => await client.close()));
}

async function compareAt(
  width: number,
  what: string,
  clients: readonly Measured[],
): Promise<Row[]> {
  const times = await callTimes(clients, width);
  const own = times.get("ours");
  if (own === undefined) throw new Error("ours was not measured");
  return [...times].flatMap(([name, time]): Row[] => {
    if (name === "ours") return [];
    const ratios = `${(own.perCallUs / time.perCallUs).toFixed(2)} x (p99 ${(own.p99Ms / time.p99Ms).toFixed(2)} x): ${shown(own)} against ${shown(time)}`;
    if (name === twoHops)
      return [{ what: `${what}, beside ${name}`, measured: ratios, limit: "none", holds: true }];
    const most = name === "direct" ? 2.6 : 1;
    const holds = own.perCallUs / time.perCallUs <= most && own.p99Ms / time.p99Ms <= most;
    return [
      { what: `${what}, beside ${name}`, measured: ratios, limit: `<= ${most} x, p99 too`, holds },
    ];
  });
}

async function measureCalls(directory: string, gateways: readonly Gateway[]): Promise<void> {
  const command = [process.execPath, many, "1"];
  const [first = "", ...args] = command;
  const env = homeWith(directory, "process", { up: { command: first, args } });
  const others = gateways.flatMap(({ name, tool, process: by }) =>
    by === undefined ? [] : [{ name, tool, command: by(command) }],
  );
  await compareCalls("low call, server of a command", [
    { name: "direct", tool: "tool_0", client: await startRaw([many, "1"]) },
    { name: twoHops, tool: "tool_0", client: await startRaw([relay, ...command]) },
    { name: "ours", tool: "up__tool_0", client: await startRaw([ours], env) },
    ...(await started(others)),
  ]);
  if (gateways.length === 0) return;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/mcp`;
  const server = await httpServer(port);
  try {
    const httpEnv = homeWith(directory, "http", { up: { type: "http", url } });
    const overHttp = gateways.flatMap(({ name, tool, http }) =>
      http === undefined ? [] : [{ name, tool, command: http(url) }],
    );
    await compareCalls("low call, server over HTTP", [
      { name: "ours", tool: "up__tool_0", client: await startRaw([ours], httpEnv) },
      ...(await started(overHttp)),
    ]);
  } finally {
    server.kill();
  }
}

/** Starts gateways. One that does not answer is left out with a warning. */
async function started(
  gateways: readonly { name: string; tool: string; command: readonly string[] }[],
): Promise<Measured[]> {
  const clients: Measured[] = [];
  for (const { name, tool, command } of gateways) {
    try {
      const client = await startProgram(command, { isQuiet: true });
      await callRound({ client, tool }, 1, 1);
      clients.push({ name, tool, client });
    } catch (error) {
      console.warn(`NOT MEASURED: ${name}: ${String(error).split("\n")[0]}`);
    }
  }
  return clients;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (typeof address !== "object" || address === null) throw new Error("no port is free");
  return address.port;
}

async function httpServer(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [many, "1"], {
    env: { ...process.env, PORT: String(port) },
    stdio: "ignore",
  });
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    if (answer !== undefined) return child;
    if (child.exitCode !== null) throw new Error("the server over HTTP did not start");
  }
}

/** Measures the time from the start of the program to its list. */
async function firstList(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ ms: number; tools: number; children: number }> {
  const before = performance.now();
  const client = await startRaw(args, env);
  const list = (await client.request("tools/list", {})) as { tools: unknown[] };
  const ms = performance.now() - before;
  const found = { ms, tools: list.tools.length, children: client.children().length };
  await client.close();
  return found;
}

/** Measures the memory after the list and a call of our own tool, when everything is loaded. */
async function memoryOf(env: Record<string, string>): Promise<number> {
  const client = await startRaw([program, "serve"], env);
  await client.request("tools/list", {});
  await client.request("tools/call", { name: "list_files", arguments: {} });
  const bytes = client.residentBytes();
  await client.close();
  return bytes;
}

async function measureTen(directory: string): Promise<Row[]> {
  const names = Array.from({ length: 10 }, (_each, number) => `server${number}`);
  const entry = { command: process.execPath, args: [many, "20"] };
  const env = {
    ...homeWith(directory, "ten", Object.fromEntries(names.map((name) => [name, entry]))),
    TOOL_LIST_TOKENS: "100000",
  };
  const none = homeWith(directory, "none", {});
  const lists: { bare: number[]; own: number[] } = { bare: [], own: [] };
  let children = 0;
  let tools = 0;
  for (let run = 0; run < listRuns; run += 1) {
    lists.bare.push((await firstList([many, "200"], {})).ms);
    const found = await firstList([program, "serve"], env);
    lists.own.push(found.ms);
    ({ children, tools } = found);
  }
  const listRatio = median(lists.own) / median(lists.bare);
  const memory: { ten: number[]; none: number[] } = { ten: [], none: [] };
  for (let run = 0; run < memoryRuns; run += 1) {
    memory.none.push(await memoryOf(none));
    memory.ten.push(await memoryOf(env));
  }
  const memoryRatio = median(memory.ten) / median(memory.none);
  const megabytes = (bytes: readonly number[]): string => (median(bytes) / 1e6).toFixed(0);
  return [
    {
      what: "first tools/list, 10 servers and 200 tools",
      measured: `${listRatio.toFixed(2)} x (${median(lists.own).toFixed(0)} against ${median(lists.bare).toFixed(0)} ms), ${tools} tools, ${children} processes started`,
      limit: "<= 1.5 x, 0 processes",
      holds: listRatio <= 1.5 && children === 0,
    },
    {
      what: "memory with 10 idle upstream servers",
      measured: `${memoryRatio.toFixed(2)} x (${megabytes(memory.ten)} against ${megabytes(memory.none)} MB)`,
      limit: "<= 1.1 x",
      holds: memoryRatio <= 1.1,
    },
  ];
}

const directory = mkdtempSync(join(tmpdir(), "countersign-bench-upstream-"));
try {
  const isShort = process.argv.includes("--calls");
  if (!isShort) report(await measureTen(directory));
  await measureCalls(directory, isShort ? [] : await installGateways(directory));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
