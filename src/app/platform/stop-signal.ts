const waiting = new Set<() => void>();

/** Resolves at the first request to stop. A second one ends the process immediately, as people expect of Ctrl-C. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(resolve);
    for (const name of ["SIGINT", "SIGTERM"] as const) {
      process.once(name, () => {
        process.once(name, () => process.exit(1));
        resolve();
      });
    }
  });
}

/** Ends all that waits for `stopSignal`. */
export function requestStop(): void {
  for (const resolve of waiting) resolve();
}
