import { networksOf } from "./network.ts";

/** Limits against guessing secrets. No setting switches them off. A wrong token counts 1. Times are milliseconds. */
export const guessLimits = {
  /** Failures of one IPv4 address or IPv6 /64. A person mistypes a few times, but guessing needs billions of tries. */
  narrow: 10,
  wide: 30,
  region: 60,
  /** Failures of one browser that signed in before. */
  browser: 10,
  /**
   * All failures for one kind of secret. Beyond it, only regions with fewer than `reserved` failures may try. An attack
   * from many networks therefore does not block people elsewhere.
   */
  ceiling: 120,
  reserved: 6,
  within: 60_000,
  pause: 60_000,
  /** Counts kept for each size of network, about 200 bytes each. */
  remembered: 10_000,
  /** Networks of one caller from which its token was accepted. */
  provenNetworks: 256,
} as const;

export type GuessLimits = { readonly [Name in keyof typeof guessLimits]: number };

/** Secrets of one kind share a count, because every try is compared with all of them. */
export type SecretKind = "token" | "approver" | "ingest";

/** Weight of one failure. Approver secrets count double: a person rarely mistypes five times. */
const weights: Readonly<Record<SecretKind, number>> = { token: 1, approver: 2, ingest: 1 };

/** A source of tries: an address, or a browser whose signed cookie proves an earlier sign-in. */
export type Guesser = { address: string } | { browser: string };

/** Counts wrong secrets by network and in total, and delays further tries. */
export interface GuessLimit {
  /** Returns the seconds until the next permitted try, or undefined if it is permitted now. */
  waitSeconds(guesser: Guesser, kind: SecretKind): number | undefined;
  failed(guesser: Guesser, kind: SecretKind): void;
  /** Records that this caller's token was accepted from the address. */
  succeeded(address: string, caller: string): void;
  /**
   * Returns whether this caller's token was accepted from this address before. Failures of others do not affect this.
   */
  hasSucceeded(address: string, caller: string): boolean;
}

interface Count {
  failures: number;
  since: number;
  pausedUntil: number;
}

/**
 * Creates one limit for all secrets of a process.
 * @param now a monotonic clock in milliseconds
 */
export function createGuessLimit(now: () => number, limits: GuessLimits = guessLimits): GuessLimit {
  const tables = {
    narrow: new Map<string, Count>(),
    wide: new Map<string, Count>(),
    region: new Map<string, Count>(),
    browser: new Map<string, Count>(),
    ceiling: new Map<string, Count>(),
  };
  type Size = keyof typeof tables;
  const proven = new Map<string, Set<string>>();

  function countsOf(guesser: Guesser, kind: SecretKind): [Size, string][] {
    if ("browser" in guesser) return [["browser", guesser.browser]];
    const { narrow, wide, region } = networksOf(guesser.address);
    return [
      ["narrow", narrow],
      ["wide", wide],
      ["region", region],
      ["ceiling", kind],
    ];
  }

  const isOver = ({ since, pausedUntil }: Count): boolean =>
    pausedUntil <= now() && now() - since > limits.within;

  function find(size: Size, key: string): Count | undefined {
    const known = tables[size].get(key);
    return known === undefined || isOver(known) ? undefined : known;
  }

  /** Drops a tenth of a full table at once, because each search reads all of it. */
  function makeRoom(table: Map<string, Count>): void {
    if (table.size < limits.remembered) return;
    for (const [key, count] of table) if (isOver(count)) table.delete(key);
    const surplus = table.size - Math.floor(limits.remembered * 0.9);
    if (surplus <= 0) return;
    // The counts with the fewest failures are dropped, so that filling the table does not help an attacker.
    const harmless = [...table]
      .filter(([, { pausedUntil }]) => pausedUntil <= now())
      .toSorted(([, one], [, other]) => one.failures - other.failures)
      .map(([key]) => key);
    const dropped =
      harmless.length > 0 ? harmless.slice(0, surplus) : [...table.keys()].slice(0, 1);
    for (const key of dropped) table.delete(key);
  }

  function add(size: Size, key: string, weight: number): void {
    let count = find(size, key);
    if (count === undefined) {
      tables[size].delete(key);
      makeRoom(tables[size]);
      count = { failures: 0, since: now(), pausedUntil: 0 };
      tables[size].set(key, count);
    }
    count.failures += weight;
    if (count.failures >= limits[size]) count.pausedUntil = now() + limits.pause;
  }

  return {
    waitSeconds: (guesser, kind) => {
      const paused = countsOf(guesser, kind).map(([size, key]) => {
        const count = find(size, key);
        return { size, failures: count?.failures ?? 0, until: count?.pausedUntil ?? 0 };
      });
      const failedNearby = paused.find(({ size }) => size === "region")?.failures ?? 0;
      const until = paused
        .filter(({ size }) => size !== "ceiling" || failedNearby >= limits.reserved)
        .map((each) => each.until);
      const waitMs = Math.max(...until) - now();
      return waitMs > 0 ? Math.ceil(waitMs / 1000) : undefined;
    },
    failed: (guesser, kind) => {
      for (const [size, key] of countsOf(guesser, kind)) add(size, key, weights[kind]);
    },
    succeeded: (address, caller) => {
      const networks = proven.get(caller) ?? new Set();
      proven.set(caller, networks);
      const { narrow } = networksOf(address);
      // A set keeps insertion order, so adding the network again makes it the newest.
      networks.delete(narrow);
      networks.add(narrow);
      const [oldest] = networks;
      if (networks.size > limits.provenNetworks && oldest !== undefined) networks.delete(oldest);
    },
    hasSucceeded: (address, caller) => proven.get(caller)?.has(networksOf(address).narrow) === true,
  };
}
