import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** A client without a library: what is measured is the server. */
export interface RawClient {
  request(method: string, params: object): Promise<unknown>;
  /** The server's process. */
  pid: number;
  /** Resident memory of the server. Bytes. */
  residentBytes(): number;
  /** Ids of the processes that the server started and that still run. */
  children(): string[];
  close(): Promise<void>;
}

interface Answer {
  id?: number;
  result?: unknown;
  error?: unknown;
}

/** Starts a server, shakes hands in the 2025 era and is ready for requests. `signal`: ends the server. */
export async function startRaw(
  args: readonly string[],
  env: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<RawClient> {
  return await startProgram([process.execPath, ...args], { env, ...(signal && { signal }) });
}

/** Starts a server with any command. `isQuiet`: its log is not shown. */
export async function startProgram(
  [command = "", ...args]: readonly string[],
  {
    env = {},
    signal,
    isQuiet = false,
  }: { env?: Record<string, string>; signal?: AbortSignal; isQuiet?: boolean },
): Promise<RawClient> {
  const child: ChildProcess = spawn(command, args, {
    stdio: ["pipe", "pipe", isQuiet ? "ignore" : "inherit"],
    env: { ...process.env, ...env },
    ...(signal !== undefined && { signal }),
  });
  // An abort is reported here too. The test that aborts the child handles it.
  child.on("error", () => undefined);
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("the server has no pipes");
  const waiting = new Map<number, (message: Answer) => void>();
  let lastId = 0;
  createInterface({ input: stdout }).on("line", (line) => {
    const message = JSON.parse(line) as Answer;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
  });
  const request = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = (lastId += 1);
      waiting.set(id, ({ result, error }) => {
        waiting.delete(id);
        if (error === undefined) resolve(result);
        else reject(new Error(`${method}: ${JSON.stringify(error)}`));
      });
      stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  await request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "0.0.0" },
  });
  stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  return {
    request,
    pid: child.pid ?? Number.NaN,
    residentBytes: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
    },
    children: () => {
      const listed = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
      return listed.split(" ").filter((id) => id !== "");
    },
    close: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        stdin.end();
      }),
  };
}
