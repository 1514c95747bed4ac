import { TestRunner, afterAll } from "vitest";

/**
 * Runs the given functions after all tests of this `describe`, the latest first. A failure does not prevent the others.
 * @throws in a hook or a test, where Vitest would ignore the functions
 */
export function suiteFinished(): (cleanUp: () => unknown) => void {
  // Vitest sets it when all suites of the file are known.
  if (TestRunner.getCurrentSuite().file?.collectDuration !== undefined)
    throw new Error(
      "suiteFinished was called in a hook or a test. Nothing would be cleaned up. Call it in the body of `describe` or at the top of the file.",
    );
  const cleanUps: (() => unknown)[] = [];
  afterAll(async () => {
    const failures: unknown[] = [];
    for (const cleanUp of cleanUps.toReversed()) {
      try {
        await cleanUp();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  });
  return (cleanUp) => void cleanUps.push(cleanUp);
}
