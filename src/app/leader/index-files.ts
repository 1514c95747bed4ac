import type { Log } from "../../core/shared/log.ts";
import { openFileIndex } from "../compose/open/open-file-index.ts";
import type { Stores } from "../compose/open/open-stores.ts";

/** Often enough that a search finds few changed files to index. Milliseconds. */
const everyMs = 60_000;

/** Indexes changed files in the leader, so that searches need not wait for them. */
export function startFileIndexing(stores: Stores, log: Log): { close(): Promise<void> } {
  const index = openFileIndex({ ...stores, log });
  const closing = new AbortController();
  const work = async (): Promise<void> => {
    await index.refresh(everyMs, closing.signal).catch((cause: unknown) => {
      if (!closing.signal.aborted) log.warn("indexing files failed; retrying soon", { cause });
    });
  };
  let working = work();
  const timer = setInterval(() => {
    working = working.then(work);
  }, everyMs);
  timer.unref();
  return {
    close: async () => {
      closing.abort();
      clearInterval(timer);
      await working;
      await index.close();
    },
  };
}
