import { afterAll } from "vitest";

let cleanUps: (() => unknown)[] = [];

/** Runs a function after the last test of the running file. Unlike Vitest's hooks, tests may call it. */
export function onFileFinished(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp);
}

/** Registers the clean-up of the running file. The setup of a worker calls it before the tests of each file. */
export function cleanUpAfterFile(): void {
  afterAll(async () => {
    const own = cleanUps;
    cleanUps = [];
    await Promise.all(own.map((cleanUp) => cleanUp()));
  });
}
