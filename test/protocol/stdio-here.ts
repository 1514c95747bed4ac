import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { type RunningHere, startHere } from "../servers/command-here.ts";
import type { Home } from "./home.ts";
import { bareEnv } from "./program.ts";
import { rpcMessage } from "./raw-message.ts";

/** `serve` over stdio in this process. */
export interface ServeHere extends Pick<RunningHere, "said" | "write" | "hangUp"> {
  /** The messages that it sends, one in a line. */
  stdout: PassThrough;
  ended: Promise<{ code: number | null; signal: null }>;
}

/** Starts `serve` over stdio in this process, and ends it after the test. */
export function serveHere(
  home: Home,
  { env = {}, args = [] }: { env?: Record<string, string>; args?: readonly string[] } = {},
): ServeHere {
  const stdout = new PassThrough();
  const server = startHere(["serve", ...args], bareEnv({ ...home.env, ...env }), (stream, text) => {
    if (stream === "stdout") stdout.write(text);
  });
  home.later(async () => {
    server.hangUp();
    await server.ended;
  });
  const ended = server.ended.then(({ code }) => ({ code, signal: null }));
  return { ...server, stdout, ended };
}

/** The transport of an official client to `serve` in this process. */
export class StdioHere implements Transport {
  readonly server: ServeHere;
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  constructor(...given: Parameters<typeof serveHere>) {
    this.server = serveHere(...given);
  }

  start(): Promise<void> {
    createInterface({ input: this.server.stdout }).on("line", (line) => {
      // Anything but a message on stdout breaks every client: then this throws.
      this.onmessage?.(rpcMessage.parse(JSON.parse(line)) as JSONRPCMessage);
    });
    void this.server.ended.then(() => this.onclose?.());
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.server.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.server.hangUp();
    await this.server.ended;
  }
}
