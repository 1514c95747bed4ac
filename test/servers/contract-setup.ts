import { reuseThreadsInThisFile } from "./reuse-threads.ts";

// Vitest runs this file before each file of contract tests.
reuseThreadsInThisFile();
