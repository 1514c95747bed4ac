import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { PassThrough, type Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { createLog } from "../../src/app/platform/log.ts";
import { openStores, type Stores } from "../../src/app/compose/open/open-stores.ts";
import { loadSettings } from "../../src/app/platform/settings.ts";
import { commandHere, startHere } from "./command-here.ts";
import { settingsIn } from "./env-file.ts";
import type { TestBucket } from "./s3-bucket.ts";

export const program = fileURLToPath(new URL("../../bundle/main.js", import.meta.url));

export const recipient = "me@in.example";

export interface IngestProcess {
  process: ChildProcess;
  port: number;
  /** The address of `POST /ingest`, if it is enabled. */
  url: string | undefined;
  /** The stderr of the process until now. */
  readonly said: readonly string[];
  /** Ends the process with a signal. Resolves with its exit code, or null if the signal ended it. */
  stop(signal: "SIGTERM" | "SIGKILL"): Promise<number | null>;
}

/**
 * Starts the built `countersign ingest` on a free port and waits until it accepts mail. Fails with its last output if
 * it does not start. The owner is notified of the child immediately, because the start may take long.
 */
export async function startIngest(
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
  spawned?: (child: ChildProcess) => void,
): Promise<IngestProcess> {
  const child = spawn(process.execPath, [program, "ingest"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: ingestEnv(dataDir, env),
  });
  spawned?.(child);
  const exited = once(child, "exit");
  const { said, places } = await announced(dataDir, env, child.stderr);
  if (places) {
    return {
      process: child,
      said,
      ...places,
      stop: async (signal) => {
        child.kill(signal);
        const [code] = (await exited) as [number | null];
        return code;
      },
    };
  }
  const [code] = (await exited) as [number | null];
  throw Object.assign(new Error(said.join("\n")), { code });
}

/** An `ingest` in this process. */
export interface IngestHere extends Pick<IngestProcess, "port" | "url" | "said"> {
  /** Does what the signal does. Resolves with the exit code. */
  stop(signal?: "SIGTERM"): Promise<number | null>;
}

/** Does the same in this process, which takes a fraction of the time. Tests use it if the process is not their subject. */
export async function startIngestHere(
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
): Promise<IngestHere> {
  const stderr = new PassThrough();
  const running = startHere(["ingest"], ingestEnv(dataDir, env), (stream, text) => {
    if (stream === "stderr") stderr.write(text);
  });
  void running.ended.finally(() => stderr.end());
  const { said, places } = await announced(dataDir, env, stderr);
  if (!places) throw new Error(said.join("\n"));
  const stop = async (): Promise<number | null> => {
    running.stop();
    return (await running.ended).code;
  };
  return { said, ...places, stop };
}

/** No test asks the world's DNS. */
const usual = { SMTP_PORT: "0", INGEST_RECIPIENTS: recipient, INGEST_DNS: "off" };

function ingestEnv(dataDir: string, env: NodeJS.ProcessEnv): Record<string, string> {
  const inFile = settingsIn(dataDir);
  const all = {
    PATH: process.env["PATH"],
    COUNTERSIGN_DATA_DIR: dataDir,
    ...Object.fromEntries(Object.entries(usual).filter(([name]) => !(name in inFile))),
    ...env,
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Reads the log of an `ingest` until it is ready. Returns no places if it ends before. */
async function announced(
  dataDir: string,
  env: NodeJS.ProcessEnv,
  stderr: Readable,
): Promise<{ said: readonly string[]; places: Pick<IngestProcess, "port" | "url"> | undefined }> {
  const given: NodeJS.Dict<string> = { ...usual, ...env, ...settingsIn(dataDir) };
  const said: string[] = [];
  let port: string | undefined;
  let url: string | undefined;
  const lines = createInterface({ input: stderr });
  const isReady = (line: string): boolean => {
    said.push(line);
    port ??= /:\/\/\S+:(\d+) for /.exec(line)?.[1];
    url ??= /messages at (http\S+)$/.exec(line)?.[1];
    // An ingest without an address for mail only fetches.
    if (given["INGEST_RECIPIENTS"] === "") return line.startsWith("Fetching mail from ");
    return port !== undefined && ((given["INGEST_HTTP_PORT"] ?? "") === "" || url !== undefined);
  };
  const ready = new Promise<boolean>((resolve) => {
    lines.on("line", (line) => isReady(line) && resolve(true));
    lines.on("close", () => resolve(false));
  });
  return { said, places: (await ready) ? { port: Number(port), url } : undefined };
}

/** Opens the mail that the tools of a server on this data directory would see. */
export function storesAt(dataDir: string, env: NodeJS.ProcessEnv = {}): Stores {
  const settings = loadSettings({ env: { ...env, COUNTERSIGN_DATA_DIR: dataDir } });
  return openStores(settings, createLog("error"));
}

/** Returns the settings with which a process stores its objects in a test's bucket. */
export function s3Environment(settings: TestBucket["settings"]): Record<string, string> {
  return {
    S3_BUCKET: settings.bucket,
    S3_ENDPOINT: settings.endpoint,
    S3_REGION: settings.region,
    S3_ACCESS_KEY_ID: settings.accessKeyId,
    S3_SECRET_ACCESS_KEY: settings.secretAccessKey.reveal(),
    S3_FORCE_PATH_STYLE: String(settings.forcePathStyle),
  };
}

export interface Session {
  /** The capabilities of the server: the lines of its response to EHLO, without the first. */
  readonly offers: readonly string[];
  /** Sends one line and gives the reply to it. */
  say(line: string): Promise<string>;
  /** A whole message through MAIL, RCPT and DATA: the last reply. Lines end in CRLF already. */
  send(message: Uint8Array, to?: string, from?: string): Promise<string>;
  close(): void;
}

/** Speaks SMTP without a client library, which would hide what is tested. Rejects when the connection breaks. */
export async function smtpSession(port: number): Promise<Session> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const lines: string[] = [];
  const offers: string[] = [];
  const waiting: { resolve: (reply: string) => void; reject: (error: Error) => void }[] = [];
  let broken: Error | undefined;
  const fail = (error: Error): void => {
    broken ??= error;
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("the connection was closed")));
  const replies = createInterface({ input: socket });
  replies.on("error", fail);
  replies.on("line", (line) => {
    offers.push(line.slice(4));
    // 250-FIRST, 250-SECOND, 250 LAST
    if (line[3] !== " ") return;
    const next = waiting.shift();
    if (next === undefined) lines.push(line);
    else next.resolve(line);
  });
  const reply = (): Promise<string> => {
    const line = lines.shift();
    if (line !== undefined) return Promise.resolve(line);
    if (broken !== undefined) return Promise.reject(broken);
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  };
  const say = (line: string): Promise<string> => {
    socket.write(`${line}\r\n`);
    return reply();
  };
  await reply();
  offers.length = 0;
  await say("EHLO client.example");
  return {
    offers: offers.slice(1),
    say,
    send: async (message, to = recipient, from = "sender@example.org") => {
      await say(`MAIL FROM:<${from}>`);
      const accepted = await say(`RCPT TO:<${to}>`);
      if (!accepted.startsWith("250")) return accepted;
      await say("DATA");
      socket.write(dotStuffed(message));
      return say("\r\n.");
    },
    close: () => socket.destroy(),
  };
}

/** Adds the dots of RFC 5321 4.5.2. Latin-1 keeps every byte. */
function dotStuffed(message: Uint8Array): Uint8Array {
  const text = Buffer.from(message).toString("latin1").replace(/\r?\n/g, "\r\n");
  return Buffer.from(text.replace(/^\./gm, "..").replace(/\r\n$/, ""), "latin1");
}

/** Runs the built `countersign COMMAND` on this data directory, to its end. */
export function runCommand(dataDir: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], COUNTERSIGN_DATA_DIR: dataDir, ...env },
    timeout: 120_000,
  });
  return { status, stdout, stderr, lines: stdout.split("\n").filter((line) => line !== "") };
}

/** Runs one command in this process, which takes a fraction of the time. Tests use it if the process is not their subject. */
export async function runCommandHere(
  dataDir: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const own = { PATH: process.env["PATH"] ?? "", COUNTERSIGN_DATA_DIR: dataDir, ...env };
  const { code: status, stdout, stderr } = await commandHere(args, { env: own });
  return { status, stdout, stderr, lines: stdout.split("\n").filter((line) => line !== "") };
}
