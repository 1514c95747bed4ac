import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import MixedOrder from "./test/servers/mixed-order.ts";
import { retry } from "./test/servers/second-try-reporter.ts";

// Generous, as all limits here: a busy machine is slow, and a test that hangs is still found.
const expectation = { poll: { timeout: 25_000, interval: 50 } };

// Most tests of the product wait for other processes and for time-outs. With one worker for each processor, the
// machine was idle for much of the time, and with two for a tenth of it. Three take longer, because each worker loads
// the modules. Vitest wants a group of its own for another number.
const manyWorkers = Math.ceil(2.5 * availableParallelism());

/**
 * The other threads of the engine's collector wait for each other while every processor has work. With one thread the
 * same tests took 3 to 5 % less processor time.
 */
const execArgv = ["--single-threaded-gc"];

/**
 * A thread of the sources loads a compiler first, which took most of the time of many tests. With this module threads run
 * from the bundle, which `build.ts` keeps current. Unit tests start no threads, but their projects share cached modules only
 * if all have the same aliases.
 */
const alias = [
  {
    find: /^\..*\/program-root\.ts$/,
    replacement: fileURLToPath(new URL("test/bundled-root.ts", import.meta.url)),
  },
  {
    // As in the bundle.
    find: /^@noble\/hashes\/scrypt\.js$/,
    replacement: fileURLToPath(new URL("src/adapters/age/native-scrypt.ts", import.meta.url)),
  },
];

export default defineConfig({
  test: {
    // Vitest would leave one of two processors idle.
    maxWorkers: "100%",
    sequence: { sequencer: MixedOrder },
    // Three projects load the same modules, and most have not changed since the run before.
    experimental: { fsModuleCache: true },
    reporters: ["default", "./test/servers/second-try-reporter.ts"],
    projects: [
      {
        test: {
          name: "unit",
          // These tests share no state; loading every module anew for each file was most of their time.
          isolate: false,
          execArgv,
          include: ["test/unit/**/*.test.ts"],
          alias,
          expect: expectation,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          // Tests that measure time or memory, each file in a process of its own. They run with one worker for each
          // processor, before the crowd of the others.
          name: "timing",
          retry,
          include: ["test/timing/**/*.test.ts"],
          alias,
          expect: expectation,
          globalSetup: ["test/servers/build.ts"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          // One project, because workers are of one project, and each loads every module.
          name: "product",
          maxWorkers: manyWorkers,
          execArgv,
          sequence: { groupOrder: 1 },
          retry,
          // The state is in homes and processes. Each test has a database, bucket or calendar of its own. Loading every
          // module anew for each file took longer than many files.
          isolate: false,
          include: ["contract", "integration", "protocol"].map(
            (kind) => `test/${kind}/**/*.test.ts`,
          ),
          setupFiles: ["test/servers/worker-setup.ts"],
          // Otherwise Node resolves its imports, without the aliases.
          server: { deps: { inline: ["age-encryption"] } },
          alias,
          expect: expectation,
          globalSetup: [
            "test/servers/build.ts",
            "test/servers/typescript-child.ts",
            "test/servers/global-setup.ts",
          ],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
