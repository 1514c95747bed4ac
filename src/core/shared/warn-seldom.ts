import type { Log } from "./log.ts";

/** A message is logged again after this time. Milliseconds. */
const againAfterMs = 60_000;

/** Creates a warning for what a client may cause with every request. Each message is logged once a minute. */
export function createSeldomWarning(
  log: Pick<Log, "warn">,
  elapsed: () => number = () => performance.now(),
): (message: string) => void {
  const lastAt = new Map<string, number>();
  return (message) => {
    const last = lastAt.get(message);
    if (last !== undefined && elapsed() - last < againAfterMs) return;
    lastAt.set(message, elapsed());
    log.warn(message);
  };
}
