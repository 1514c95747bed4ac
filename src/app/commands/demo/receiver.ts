import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { createTransport } from "nodemailer";
import { recipient } from "./mails.ts";

/** Time for the receiver to finish its current work. Milliseconds. */
const stopWithinMs = 5_000;

/** `countersign ingest` as a separate process. */
export interface Receiver {
  port: number;
  /** Resolves when the message was acknowledged, rejects when it was refused. */
  send(raw: string): Promise<void>;
  close: () => Promise<void>;
}

/** Starts the receiver on a free port of this machine and waits until it prints its address. */
export async function startReceiver(
  program: readonly [string, ...string[]],
  env: Record<string, string>,
): Promise<Receiver> {
  const [command, ...args] = program;
  const child = spawn(command, [...args, "ingest"], {
    env: { ...env, SMTP_HOST: "127.0.0.1", SMTP_PORT: "0", INGEST_RECIPIENTS: recipient },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = once(child, "exit").then(() => undefined);
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const port = await portOf(child).catch(async (error: unknown) => {
    kill();
    await exited;
    throw error;
  });
  const transport = createTransport({ host: "127.0.0.1", port, secure: false, ignoreTLS: true });
  return {
    port,
    send: async (raw) => {
      const envelope = { from: "forwarder@home.example", to: recipient };
      await transport.sendMail({ envelope, raw });
    },
    close: async () => {
      transport.close();
      child.kill("SIGTERM");
      const limit = setTimeout(kill, stopWithinMs);
      await exited;
      clearTimeout(limit);
      process.removeListener("exit", kill);
    },
  };
}

/** Returns the port from the line that the receiver prints: `... smtp://127.0.0.1:40123 for ...`. */
async function portOf(child: ChildProcess): Promise<number> {
  const said: string[] = [];
  if (child.stderr !== null) {
    for await (const line of createInterface({ input: child.stderr })) {
      said.push(line);
      const port = /:\/\/\S+:(\d+)/.exec(line)?.[1];
      if (port === undefined) continue;
      // Later log lines are for the person who watches the demo.
      child.stderr.pipe(process.stderr);
      return Number(port);
    }
  }
  throw new Error(`the receiver of mail did not start: ${said.join(" ")}`);
}
