/** Wrong secrets before the pause, and how long that is: no guessing gets anywhere at five a minute. */
const maxTries = 5;
const pauseMs = 60_000;

/** Senders that are told apart; beyond that they share one count, which errs on the strict side. */
const maxSenders = 1_000;

export interface Tries {
  /** Milliseconds until this sender may try again; 0 where it may now. */
  pauseOf(sender: string): number;
  failed(sender: string): void;
  succeeded(sender: string): void;
}

/** Five tries, then a pause: for each sender as the socket names it. */
export function createTries(clock: () => Date): Tries {
  const senders = new Map<string, { count: number; since: number }>();

  function find(sender: string): { name: string; count: number; since: number } {
    const now = clock().getTime();
    for (const [name, { since }] of senders) if (now - since >= pauseMs) senders.delete(name);
    const name = senders.has(sender) || senders.size < maxSenders ? sender : "everybody else";
    return { name, ...(senders.get(name) ?? { count: 0, since: now }) };
  }

  return {
    pauseOf: (sender) => {
      const { count, since } = find(sender);
      return count < maxTries ? 0 : Math.max(0, since + pauseMs - clock().getTime());
    },
    failed: (sender) => {
      const { name, count } = find(sender);
      senders.set(name, { count: count + 1, since: clock().getTime() });
    },
    succeeded: (sender) => void senders.delete(find(sender).name),
  };
}
