import { afterAll } from "vitest";

/**
 * Runs the given functions after all tests of this `describe`, the latest first. A failure does not prevent the others.
 */
export function suiteFinished(): (cleanUp: () => unknown) => void {
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
