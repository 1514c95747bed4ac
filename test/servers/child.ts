import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { connect, createServer } from "node:net";

/** How long a server may take until its port answers. Milliseconds. */
const startWithin = 45_000;

/**
 * A range below the ports that systems use for outgoing connections (RFC 6056 2.1). Linux begins at 32768. Outgoing
 * connections therefore cannot take a port of this range.
 */
const portsFrom = 12_000;
const portsTo = 32_000;

/** Returns a free port, for a server that cannot choose one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(portsFrom, portsTo);
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}

/** Starts a program and resolves when its port answers. Rejects with its output if it ends before. */
export async function startChild(
  command: string,
  args: readonly string[],
  port: number,
  options: SpawnOptions = {},
): Promise<ChildProcess> {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stdout?.on("data", (data: Buffer) => (said += data.toString()));
  child.stderr?.on("data", (data: Buffer) => (said += data.toString()));
  const ended = new Promise<never>((_resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${command} ended with ${code}: ${said}`)));
  });
  ended.catch(() => undefined);
  await Promise.race([answers(port), ended]);
  return child;
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** Ends it immediately, and resolves when it is gone: what it wrote to can be removed then. */
export async function killChild(child: ChildProcess): Promise<void> {
  const isGone = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  if (isGone) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** Polls the port of a daemon every 25 ms, because a daemon does not report that it listens. */
function answers(port: number): Promise<void> {
  const until = Date.now() + startWithin;
  return new Promise((resolve, reject) => {
    const attempts = setInterval(() => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => {
        clearInterval(attempts);
        socket.destroy();
        resolve();
      });
      socket.once("error", (error) => {
        if (Date.now() < until) return;
        clearInterval(attempts);
        reject(error);
      });
    }, 25);
  });
}
