import type { Worker } from "node:worker_threads";
import type { MarkedText } from "../../core/flow/content-marks.ts";
import type { MadeMarks, MarksMaker } from "../../core/flow/marks-maker.ts";
import { startWorker } from "../../core/shared/start-worker.ts";

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

/**
 * Creates the maker of fingerprints in a thread, which starts at the first use. An idle thread does not keep the
 * process alive.
 */
export function createMarksThread(key: Uint8Array): MarksMaker {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | undefined;
  let lastId = 0;

  function start(): Worker {
    const started = startWorker("marks-worker", { workerData: key });
    started.on("message", ({ id, contents }: MarksReply) => {
      const found = waiting.get(id);
      waiting.delete(id);
      if (waiting.size === 0) started.unref();
      found?.resolve(contents);
    });
    let reason = new Error("The fingerprint thread ended.");
    started.on("error", (error) => (reason = error instanceof Error ? error : reason));
    started.on("exit", () => {
      if (thread === started) thread = undefined;
      for (const { reject } of waiting.values()) reject(reason);
      waiting.clear();
    });
    return started;
  }

  return {
    make: (texts) =>
      new Promise((resolve, reject) => {
        thread ??= start();
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        thread.ref();
        const request: MarksRequest = { id: lastId, texts };
        thread.postMessage(request);
      }),
    close: async () => {
      await thread?.terminate();
    },
  };
}
