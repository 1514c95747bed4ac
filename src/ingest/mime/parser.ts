import type { Worker } from "node:worker_threads";
import type { ParsedMail } from "./parse-message.ts";
import type { ParseJob, ParseReply, ParseThreadOptions } from "./parse-worker.ts";
import { createIdleThreads } from "../../core/shared/idle-threads.ts";
import { startQuietWorker } from "../../core/shared/start-worker.ts";
import { transferList } from "../../core/shared/transfer-list.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { type Attachment, attachmentTexts } from "./attachment-texts.ts";
import { machineProcessors, watchThread, workedMs } from "./background-thread.ts";
import { attachmentDeadlineMs, mailLimits, parseDeadlineMs } from "../pipeline/limits.ts";

export type ParseOutcome =
  | { kind: "parsed"; mail: ParsedMail }
  /** The parser rejected the message. Another attempt would fail too. */
  | { kind: "unreadable"; reason: string }
  /** The thread ended. The message is the likely cause, but the machine may have been overloaded. */
  | { kind: "lost"; reason: string };

/** Parses messages in threads. A large or malicious message cannot stop this process. */
export interface Parser {
  /** @throws {ToolError} `unavailable` if no thread can be started, which is not the message's fault */
  parse(raw: Uint8Array, receivedAt: Date): Promise<ParseOutcome>;
  /**
   * Yields the texts of a message's attachments as UTF-8, in order. Undefined for an attachment without text, or if
   * reading failed or took too long. All share one limit of time and of text. `codes` are those that were found in the
   * message itself.
   */
  attachmentTexts(
    attachments: readonly Attachment[],
    codes?: readonly string[],
  ): AsyncGenerator<Uint8Array | undefined, undefined>;
  close(): Promise<void>;
}

export interface ParserOptions {
  /** Messages that are parsed concurrently. */
  threads?: number;
  deadlineMs?: (bytes: number) => number;
  attachmentDeadlineMs?: (bytes: number) => number;
  /** Replaces sign-in codes and reset links. */
  hidesCodes?: boolean;
  /** Memory that a thread may use for a message. */
  heapMegabytes?: number;
  /** True if a person waits for these messages. Otherwise other work of the machine goes first. */
  isUrgent?: boolean;
  /** The processors of the machine. Tests set it. */
  processors?: number;
  /** See `defaultStartDelayMs`. Tests set it. */
  startDelayMs?: number;
}

type Outcome = Exclude<ParseReply, { kind: "ready" }> | Extract<ParseOutcome, { kind: "lost" }>;

/**
 * How long a message waits for busy threads before another one starts, in milliseconds. With two threads each small
 * message takes 50 % longer, because both threads compile code and collect garbage.
 */
const defaultStartDelayMs = 250;
/**
 * Processors up to which main thread, database and one parser use all of them. Another thread then starts only if a
 * message takes long, and not for a long queue. An import of 5 000 messages takes a sixth less time.
 */
const fewProcessors = 3;

interface Job {
  job: ParseJob;
  queuedAt: number;
  limitMs: number;
  /** `workedMs` is needed for attachments, which share a time limit. */
  resolve: (done: { outcome: Outcome; workedMs: number }) => void;
  reject: (error: ToolError) => void;
}

interface Thread {
  worker: Worker;
  isReady: boolean;
  /** The system's thread id, if it has one. */
  threadId: number | undefined;
  current: Job | undefined;
  /** The time of the last start of a job. Milliseconds. */
  startedAt: number;
  /** The thread's clock at the start of a job whose time counts, in milliseconds. Reading it costs two system calls. */
  begunAt: number | undefined;
  endWatch: (() => void) | undefined;
}

/** A ready thread without a parser, and the options that it was started with. */
interface IdleThread {
  worker: Worker;
  threadId: number | undefined;
  started: string;
}

const idleThreads = createIdleThreads<IdleThread>(({ worker }) => void worker.terminate());

/** Creates a parser. Its threads start with the first message and are replaced when a message breaks them. */
export function createParser(options: ParserOptions = {}): Parser {
  const { threads: most = 2, deadlineMs = parseDeadlineMs, hidesCodes = false } = options;
  const ofAttachmentMs = options.attachmentDeadlineMs ?? attachmentDeadlineMs;
  const { processors = machineProcessors(), startDelayMs = defaultStartDelayMs } = options;
  const queue: Job[] = [];
  const threads = new Set<Thread>();
  /** When the newest thread became ready. */
  let readyAt = 0;
  let looking: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  function start(): Thread {
    const kept = idleThreads.take(({ started }) => started === startedWith(options));
    const thread: Thread = {
      worker: kept?.worker ?? startThread(options),
      isReady: kept !== undefined,
      threadId: kept?.threadId,
      current: undefined,
      startedAt: 0,
      begunAt: undefined,
      endWatch: undefined,
    };
    threads.add(thread);
    listen(thread);
    return thread;
  }

  /** Handles the messages and the end of a thread. */
  function listen(thread: Thread): void {
    let reason = "the thread that parsed it ended";
    let failure: unknown;
    thread.worker.on("message", (reply: ParseReply) => {
      const bytes = thread.current?.job.bytes.length ?? 0;
      if (reply.kind === "ready") {
        thread.isReady = true;
        thread.threadId = reply.threadId;
        readyAt = performance.now();
      } else finish(thread, reply);
      // A large message's memory would stay with an idle thread, so the thread is replaced.
      if (bytes > mailLimits.threadBytes && !closed) {
        end(thread);
        start().worker.unref();
      }
      next();
    });
    thread.worker.on("error", (error) => {
      failure = error;
      const isMemory = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
      reason = isMemory ? "parsing it took too much memory" : "parsing it ended the thread";
    });
    thread.worker.on("exit", () => {
      threads.delete(thread);
      finish(thread, { kind: "lost", reason });
      // A thread that cannot start would be restarted forever. The waiting messages are rejected instead.
      if (!thread.isReady) rejectAll(failure);
      next();
    });
  }

  function rejectAll(cause: unknown): void {
    const message = "The thread that parses mail cannot be started.";
    for (const { reject } of queue.splice(0))
      reject(new ToolError("unavailable", message, { cause }));
  }

  function finish(thread: Thread, outcome: Outcome): void {
    thread.endWatch?.();
    const done = thread.current;
    thread.current = undefined;
    // An idle thread must not keep the process alive.
    thread.worker.unref();
    const { begunAt } = thread;
    const worked = begunAt === undefined ? 0 : workedMs(thread.threadId) - begunAt;
    done?.resolve({ outcome, workedMs: worked });
  }

  /** Ends a thread. Its `exit` event starts the next message. */
  function end(thread: Thread): void {
    threads.delete(thread);
    void thread.worker.terminate();
  }

  function startIfLate({ queuedAt }: Job): void {
    const isStarting = [...threads].some(({ isReady }) => !isReady);
    if (isStarting || threads.size >= most) return;
    const begun = processors > fewProcessors ? [] : [...threads].map((one) => one.startedAt);
    const since = Math.max(queuedAt, readyAt, ...begun);
    const left = threads.size === 0 ? 0 : since + startDelayMs - performance.now();
    if (left <= 0) {
      if (start().isReady) next();
      return;
    }
    looking ??= setTimeout(() => {
      looking = undefined;
      next();
    }, left);
  }

  function next(): void {
    const job = queue[0];
    if (job === undefined || closed) return;
    const idle = [...threads].find(({ isReady, current }) => isReady && current === undefined);
    if (idle === undefined) return startIfLate(job);
    queue.shift();
    idle.current = job;
    idle.startedAt = performance.now();
    idle.begunAt = job.job.kind === "parse" ? undefined : workedMs(idle.threadId);
    idle.worker.ref();
    const limit = job.limitMs;
    idle.endWatch = watchThread(idle.threadId, limit, () => {
      finish(idle, { kind: "lost", reason: `parsing it took longer than ${limit} ms` });
      end(idle);
    });
    post(idle.worker, job.job);
    next();
  }

  function done(job: ParseJob, limitMs: number): Promise<{ outcome: Outcome; workedMs: number }> {
    return new Promise((resolve, reject) => {
      queue.push({ job, queuedAt: performance.now(), limitMs, resolve, reject });
      next();
    });
  }

  /** Reads one attachment. A thread that was lost used all of its time. */
  async function readAttachment(job: ParseJob, limitMs: number) {
    const read = await done(job, limitMs);
    const { outcome } = read;
    const workedMs = outcome.kind === "lost" ? limitMs : read.workedMs;
    return { text: outcome.kind === "text" ? outcome.text : undefined, workedMs };
  }

  return {
    parse: async (bytes, receivedAt) => {
      const job: ParseJob = { kind: "parse", bytes, receivedAt, hidesCodes };
      const { outcome } = await done(job, deadlineMs(bytes.length));
      if (outcome.kind === "parsed" || outcome.kind === "lost") return outcome;
      return {
        kind: "unreadable",
        reason: outcome.kind === "refused" ? outcome.reason : "it is malformed",
      };
    },
    attachmentTexts: (attachments, codes = []) =>
      attachmentTexts(attachments, codes, {
        limitMs: ofAttachmentMs,
        hidesCodes,
        read: readAttachment,
      }),
    close: async () => {
      closed = true;
      clearTimeout(looking);
      await Promise.all([...threads].map((thread) => keepOrEnd(thread, options)));
    },
  };
}

function post(worker: Worker, job: ParseJob): void {
  if (job.bytes.buffer instanceof SharedArrayBuffer) return worker.postMessage(job);
  // Transfers a copy. Otherwise a small view would cause a copy of the whole buffer behind it.
  const bytes = new Uint8Array(job.bytes);
  worker.postMessage({ ...job, bytes } satisfies ParseJob, transferList(bytes));
}

async function keepOrEnd(
  { worker, threadId, isReady, current }: Thread,
  options: ParserOptions,
): Promise<void> {
  if (!isReady || current !== undefined || !idleThreads.hasRoom()) {
    await worker.terminate();
    return;
  }
  for (const event of ["message", "error", "exit"]) worker.removeAllListeners(event);
  idleThreads.keep({ worker, threadId, started: startedWith(options) });
}

/** Describes the options that a thread gets once, at its start. */
function startedWith({ heapMegabytes, isUrgent }: ParserOptions): string {
  return JSON.stringify([heapMegabytes, isUrgent ?? false]);
}

function startThread({
  heapMegabytes = mailLimits.workerHeapMegabytes,
  isUrgent = false,
}: ParserOptions): Worker {
  const resourceLimits = {
    maxOldGenerationSizeMb: heapMegabytes,
    maxYoungGenerationSizeMb: mailLimits.workerYoungMegabytes,
  };
  const workerData: ParseThreadOptions = { isUrgent };
  return startQuietWorker("parse-worker", { resourceLimits, workerData });
}
