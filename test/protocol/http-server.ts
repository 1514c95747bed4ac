import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { killChild } from "../servers/child.ts";
import { startHere } from "../servers/command-here.ts";
import type { Home } from "./home.ts";
import { bareEnv, program } from "./program.ts";

/** The ways in which a client reaches the server. */
export const transports = ["stdio", "HTTP"] as const;
export type Transport = (typeof transports)[number];

/** The callers of every server that a test starts, and what they show. */
export const tokens = { alice: "alice-token-0123456789", bob: "bob-token-0123456789ab" } as const;
export type Principal = keyof typeof tokens;

export function bearer(principal: Principal): { authorization: string } {
  return { authorization: `Bearer ${tokens[principal]}` };
}

export interface HttpServer {
  /** The URL of `/mcp`, once the server listens. Rejects if the server ends before. */
  url: Promise<string>;
  said: { stdout: string; stderr: string };
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Asks it to stop, as a service manager does, and waits until it has. */
  stop(): Promise<void>;
}

export interface HttpProcess extends HttpServer {
  child: ChildProcess;
}

/** The address that the server prints when it listens. */
const listening = /MCP over HTTP at (\S+\/mcp)/;

function withTokens(home: Home, env: Record<string, string>): Record<string, string> {
  const HTTP_TOKENS = `alice:${tokens.alice},bob:${tokens.bob}`;
  return bareEnv({ HTTP_TOKENS, ...home.env, ...env });
}

/** Starts the built program as `serve --http` on a free port. Two of them on one home are two replicas. */
export function startHttp(
  home: Home,
  {
    env = {},
    args = ["--port", "0"],
    command = [program, "serve"],
  }: { env?: Record<string, string>; args?: readonly string[]; command?: string[] } = {},
): HttpProcess {
  const child = spawn(process.execPath, [...command, "--http", ...args], {
    env: withTokens(home, env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  home.later(() => killChild(child));
  const said = { stdout: "", stderr: "" };
  const ended = once(child, "close").then(() => ({
    code: child.exitCode,
    signal: child.signalCode,
  }));
  const url = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said.stderr += text;
      const at = listening.exec(said.stderr)?.[1];
      if (at !== undefined) resolve(at);
    });
    void ended.then(() => reject(new Error(`the server ended: ${said.stderr}`)));
  });
  // A test that does not use the address may wait for the end instead.
  url.catch(() => undefined);
  return {
    child,
    url,
    said,
    ended,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Does the same in this process, which takes a fraction of the time. Tests use it if the process is not their subject. */
export function startHttpHere(
  home: Home,
  {
    env = {},
    args = ["--port", "0"],
  }: { env?: Record<string, string>; args?: readonly string[] } = {},
): HttpServer {
  let listens = (_url: string): void => undefined;
  const listened = new Promise<string>((resolve) => (listens = resolve));
  const server = startHere(["serve", "--http", ...args], withTokens(home, env), () => {
    const at = listening.exec(server.said.stderr)?.[1];
    if (at !== undefined) listens(at);
  });
  const failed = server.ended.then(({ stderr }) => {
    throw new Error(`the server ended: ${stderr}`);
  });
  const url = Promise.race([listened, failed]);
  url.catch(() => undefined);
  const stop = async (): Promise<void> => {
    // Before it listens, it does not hear the signal.
    await url.catch(() => undefined);
    server.stop();
    await server.ended;
  };
  home.later(stop);
  return {
    url,
    said: server.said,
    ended: server.ended.then(({ code }) => ({ code, signal: null })),
    stop,
  };
}
