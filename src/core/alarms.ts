/** Many alarms of one length behind one timer: a call pays for being entered in a list, not for a timer of its own. */
export interface Alarms {
  /** Calls `ring` after the alarms' time, unless what is returned is called before. A process does not end while one waits. */
  set(ring: () => void): () => void;
}

/** `afterMs`: how long each alarm waits, in milliseconds; at least 1. */
export function createAlarms(afterMs: number, now = () => performance.now()): Alarms {
  // All wait equally long, so the first that was set is the first to ring.
  const waiting = new Map<number, { ring: () => void; at: number }>();
  let lastId = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function ringDue(): void {
    timer = undefined;
    const time = now();
    for (const [id, { ring, at }] of waiting) {
      if (at > time) {
        timer = setTimeout(ringDue, Math.ceil(at - time));
        return;
      }
      waiting.delete(id);
      ring();
    }
  }

  return {
    set: (ring) => {
      const id = (lastId += 1);
      if (timer === undefined) timer = setTimeout(ringDue, afterMs);
      else if (waiting.size === 0) timer.ref();
      waiting.set(id, { ring, at: now() + afterMs });
      return () => {
        if (waiting.delete(id) && waiting.size === 0) timer?.unref();
      };
    },
  };
}
