import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { killChild } from "../servers/child.ts";
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
  child: ChildProcess;
  /** The URL of `/mcp`, once the server listens. Rejects if the server ends before. */
  url: Promise<string>;
  said: { stdout: string; stderr: string };
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Asks it to stop, as a service manager does, and waits until it has. */
  stop(): Promise<void>;
}

/** Starts the built program as `serve --http` on a free port. Two of them on one home are two replicas. */
export function startHttp(
  home: Home,
  {
    env = {},
    args = ["--port", "0"],
    command = [program, "serve"],
  }: { env?: Record<string, string>; args?: string[]; command?: string[] } = {},
): HttpServer {
  const all = { HTTP_TOKENS: `alice:${tokens.alice},bob:${tokens.bob}`, ...home.env, ...env };
  const child = spawn(process.execPath, [...command, "--http", ...args], {
    env: bareEnv(all),
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
      const at = /MCP over HTTP at (\S+\/mcp)/.exec(said.stderr)?.[1];
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
