/** Limits on the mail of one sender: messages and bytes that are stored per period. Times are milliseconds. */
export const arrivalLimits = {
  /** A person gets a few hundred messages a day. Whole archives arrive with `import`, IMAP or a bucket. */
  messages: 10_000,
  bytes: 2 * 1024 ** 3,
  periodMs: 3_600_000,
  /** Senders that are remembered, about 200 bytes each. */
  remembered: 10_000,
} as const;

export type ArrivalLimits = { readonly [Name in keyof typeof arrivalLimits]: number };

/** Counts the stored mail of each sender, so that a single sender cannot fill the disk or the queue. */
export interface ArrivalLimit {
  /**
   * Counts a message before it is stored. Returns the seconds until the sender may send it, or undefined if it was
   * counted.
   */
  waitSeconds(sender: string, bytes: number): number | undefined;
  /** Stops counting a message that was not stored. */
  release(sender: string, bytes: number): void;
}

interface Left {
  messages: number;
  bytes: number;
  at: number;
}

/**
 * Creates the limit. A sender may use the share of a period at once, and the share then refills evenly.
 * @param now a monotonic clock in milliseconds
 */
export function createArrivalLimit(
  now: () => number,
  limits: ArrivalLimits = arrivalLimits,
): ArrivalLimit {
  const senders = new Map<string, Left>();
  const perMs = (most: number): number => most / limits.periodMs;

  function leftOf(sender: string): Left {
    const at = now();
    const known = senders.get(sender) ?? { messages: limits.messages, bytes: limits.bytes, at };
    const grown = (left: number, most: number): number =>
      Math.min(most, left + (at - known.at) * perMs(most));
    const left = {
      messages: grown(known.messages, limits.messages),
      bytes: grown(known.bytes, limits.bytes),
      at,
    };
    // A map keeps the order of insertion, so inserting the sender again makes it the newest.
    senders.delete(sender);
    senders.set(sender, left);
    const [oldest] = senders.keys();
    if (senders.size > limits.remembered && oldest !== undefined) senders.delete(oldest);
    return left;
  }

  return {
    waitSeconds: (sender, given) => {
      // A message that is larger than the whole share needs all of it.
      const bytes = Math.min(given, limits.bytes);
      const left = leftOf(sender);
      const waitMs = Math.max(
        (1 - left.messages) / perMs(limits.messages),
        (bytes - left.bytes) / perMs(limits.bytes),
      );
      if (waitMs > 0) return Math.ceil(waitMs / 1_000);
      left.messages -= 1;
      left.bytes -= bytes;
      return undefined;
    },
    release: (sender, given) => {
      const left = leftOf(sender);
      left.messages = Math.min(limits.messages, left.messages + 1);
      left.bytes = Math.min(limits.bytes, left.bytes + Math.min(given, limits.bytes));
    },
  };
}
