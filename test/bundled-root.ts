// Replaces src/core/shared/program-root.ts in tests (vitest.config.ts): threads run from the bundle, as they do in the
// package. A thread that parses mail loads twice as fast as from `dist/`. From the sources it takes seconds.
import type { WorkerEntry } from "../src/core/shared/program-root.ts";

export const programRoot = new URL("../", import.meta.url);

export function packageFile(path: string): URL {
  return new URL(path, programRoot);
}

export function workerFile(entry: WorkerEntry): URL {
  return new URL(`bundle/${entry}.js`, programRoot);
}
