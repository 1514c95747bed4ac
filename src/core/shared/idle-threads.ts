interface Thread {
  /** A worker of Node. */
  worker: Record<"once" | "off", (event: "exit", listener: () => void) => unknown>;
}

/** The threads of one kind that nothing uses. They are kept only while `reuseThreads` applies. */
export interface IdleThreads<T extends Thread> {
  /** Returns whether an idle thread may be kept. */
  hasRoom(): boolean;
  keep(thread: T): void;
  /** Removes and returns one of the kept threads. */
  take(isSuitable?: (thread: T) => boolean): T | undefined;
}

/** Threads of each kind that are kept. */
const most = 8;

let isReusing = false;
const endAll: (() => void)[] = [];

/**
 * Keeps idle threads for reuse, in a process that opens hundreds of data directories in turn. Otherwise it would spend
 * most of its time on starting threads.
 * @returns a function that ends the reuse and all kept threads
 */
export function reuseThreads(): () => void {
  isReusing = true;
  return () => {
    isReusing = false;
    for (const end of endAll) end();
  };
}

/** Creates the store of idle threads of one kind. `end` ends a kept thread. */
export function createIdleThreads<T extends Thread>(end: (thread: T) => void): IdleThreads<T> {
  const kept = new Map<T, () => void>();

  function remove(thread: T): void {
    const forget = kept.get(thread);
    if (forget !== undefined) thread.worker.off("exit", forget);
    kept.delete(thread);
  }

  endAll.push(() => {
    for (const thread of kept.keys()) {
      remove(thread);
      end(thread);
    }
  });
  return {
    hasRoom: () => isReusing && kept.size < most,
    keep: (thread) => {
      const forget = (): void => void kept.delete(thread);
      kept.set(thread, forget);
      thread.worker.once("exit", forget);
    },
    take: (isSuitable = () => true) => {
      const found = [...kept.keys()].find(isSuitable);
      if (found !== undefined) remove(found);
      return found;
    },
  };
}
