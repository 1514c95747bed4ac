import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { decideTicket } from "../../src/core/approvals/decide-ticket.ts";
import { killChild } from "../servers/child.ts";
import { commandHere, type Ended, type RunningHere, startHere } from "../servers/command-here.ts";
import { storesAt } from "../servers/ingest.ts";
import { type Home, operatorSecret } from "./home.ts";

/** The built program. */
export const program = fileURLToPath(new URL("../../bundle/main.js", import.meta.url));

/**
 * Returns an environment without the test runner's variables, except those that a program needs to be found and to run.
 */
export function bareEnv(env: Record<string, string>): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "/", ...env };
}

/** Runs one command to its end. If the test fails, what commands that failed have said is printed. */
export function runProgram(
  home: Home,
  args: readonly string[],
  options: { input?: string; env?: Record<string, string>; cwd?: string; uid?: number } = {},
): Promise<Ended> {
  const { input, env, ...spawning } = options;
  const child = spawn(process.execPath, [program, ...args], {
    ...spawning,
    env: bareEnv({ ...home.env, ...env }),
    stdio: "pipe",
  });
  home.later(() => killChild(child));
  const ended: Ended = { code: null, stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (ended.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (ended.stderr += text));
  // A program that ends before it has read its input is not this helper's concern.
  child.stdin.on("error", () => undefined).end(input ?? "");
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      const whole = { ...ended, code };
      if (code !== 0) noteFailure(home, args, whole);
      resolve(whole);
    });
  });
}

/** Runs one command in this process, which takes a fraction of the time. Tests use it if the process is not their subject. */
export async function runHere(
  home: Home,
  args: readonly string[],
  { input, env }: { input?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  const ended = await commandHere(args, {
    env: bareEnv({ ...home.env, ...env }),
    ...(input !== undefined && { input }),
  });
  if (ended.code !== 0) noteFailure(home, args, ended);
  return ended;
}

type Hear = (stream: "stdout" | "stderr", text: string) => void;
export type Running = Pick<RunningHere, "said" | "ended" | "stop">;

/** Starts one command in this process that the test stops, and stops it after the test. */
export function startCommandHere(home: Home, args: readonly string[], hear?: Hear): Running {
  const command = startHere(args, bareEnv(home.env), hear);
  home.later(async () => {
    command.stop();
    await command.ended;
  });
  return command;
}

/** Does the same in a process of its own. */
export function startCommand(
  home: Home,
  args: readonly string[],
  hear: Hear = () => undefined,
): Running {
  const child = spawn(process.execPath, [program, ...args], {
    env: bareEnv(home.env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  home.later(() => killChild(child));
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      said[stream] += text;
      hear(stream, text);
    });
  }
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code) => resolve({ ...said, code }));
  });
  return { said, ended, stop: () => void child.kill("SIGTERM") };
}

function noteFailure(home: Home, args: readonly string[], { code, stdout, stderr }: Ended): void {
  home.note(`${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
}

/** Decides as a person with the operator's secret: `countersign approvals`, in this process. */
export function decideAtTerminal(
  home: Home,
  verdict: "approve" | "deny",
  ticketId: string,
  secret = operatorSecret,
): Promise<Ended> {
  const args = ["approvals", verdict, ticketId, "--secret-stdin"];
  return runHere(home, args, { input: `${secret}\n` });
}

/**
 * Makes the same decision in this process, for tests whose subject is not the command: a process takes several times as
 * long. Expects that it is the first decision of the request.
 */
export async function decideHere(
  home: Home,
  verdict: "approve" | "deny",
  ticketId: string,
): Promise<void> {
  const stores = storesAt(home.dir, home.env);
  try {
    const decision = { verdict, channel: "terminal", by: "operator" } as const;
    expect((await decideTicket(stores, ticketId, decision)).won).toBe(true);
  } finally {
    await stores.close();
  }
}
