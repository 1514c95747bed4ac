import type { HttpLimits } from "./limits.ts";

/** Counts refused tokens by the address they come from, and pauses an address that goes on. */
export interface FailedAttempts {
  /** Seconds until this address is heard again; undefined where it need not wait. */
  waitSeconds(address: string, principal: string | undefined): number | undefined;
  failed(address: string): void;
  succeeded(address: string, principal: string): void;
}

interface Record {
  failures: number;
  since: number;
  pausedUntil: number;
  /** Who has shown a right token from here. */
  proven: Set<string>;
}

/**
 * While an address is paused even a right token is refused there, or guessing would go on unhindered. Only a caller that was
 * right before the pause goes on: on one machine, a client with an old token must not shut out the others.
 */
export function createFailedAttempts(limits: HttpLimits, now: () => number): FailedAttempts {
  const records = new Map<string, Record>();

  function recordOf(address: string): Record {
    const key = network(address);
    const known = records.get(key) ?? { failures: 0, since: 0, pausedUntil: 0, proven: new Set() };
    // A map keeps the order of insertion: putting it back makes this the newest.
    records.delete(key);
    records.set(key, known);
    const [oldest] = records.keys();
    if (records.size > limits.addresses && oldest !== undefined) records.delete(oldest);
    return known;
  }

  return {
    waitSeconds: (address, principal) => {
      const record = records.get(network(address));
      if (record === undefined || record.pausedUntil <= now()) return undefined;
      if (principal !== undefined && record.proven.has(principal)) return undefined;
      return Math.ceil((record.pausedUntil - now()) / 1000);
    },
    failed: (address) => {
      const record = recordOf(address);
      if (now() - record.since > limits.failedAttemptsWithin) {
        record.since = now();
        record.failures = 0;
      }
      record.failures += 1;
      if (record.failures < limits.failedAttempts) return;
      record.pausedUntil = now() + limits.pauseAfterFailures;
      record.failures = 0;
    },
    succeeded: (address, principal) => {
      const record = records.get(network(address));
      if (record?.proven.has(principal) === true) return;
      recordOf(address).proven.add(principal);
    },
  };
}

/** One household or machine has a whole IPv6 /64 to send from, and could use each address of it once. */
function network(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, "");
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.split("::");
  const first = head.split(":").filter((part) => part !== "");
  const last = (tail ?? "").split(":").filter((part) => part !== "");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  return [...first, ...Array<string>(zeros).fill("0"), ...last].slice(0, 4).join(":");
}
