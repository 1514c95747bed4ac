import { reuseThreads } from "../../src/core/shared/idle-threads.ts";
import { cleanUpAfterFile } from "../fakes/file-finished.ts";

// Vitest runs this file before each file of tests. The installations of all files of a worker use the same threads in
// turn, because the start of threads took a third of the time of many tests.
reuseThreads();
cleanUpAfterFile();
