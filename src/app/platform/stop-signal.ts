const waiting = new Set<() => void>();

/** Resolves at the first request to stop. A second one ends the process immediately, as people expect of Ctrl-C. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(resolve);
    for (const name of ["SIGINT", "SIGTERM"] as const) {
      process.once(name, () => {
        process.once(name, endBySignal);
        resolve();
      });
    }
  });
}

/** Ends all that waits for `stopSignal`. */
export function requestStop(): void {
  for (const resolve of waiting) resolve();
}

/**
 * Ends the process immediately, by the signal that it received. `process.exit` would end the database's thread in the
 * middle of a statement, and then the driver aborts the process with a stack trace.
 */
export function endBySignal(name: NodeJS.Signals): void {
  // The system restores no terminal. A question may have switched off its echo.
  if (process.stdin.isTTY) process.stdin.setRawMode(false);
  process.removeAllListeners(name);
  process.kill(process.pid, name);
}
