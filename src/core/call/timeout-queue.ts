/** Many alarms of one length behind one timer: a call pays for being entered in a list, not for a timer of its own. */
export interface TimeoutQueue {
  /** Calls `ring` after the alarms' time, unless what is returned is called before. A process does not end while one waits. */
  set(ring: () => void): () => void;
}

/** What was taken out points nowhere: it would keep alive what came after it. */
interface Link {
  ring: (() => void) | undefined;
  at: number;
  before: Link | undefined;
  after: Link | undefined;
}

/** `afterMs`: how long each alarm waits, in milliseconds; at least 1. */
export function createTimeoutQueue(afterMs: number, now = () => performance.now()): TimeoutQueue {
  // All wait equally long, so the first that was set is the first to ring. No Map: each time that it makes room the old table
  // holds on to the new one, until a collection of all garbage.
  let first: Link | undefined;
  let last: Link | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function ringDue(): void {
    timer = undefined;
    const time = now();
    for (let link = first; link !== undefined; link = first) {
      if (link.at > time) {
        timer = setTimeout(ringDue, Math.ceil(link.at - time));
        return;
      }
      const { ring } = link;
      takeOut(link);
      ring?.();
    }
  }

  function takeOut(link: Link): void {
    if (link.ring === undefined) return;
    const { before, after } = link;
    if (before === undefined) first = after;
    else before.after = after;
    if (after === undefined) last = before;
    else after.before = before;
    link.ring = link.before = link.after = undefined;
  }

  return {
    set: (ring) => {
      if (timer === undefined) timer = setTimeout(ringDue, afterMs);
      else if (first === undefined) timer.ref();
      const link: Link = { ring, at: now() + afterMs, before: last, after: undefined };
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
