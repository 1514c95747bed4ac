import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { platform } from "node:os";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { ServerTarget } from "../../ports/upstream/upstream-server.ts";
import { createDirectRequests } from "./direct-requests.ts";
import { withoutControls } from "./line-start.ts";
import {
  type GuardedTransport,
  createMessageGuard,
  maxMessageBytes,
  notJsonRpc,
  applyVerdict,
} from "./message-guard.ts";
import { parseMessage } from "./message-text.ts";
import { ProcessTree } from "./process-tree.ts";
import { secretHider } from "./server-secrets.ts";

const foreignText = "writes text that is not part of the protocol to standard output";
/** Ignored lines in a row that are not JSON-RPC. Some servers greet and log on standard output. */
const maxForeignLines = 100;
/** Limit on empty lines in a row. Each costs time of other calls. */
const maxEmptyLines = 10_000;
/** The end of standard error that is kept for a person. Bytes. */
const maxErrorBytes = 4_096;
/** Limit on responses to the server's own requests that it has not read yet. More would fill the memory. */
const maxUnreadResponses = 1_000;
/** Milliseconds. */
const lastWordsWithinMs = 500;
/** Time between SIGTERM and SIGKILL. Milliseconds. */
const endWithinMs = 2_000;

/** How often a busy server's processes are looked for. One that detaches itself must be seen before. Milliseconds. */
const lookEveryMs = 1_000;

/** Process groups, by their ids, that must not outlive this process. */
const alive = new Map<number, ProcessTree>();
process.on("exit", () => {
  for (const [pid, tree] of alive) signalAll(pid, tree, "SIGKILL");
});

/**
 * The transport over a child process's standard streams. The SDK's own one accepts messages of any size and creates no
 * process group.
 */
export class ProcessTransport implements GuardedTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  onlistchanged?: () => void;
  reason: string | undefined;
  listChanged = false;
  /** The SDK treats a transport with `pid` and `stderr` as a process, and a silent process as one of an older era. */
  readonly stderr = null;
  /** Tool calls without the SDK. */
  readonly direct = createDirectRequests({
    send: (message) => this.send(message),
    envelope: () => this.#envelope,
  });
  /** The `_meta` of the SDK's last list request, which has nothing but the envelope of the newest era. */
  #envelope: Readonly<Record<string, unknown>> | undefined;
  readonly #target: ServerTarget & { kind: "process" };
  readonly #refused: (method: string) => void;
  readonly #hide: (text: string) => string;
  readonly #guard: ReturnType<typeof createMessageGuard>;
  readonly #treatment: Parameters<typeof applyVerdict>[1] = {
    pass: (passed) => {
      if (!this.direct.take(passed)) this.onmessage?.(passed);
    },
    listChanged: () => {
      this.listChanged = true;
      this.onlistchanged?.();
    },
    refused: (method) => this.#refused(method),
    answer: (answer) => this.send(answer),
    fault: (reason) => this.#fault(reason),
  };
  #child: ChildProcess | undefined;
  #tree: ProcessTree | undefined;
  #looking: ReturnType<typeof setTimeout> | undefined;
  #parts: Buffer[] = [];
  #bytes = 0;
  #foreignLines = 0;
  #emptyLines = 0;
  #unreadResponses = 0;
  #isClosing = false;
  #errors = Buffer.alloc(0);

  constructor(target: ServerTarget & { kind: "process" }, refused: (method: string) => void) {
    this.#target = target;
    this.#hide = secretHider(target);
    this.#guard = createMessageGuard(this.#hide);
    this.#refused = refused;
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = this.#spawned();
      this.#child = child;
      child.once("spawn", () => {
        if (child.pid !== undefined) {
          this.#tree = new ProcessTree(child.pid);
          alive.set(child.pid, this.#tree);
        }
        resolve();
      });
      child.once("error", (error) => {
        this.reason ??= `could not be started: ${startProblem(error)}`;
        reject(error);
      });
      child.once("exit", () => {
        if (child.pid !== undefined) {
          // Children of the server may still run.
          signalAll(child.pid, this.#tree, "SIGKILL");
          alive.delete(child.pid);
        }
        this.reason ??= "ended";
        this.direct.close();
        this.onclose?.();
        // A process that left the group may keep the pipes open. The last words are read before they are closed.
        setTimeout(() => {
          for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy();
        }, lastWordsWithinMs).unref();
      });
      child.stdin?.on("error", () => {
        // The end of the process also closes its input.
        setTimeout(() => this.#lostPipe("closed its input"), lastWordsWithinMs).unref();
      });
      child.stdout?.on("data", (chunk: Buffer) => this.#received(chunk));
      child.stdout?.once("end", () => {
        // The end of the process also closes its output.
        setTimeout(() => this.#lostPipe("closed its output"), lastWordsWithinMs).unref();
      });
      child.stderr?.on("data", (chunk: Buffer) => {
        this.#errors = Buffer.concat([this.#errors, chunk]).subarray(-maxErrorBytes);
      });
    });
  }

  /** Starts the process. @throws the error of the system, which is also the reason */
  #spawned() {
    const { command, args, env, directory } = this.#target;
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      return spawn(command, args, {
        cwd: directory,
        env: { ...env },
        // A group of its own, which also ends the processes that the server starts.
        detached: platform() !== "win32",
        stdio: ["pipe", "pipe", "pipe"],
        windowsHide: true,
      });
    } catch (error) {
      this.reason = `could not be started: ${startProblem(error)}`;
      throw error;
    }
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin?.writable !== true) return Promise.reject(new Error("the process has ended"));
    const isResponse = !("method" in message);
    if (isResponse && this.#unreadResponses >= maxUnreadResponses)
      this.#fault("sent too many requests");
    this.#guard.sent(message);
    if ("method" in message && message.method === "tools/list")
      this.#envelope = message.params?._meta;
    if (stdin.writableCorked === 0) {
      // Simultaneous calls share one write.
      stdin.cork();
      process.nextTick(() => stdin.uncork());
    }
    return new Promise((resolve) => {
      if (isResponse) this.#unreadResponses += 1;
      stdin.write(`${JSON.stringify(message)}\n`, () => {
        if (isResponse) this.#unreadResponses -= 1;
        resolve();
      });
    });
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** The last line that the process wrote to standard error. */
  get lastWords(): string | undefined {
    const lines = this.#errors.toString("utf8").trim().split("\n");
    return this.#hide(lines.at(-1)?.trim() ?? "") || undefined;
  }

  /** True if the process ended on its own before its first response. */
  get failedUnheard(): boolean {
    return this.reason === "ended" && !this.#isClosing && !this.#guard.hasAnswered;
  }

  faultOf(): undefined {
    return undefined;
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    if (child.exitCode !== null || child.signalCode !== null) {
      // The last words of a process may arrive after its end.
      if (!child.stderr?.closed)
        await once(child, "close", { signal: AbortSignal.timeout(lastWordsWithinMs) }).catch(
          () => undefined,
        );
      return;
    }
    this.#isClosing = true;
    const { pid } = child;
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.stdin?.end();
    signalAll(pid, this.#tree, "SIGTERM");
    const timer = setTimeout(() => signalAll(pid, this.#tree, "SIGKILL"), endWithinMs);
    await gone;
    clearTimeout(timer);
  }

  #received(chunk: Buffer): void {
    if (this.reason !== undefined) return;
    this.#lookForProcesses();
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#bytes += end - from;
      if (this.#bytes > maxMessageBytes) return this.#fault("wrote a message over 10 MB");
      const line = this.#lineTo(chunk, from, end);
      from = end + 1;
      this.#line(withoutControls(line));
      if (this.reason !== undefined) return;
    }
    if (from === chunk.length) return;
    this.#parts.push(chunk.subarray(from));
    this.#bytes += chunk.length - from;
    if (this.#bytes > maxMessageBytes) this.#fault("wrote a message over 10 MB");
  }

  /** Returns a line that ends in this chunk. Most are one chunk, which is not copied. */
  #lineTo(chunk: Buffer, from: number, end: number): string {
    this.#bytes = 0;
    if (this.#parts.length === 0) return chunk.toString("utf8", from, end);
    const line = Buffer.concat([...this.#parts, chunk.subarray(from, end)]);
    this.#parts = [];
    return line.toString("utf8");
  }

  /** Looks now, or once soon if that was a short time ago. */
  #lookForProcesses(): void {
    if (this.#looking !== undefined) return;
    this.#tree?.look();
    this.#looking = setTimeout(() => {
      this.#looking = undefined;
      this.#tree?.look();
    }, lookEveryMs);
    this.#looking.unref();
  }

  #line(text: string): void {
    if (text === "") {
      this.#emptyLines += 1;
      if (this.#emptyLines > maxEmptyLines) this.#fault(foreignText);
      return;
    }
    this.#emptyLines = 0;
    let message: unknown;
    try {
      message = parseMessage(text);
    } catch {
      message = undefined;
    }
    // The protocol of March 2025 has batches.
    if (isMessage(message)) {
      this.#foreignLines = 0;
      this.#message(message);
      return;
    }
    // An answer beside an invalid member of its batch still counts.
    const messages = Array.isArray(message) ? message.filter(isMessage) : [];
    if (messages.length > 0) {
      this.#foreignLines = 0;
      for (const each of messages) this.#message(each);
      return;
    }
    this.#foreignLines += 1;
    if (text.startsWith("{") && !isLogged(message)) this.#fault(notJsonRpc);
    else if (this.#foreignLines > maxForeignLines) this.#fault(foreignText);
  }

  #message(message: JSONRPCMessage): void {
    if (this.reason === undefined) applyVerdict(this.#guard.received(message), this.#treatment);
  }

  /** Ends a process that can no longer be asked, or no longer answers. */
  #lostPipe(reason: string): void {
    if (this.reason === undefined && !this.#isClosing) this.#fault(reason);
  }

  /** Kills the process group. Only the first reason is reported. */
  #fault(reason: string): void {
    this.reason ??= reason;
    this.#parts = [];
    const pid = this.#child?.pid;
    if (pid !== undefined) signalAll(pid, this.#tree, "SIGKILL");
  }
}

/** Returns why a program did not start, as the end of a sentence. */
function startProblem(error: unknown): string {
  const { code, syscall } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (syscall === "mkdir") return "its directory cannot be created";
  if (code === "ERR_INVALID_ARG_VALUE") return "an argument or a variable contains a NUL character";
  if (code === "E2BIG") return "its arguments and variables are too long";
  if (code === "ENOENT") return "its program was not found";
  if (code === "EACCES") return "its command is not a program that this user may run";
  return "the system refused it";
}

/** Returns true for a line of a log in JSON, which some libraries write to standard output by default. */
function isLogged(value: unknown): boolean {
  if (typeof value !== "object" || value === null || "jsonrpc" in value) return false;
  return !("id" in value && ("result" in value || "error" in value || "params" in value));
}

function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== "object" || value === null) return false;
  if (!("jsonrpc" in value) || value.jsonrpc !== "2.0") return false;
  if ("method" in value) return typeof value.method === "string";
  return "result" in value || "error" in value;
}

/** Signals a process group, and the processes that it started and that left the group. */
function signalAll(pid: number, tree: ProcessTree | undefined, signal: NodeJS.Signals): void {
  // Found before their parents end.
  tree?.look();
  signalGroup(pid, signal);
  tree?.signal(signal);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(platform() === "win32" ? pid : -pid, signal);
  } catch {
    // The group has ended.
    return;
  }
}
