import { Worker, type WorkerOptions } from "node:worker_threads";
import { type WorkerEntry, workerFile } from "./program-root.ts";

/** Starts a thread of the program. */
export function startWorker(entry: WorkerEntry, options: WorkerOptions): Worker {
  const file = workerFile(entry);
  // Without the arguments of the process: loaders and debuggers are of no use to a thread.
  if (file.pathname.endsWith(".js")) return new Worker(file, { ...options, execArgv: [] });
  // From source (tests, tsx): Node 20 reads no TypeScript, and a thread does not inherit the loader.
  const loader = import.meta.resolve("tsx/esm/api");
  const code = `import(${JSON.stringify(loader)}).then(({ register }) => (register(), import(${JSON.stringify(file.href)})))`;
  return new Worker(code, { ...options, eval: true });
}

/**
 * Starts a thread whose output is thrown away: what a library prints would reach our stdout, which may carry the protocol.
 */
export function startQuietWorker(entry: WorkerEntry, options: WorkerOptions): Worker {
  const worker = startWorker(entry, { ...options, stdout: true, stderr: true });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}
