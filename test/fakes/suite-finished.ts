import { afterAll } from "vitest";

/** What is handed to it runs when all tests of this `describe` are over, the latest first; none keeps another from running. */
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
