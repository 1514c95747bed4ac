// Loaded into the server of the soak by `--import`, with `--expose-gc`: at SIGUSR2 it collects garbage and writes the bytes
// in use to MEMORY_FILE. Resident memory would also show what V8 has not collected yet.
import { renameSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const file = process.env.MEMORY_FILE;
if (isMainThread && file !== undefined) {
  process.on("SIGUSR2", () => {
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(`${file}.new`, String(heapUsed + external));
    renameSync(`${file}.new`, file);
  });
}
