/** Runs many timeouts of one length on one timer. A call pays for a list entry instead of a timer. */
export interface TimeoutQueue {
  /**
   * Calls `onTimeout` after the queue's time unless the returned function cancels it. Pending timeouts keep the process
   * alive.
   */
  set(onTimeout: () => void): () => void;
}

/** The pointers of a removed link are cleared, because they would keep later links in memory. */
interface Link {
  onTimeout: (() => void) | undefined;
  at: number;
  before: Link | undefined;
  after: Link | undefined;
}

/**
 * Creates a queue.
 * @param afterMs delay of each timeout in milliseconds, at least 1
 */
export function createTimeoutQueue(afterMs: number, now = () => performance.now()): TimeoutQueue {
  // All delays are equal, so the list is in order of expiry. It is no Map, because the old table of a grown Map keeps
  // the new one in memory until a full garbage collection.
  let first: Link | undefined;
  let last: Link | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function runDue(): void {
    timer = undefined;
    const time = now();
    for (let link = first; link !== undefined; link = first) {
      if (link.at > time) {
        timer = setTimeout(runDue, Math.ceil(link.at - time));
        return;
      }
      const { onTimeout } = link;
      takeOut(link);
      onTimeout?.();
    }
  }

  function takeOut(link: Link): void {
    if (link.onTimeout === undefined) return;
    const { before, after } = link;
    if (before === undefined) first = after;
    else before.after = after;
    if (after === undefined) last = before;
    else after.before = before;
    link.onTimeout = link.before = link.after = undefined;
  }

  return {
    set: (onTimeout) => {
      if (timer === undefined) timer = setTimeout(runDue, afterMs);
      else if (first === undefined) timer.ref();
      const link: Link = { onTimeout, at: now() + afterMs, before: last, after: undefined };
      if (last === undefined) first = link;
      else last.after = link;
      last = link;
      return () => {
        takeOut(link);
        if (first === undefined) timer?.unref();
      };
    },
  };
}
