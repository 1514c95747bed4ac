/** Somebody who holds one of our places: a connection, or a request. */
export interface Holder {
  /** What it is counted by, in the order of `each`: its network and the wider one, or its caller. */
  keys: readonly string[];
  /** Takes the place away. */
  end(): void;
  /** Places in use are not taken away. */
  isBusy(): boolean;
}

export interface ShareLimits {
  total: number;
  /** For each of a holder's keys, how many places those with the same key may hold. */
  each: readonly number[];
}

export interface Shares {
  /**
   * Gives a place, and returns what gives it back. Who holds more than a share loses the oldest place not in use. If there is
   * none, the place is not given and the answer is undefined.
   */
  take(holder: Holder): (() => void) | undefined;
  readonly size: number;
}

/**
 * Creates places that nobody can keep from others. When all are taken, whoever holds most by the last of the keys loses the
 * oldest: newcomers find room, and many connections of one network push out each other.
 */
export function createShares({ total, each }: ShareLimits): Shares {
  // A set keeps the order of insertion: the first is the oldest.
  const holders = new Set<Holder>();
  const counts = each.map(() => new Map<string, number>());

  function count(holder: Holder, by: 1 | -1): void {
    for (const [index, key] of holder.keys.entries()) {
      const left = (counts[index]?.get(key) ?? 0) + by;
      if (left === 0) counts[index]?.delete(key);
      else counts[index]?.set(key, left);
    }
  }

  function release(holder: Holder): void {
    if (holders.delete(holder)) count(holder, -1);
  }

  /** False if every place that could be taken away is in use. */
  function endOldest(of: (holder: Holder) => boolean): boolean {
    for (const holder of holders) {
      if (!of(holder) || holder.isBusy()) continue;
      release(holder);
      holder.end();
      return true;
    }
    return false;
  }

  /** The oldest of the network that holds most and has a place to give. */
  function endOfLargest(): boolean {
    const last = counts.length - 1;
    const bySize = [...(counts[last] ?? [])].toSorted(([, one], [, other]) => other - one);
    return bySize.some(([key]) => endOldest(({ keys }) => keys[last] === key));
  }

  return {
    take: (holder) => {
      for (const [index, limit] of each.entries()) {
        const key = holder.keys[index] ?? "";
        const isFull = (counts[index]?.get(key) ?? 0) >= limit;
        if (isFull && !endOldest(({ keys }) => keys[index] === key)) return undefined;
      }
      if (holders.size >= total && !endOfLargest()) return undefined;
      holders.add(holder);
      count(holder, 1);
      return () => release(holder);
    },
    get size() {
      return holders.size;
    },
  };
}
