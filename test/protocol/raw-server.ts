import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { vi } from "vitest";
import { z } from "zod";
import { killChild } from "../servers/child.ts";
import { type Answer, answerOf } from "./answer.ts";
import type { Home } from "./home.ts";
import type { Transport } from "./http-server.ts";
import { bareEnv, program } from "./program.ts";
import { type RawHttpOptions, startRawHttp } from "./raw-http.ts";
import { type RawServer, type RpcMessage, rpcMessage } from "./raw-message.ts";
import { serveHere } from "./stdio-here.ts";

interface Starting {
  env?: Record<string, string>;
  cwd?: string;
  uid?: number;
}

/** A server that is a process of its own. */
export interface RawProcess extends RawServer {
  child: ChildProcess;
}

function startRaw(home: Home, { env, ...spawning }: Starting = {}): RawProcess {
  const child = spawn(process.execPath, [program, "serve"], {
    ...spawning,
    env: bareEnv({ ...home.env, ...env }),
    stdio: "pipe",
  });
  home.later(() => killChild(child));
  const said = { stdout: "", stderr: "" };
  child.stdin.on("error", () => undefined);
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.stderr += text));
  const ended = once(child, "close").then(() => ({
    code: child.exitCode,
    signal: child.signalCode,
  }));
  const write = (text: string): void => void child.stdin.write(text);
  const hangUp = (): void => void child.stdin.end();
  return { child, ...speakRaw({ said, stdout: child.stdout, ended, write, hangUp }) };
}

/** Does the same with the server in this process. */
function startRawHere(home: Home, env: Record<string, string> = {}): RawServer {
  return speakRaw(serveHere(home, { env }));
}

/** Speaks with a server over its standard input and output. */
function speakRaw({
  said,
  stdout,
  ended,
  write,
  hangUp,
}: Pick<RawServer, "said" | "ended" | "hangUp"> & {
  stdout: Readable;
  write: (text: string) => void;
}): RawServer {
  const messages: RpcMessage[] = [];
  const waiting = new Map<unknown, (message: RpcMessage) => void>();
  const send = (message: object): void => {
    write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  let lastId = 0;
  createInterface({ input: stdout }).on("line", (line) => {
    // Anything but a message on stdout breaks every client: then this throws.
    const message = rpcMessage.parse(JSON.parse(line));
    messages.push(message);
    if (message.method === undefined) waiting.get(message.id)?.(message);
  });
  return {
    messages,
    said,
    notify: (method, params) => send({ method, params }),
    reply: (id, result) => send({ id, result }),
    request: (method, params) => {
      const id = (lastId += 1);
      const reply = new Promise<RpcMessage>((resolve) => waiting.set(id, resolve));
      send({ id, method, params });
      const without = ended.then(() => {
        throw new Error(`the server ended without a reply: ${said.stderr}`);
      });
      return Promise.race([reply, without]);
    },
    hangUp,
    ended,
  };
}

/** One way of calling the tools of a server. `extra` is put beside `name` and `arguments`. */
interface Calls {
  callTool(
    name: string,
    args?: Record<string, unknown>,
    extra?: Record<string, unknown>,
  ): Promise<RpcMessage>;
  /** The same, for an ordinary result. */
  answer(
    name: string,
    args?: Record<string, unknown>,
    extra?: Record<string, unknown>,
  ): Promise<Answer>;
}

export type RawCaller = RawServer & Calls;
export type RawProcessCaller = RawProcess & Calls;

interface Declared {
  /** Whether it is declared, or in which words. */
  elicitation: boolean | object;
}

export interface RawHereOptions extends Declared, RawHttpOptions {
  /** Over stdio unless said otherwise, or a server is given that speaks HTTP. */
  over?: Transport;
}

function startAsked(home: Home, { over, env, ...http }: Omit<RawHereOptions, "elicitation">) {
  return over === "HTTP" || http.at !== undefined
    ? startRawHttp(home, { ...http, ...(env && { env }) })
    : startRawHere(home, env);
}

function capabilities(elicitation: boolean | object): object {
  if (elicitation === false) return {};
  return { elicitation: elicitation === true ? {} : elicitation };
}

const clientInfo = { name: "raw", version: "1.0.0" };

/** Starts a process and completes the handshake of the 2025 era. */
export async function raw2025(
  home: Home,
  { elicitation, ...starting }: Declared & Starting,
): Promise<RawProcessCaller> {
  return await initialized(startRaw(home, starting), elicitation);
}

/** Does the same in this process, which takes a fraction of the time. Tests use it if the process is not their subject. */
export async function raw2025Here(
  home: Home,
  { elicitation, ...starting }: RawHereOptions,
): Promise<RawCaller> {
  return await initialized(startAsked(home, starting), elicitation);
}

async function initialized<Server extends RawServer>(
  server: Server,
  elicitation: boolean | object,
): Promise<Server & Calls> {
  const { error } = await server.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: capabilities(elicitation),
    clientInfo,
  });
  if (error !== undefined) throw new Error(error.message);
  server.notify("notifications/initialized");
  return withCalls(server, {});
}

/** Starts a process of the 2026 era, which has no handshake: each request contains everything. */
export function raw2026(
  home: Home,
  { elicitation, ...starting }: Declared & Starting,
): RawProcessCaller {
  return withCalls(startRaw(home, starting), meta2026(elicitation));
}

/** Does the same in this process. */
export function raw2026Here(home: Home, { elicitation, ...starting }: RawHereOptions): RawCaller {
  return withCalls(startAsked(home, starting), meta2026(elicitation));
}

function meta2026(elicitation: boolean | object): object {
  return {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": clientInfo,
    "io.modelcontextprotocol/clientCapabilities": capabilities(elicitation),
  };
}

function withCalls<Server extends RawServer>(server: Server, meta: object): Server & Calls {
  const callTool: Calls["callTool"] = (name, args = {}, extra = {}) =>
    server.request("tools/call", { name, arguments: args, ...extra, _meta: meta });
  return {
    ...server,
    // A property that is read when it is asked for would be copied as it was.
    get said() {
      return server.said;
    },
    callTool,
    answer: async (...call) => {
      const { result, error } = await callTool(...call);
      if (error !== undefined) throw new Error(error.message);
      return answerOf(result);
    },
  };
}

const inputRequired = z.object({
  resultType: z.literal("input_required"),
  inputRequests: z.strictObject({
    approval: z.looseObject({
      method: z.literal("elicitation/create"),
      params: z.looseObject({ message: z.string() }),
    }),
  }),
  requestState: z.string(),
});

/** Returns the question with which a call of the 2026 era ended. */
export function questionOf(reply: RpcMessage): { message: string; state: string } {
  const { inputRequests, requestState } = inputRequired.parse(reply.result);
  return { message: inputRequests.approval.params.message, state: requestState };
}

/** Sends the answer round: `response` to the question with this state. */
export function answering(state: unknown, response: unknown): Record<string, unknown> {
  return { requestState: state, inputResponses: { approval: response } };
}

export const approve = { action: "accept", content: { decision: "approve" } };

/** Returns the first dialog that the server opened in the 2025 era. */
export async function dialogOf(
  server: RawServer,
): Promise<{ id: number | string; message: string }> {
  return await vi.waitFor(() => {
    const asked = server.messages.find(({ method }) => method === "elicitation/create");
    return dialog.parse(asked);
  }, 30_000);
}

const dialog = z
  .object({
    id: z.union([z.number(), z.string()]),
    params: z.object({ message: z.string() }),
  })
  .transform(({ id, params }) => ({ id, message: params.message }));
