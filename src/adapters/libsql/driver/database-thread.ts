import type { Worker } from "node:worker_threads";
import { createIdleThreads } from "../../../core/shared/idle-threads.ts";
import { startWorker } from "../../../core/shared/start-worker.ts";
import type { WorkerOptions, WorkerReply, WorkerRequest } from "./worker-messages.ts";

/** The thread of one open database. An idle one does not keep the process alive. */
export interface DatabaseThread {
  post(requests: readonly WorkerRequest[], transfer: readonly ArrayBuffer[]): void;
  ref(): void;
  unref(): void;
  /** Resolves when all earlier requests are done and the database is closed. */
  close(): Promise<void>;
}

export interface ThreadEvents {
  replied(replies: readonly WorkerReply[]): void;
  /** The thread ended, on its own or after `close`. */
  ended(reason: string): void;
}

/** A running thread, and what uses it now. */
interface Running {
  worker: Worker;
  databases: number;
  user?: ThreadEvents | undefined;
  closed?: (() => void) | undefined;
}

/** Threads whose database file was closed. */
const idle = createIdleThreads<Running>(({ worker }) => worker.postMessage("end"));

/** A thread that ends frees everything, also what a driver may forget. */
const mostDatabases = 32;

/** Opens a database in a thread of its own. Errors of opening are those of the first requests. */
export function openThread(options: WorkerOptions, events: ThreadEvents): DatabaseThread {
  const running = (isFile(options) ? idle.take() : undefined) ?? start();
  const { worker } = running;
  running.databases += 1;
  running.user = events;
  worker.postMessage({ open: options });
  worker.unref();
  return {
    post: (requests, transfer) => worker.postMessage(requests, transfer),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    close: () => {
      worker.ref();
      return new Promise((resolve) => {
        running.closed = resolve;
        worker.postMessage(mayServeAnother(options, running) ? "close" : "end");
      });
    },
  };
}

const isFile = ({ url }: WorkerOptions): boolean => url.startsWith("file:");

/** Returns false for a thread of a server, whose response to an earlier request may come after the close. */
function mayServeAnother(options: WorkerOptions, { databases }: Running): boolean {
  return isFile(options) && databases < mostDatabases && idle.hasRoom();
}

function start(): Running {
  const running: Running = { worker: startWorker("database-worker", {}), databases: 0 };
  const { worker } = running;
  worker.on("message", (message: readonly WorkerReply[] | "closed") => {
    if (message !== "closed") {
      running.user?.replied(message);
      return;
    }
    running.user = undefined;
    idle.keep(running);
    worker.unref();
    running.closed?.();
    running.closed = undefined;
  });
  let reason = "it ended";
  worker.on("error", (error) => (reason = String(error)));
  worker.on("exit", () => {
    running.user?.ended(reason);
    running.closed?.();
  });
  return running;
}
