import { Worker, type WorkerOptions } from "node:worker_threads";
import { type WorkerEntry, workerFile } from "./program-root.ts";

/** Starts a thread of the program. */
export function startWorker(entry: WorkerEntry, options: WorkerOptions): Worker {
  const file = workerFile(entry);
  // The process's arguments are not passed on, because loaders and debuggers do not work in these threads.
  if (file.pathname.endsWith(".js")) return new Worker(file, { ...options, execArgv: [] });
  // When run from source (tests, tsx), a thread needs the loader again: Node 20 cannot run TypeScript, and threads do
  // not inherit loaders.
  const loader = import.meta.resolve("tsx/esm/api");
  const code = `import(${JSON.stringify(loader)}).then(({ register }) => (register(), import(${JSON.stringify(file.href)})))`;
  return new Worker(code, { ...options, eval: true });
}

/** Starts a thread and discards its output, because a library's output could reach stdout and break the protocol. */
export function startQuietWorker(entry: WorkerEntry, options: WorkerOptions): Worker {
  const worker = startWorker(entry, { ...options, stdout: true, stderr: true });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}
