/** The holder of a place: a connection or a request. */
export interface Holder {
  /** The keys by which it is counted, in the order of `each`: its network and the wider one, or its caller. */
  keys: readonly string[];
  /** Ends the holder. */
  end(): void;
  /** Busy holders are not ended. */
  isBusy(): boolean;
}

export interface ShareLimits {
  total: number;
  /** For each of a holder's keys, the number of places with the same key. */
  each: readonly number[];
}

export interface Shares {
  /**
   * Takes a place and returns the function that releases it. If a share is exceeded, the oldest idle holder with the
   * same key is ended. Undefined if none is idle.
   */
  take(holder: Holder): (() => void) | undefined;
  readonly size: number;
}

/**
 * Creates places that cannot be monopolized. If all are taken, the group with the most places (by the last key) loses
 * its oldest one. New holders find a place, and many connections of one network displace only each other.
 */
export function createShares({ total, each }: ShareLimits): Shares {
  // A set keeps insertion order, so the first holder is the oldest.
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

  /** Ends the oldest idle holder of the group. False if all are busy. */
  function endOldest(of: (holder: Holder) => boolean): boolean {
    for (const holder of holders) {
      if (!of(holder) || holder.isBusy()) continue;
      release(holder);
      holder.end();
      return true;
    }
    return false;
  }

  /** Ends the oldest idle holder of the largest group that has one. */
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
