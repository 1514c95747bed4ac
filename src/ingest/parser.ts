import { Worker } from "node:worker_threads";
import type { ParsedMail } from "./parse-message.ts";
import type { ParseJob, ParseReply } from "./parse-worker.ts";
import { mailLimits, parseDeadlineMs } from "./limits.ts";

export type ParseOutcome =
  | { is: "parsed"; mail: ParsedMail }
  /** The message is what is wrong: parsing it again would end the same. */
  | { is: "unreadable"; reason: string };

/** Parses messages in threads, so that neither their size nor their malice stops this process. */
export interface Parser {
  parse(raw: Uint8Array, receivedAt: Date): Promise<ParseOutcome>;
  close(): Promise<void>;
}

export interface ParserOptions {
  /** Messages parsed at a time. */
  threads?: number;
  deadlineMs?: (bytes: number) => number;
}

interface Job {
  job: ParseJob;
  resolve: (outcome: ParseOutcome) => void;
}

interface Thread {
  worker: Worker;
  isReady: boolean;
  current: Job | undefined;
  deadline: ReturnType<typeof setTimeout> | undefined;
}

/** Threads start with the first message and are replaced when a message breaks them. */
export function createParser(options: ParserOptions = {}): Parser {
  const { threads: most = 2, deadlineMs = parseDeadlineMs } = options;
  const queue: Job[] = [];
  const threads = new Set<Thread>();
  let closed = false;

  function start(): void {
    const thread: Thread = {
      worker: startThread(),
      isReady: false,
      current: undefined,
      deadline: undefined,
    };
    threads.add(thread);
    let reason = "the thread that parsed it ended";
    thread.worker.on("message", (reply: ParseReply) => {
      if (reply.is === "ready") thread.isReady = true;
      else
        finish(thread, reply.is === "parsed" ? reply : { is: "unreadable", reason: reply.reason });
      next();
    });
    thread.worker.on("error", (error) => {
      const isMemory = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
      reason = isMemory
        ? "parsing it took too much memory"
        : `parsing it ended with: ${error.message}`;
    });
    thread.worker.on("exit", () => {
      threads.delete(thread);
      const startedInVain = !thread.isReady && thread.current === undefined;
      finish(thread, { is: "unreadable", reason });
      // A thread that cannot even start would be started for ever; whoever waits is told instead.
      if (startedInVain)
        for (const job of queue.splice(0)) job.resolve({ is: "unreadable", reason });
      next();
    });
  }

  function finish(thread: Thread, outcome: ParseOutcome): void {
    clearTimeout(thread.deadline);
    const done = thread.current;
    thread.current = undefined;
    // An idle thread keeps no process alive.
    thread.worker.unref();
    done?.resolve(outcome);
  }

  function next(): void {
    const job = queue[0];
    if (job === undefined || closed) return;
    const idle = [...threads].find(({ isReady, current }) => isReady && current === undefined);
    if (idle === undefined) {
      const isStarting = [...threads].some(({ isReady }) => !isReady);
      if (!isStarting && threads.size < most) start();
      return;
    }
    queue.shift();
    idle.current = job;
    idle.worker.ref();
    const limit = deadlineMs(job.job.raw.length);
    idle.deadline = setTimeout(() => {
      threads.delete(idle);
      finish(idle, { is: "unreadable", reason: `parsing it took longer than ${limit} ms` });
      // Its `exit` event calls for the next message.
      void idle.worker.terminate();
    }, limit);
    // A copy that is handed over: a message would copy the whole buffer behind a small view.
    const raw = new Uint8Array(job.job.raw);
    idle.worker.postMessage({ ...job.job, raw } satisfies ParseJob, [raw.buffer]);
    next();
  }

  return {
    parse: (raw, receivedAt) =>
      new Promise((resolve) => {
        queue.push({ job: { raw, receivedAt }, resolve });
        next();
      }),
    close: async () => {
      closed = true;
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

function startThread(): Worker {
  const options = { resourceLimits: { maxOldGenerationSizeMb: mailLimits.workerHeapMegabytes } };
  // From source (tests, tsx) a thread needs a loader of its own: Node 20 cannot read TypeScript.
  return import.meta.url.endsWith(".ts")
    ? new Worker(new URL("./parse-worker.ts", import.meta.url), {
        ...options,
        execArgv: ["--import", import.meta.resolve("tsx")],
      })
    : new Worker(new URL("./parse-worker.js", import.meta.url), options);
}
