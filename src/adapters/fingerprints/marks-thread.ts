import type { Worker } from "node:worker_threads";
import type { MarkedText } from "../../core/flow/content-marks.ts";
import type { MadeMarks, MarksMaker } from "../../core/flow/marks-maker.ts";
import { createIdleThreads } from "../../core/shared/idle-threads.ts";
import { startWorker } from "../../core/shared/start-worker.ts";

/** The key of the requests that follow. */
export interface MarksKey {
  key: Uint8Array;
}

export interface MarksRequest {
  id: number;
  texts: readonly MarkedText[];
}

export interface MarksReply {
  id: number;
  contents: readonly MadeMarks[];
}

interface Waiting {
  resolve: (made: readonly MadeMarks[]) => void;
  reject: (cause: Error) => void;
}

/** A running thread, and the requests that it has not answered. */
interface Running {
  worker: Worker;
  waiting: Map<number, Waiting>;
  lastId: number;
  hasEnded: boolean;
}

const idle = createIdleThreads<Running>(({ worker }) => void worker.terminate());

/**
 * Creates the maker of fingerprints in a thread, which starts at the first use. An idle thread does not keep the
 * process alive.
 */
export function createMarksThread(key: Uint8Array): MarksMaker {
  let running: Running | undefined;

  function usable(): Running {
    if (running !== undefined && !running.hasEnded) return running;
    running = idle.take() ?? start();
    const first: MarksKey = { key };
    running.worker.postMessage(first);
    return running;
  }

  return {
    make: (texts) =>
      new Promise((resolve, reject) => {
        const thread = usable();
        const id = (thread.lastId += 1);
        thread.waiting.set(id, { resolve, reject });
        thread.worker.ref();
        const request: MarksRequest = { id, texts };
        thread.worker.postMessage(request);
      }),
    close: async () => {
      const closed = running;
      running = undefined;
      if (closed === undefined) return;
      if (closed.waiting.size === 0 && !closed.hasEnded && idle.hasRoom()) idle.keep(closed);
      else await closed.worker.terminate();
    },
  };
}

function start(): Running {
  const worker = startWorker("marks-worker", {});
  const running: Running = { worker, waiting: new Map(), lastId: 0, hasEnded: false };
  const { waiting } = running;
  worker.on("message", ({ id, contents }: MarksReply) => {
    const found = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    found?.resolve(contents);
  });
  let reason = new Error("The fingerprint thread ended.");
  worker.on("error", (error) => (reason = error instanceof Error ? error : reason));
  worker.on("exit", () => {
    running.hasEnded = true;
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
  });
  return running;
}
