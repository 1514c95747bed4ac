import type { Reporter, TestModule } from "vitest/node";

/** In CI, tests with real servers and processes get a second try, because the speed of that machine is unknown. */
export const retry = process.env["REQUIRE_SERVERS"] === "1" ? 1 : 0;

/** Names the tests that passed only when they were run again, with the error: each is a fault that waits to be found. */
export default class SecondTryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules)
      for (const test of module.children.allTests())
        if (test.diagnostic()?.flaky === true) {
          console.warn(`PASSED AT THE SECOND TRY: ${module.relativeModuleId} > ${test.fullName}`);
          for (const { message } of test.result().errors ?? []) console.warn(message);
        }
  }
}
