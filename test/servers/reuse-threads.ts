import { afterAll } from "vitest";
import { reuseThreads } from "../../src/core/shared/idle-threads.ts";

/**
 * Lets the installations of a file's tests use the same threads in turn. The start of threads took a third of the time of
 * many tests.
 */
export function reuseThreadsInThisFile(): void {
  afterAll(reuseThreads());
}
