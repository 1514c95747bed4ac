import { revocationWithinMs } from "../../../ports/people/oauth-store.ts";

/** Limit on remembered tokens, more than there are clients that are active within a second. */
const maxEntries = 1_000;

type Payload = Record<string, unknown>;

/** Remembers granted tokens for a moment, so that a busy client does not cause a database read for each call. */
export interface GrantedCache {
  find(key: string, read: () => Promise<Payload | undefined>): Promise<Payload | undefined>;
  /** Forgets every token. Called after each removal by this process. */
  clear(): void;
}

/**
 * Creates an empty cache of granted tokens.
 * @param now milliseconds
 */
export function createGrantedCache(now: () => number): GrantedCache {
  const known = new Map<string, { payload: Payload; until: number }>();
  let removals = 0;
  return {
    find: async (key, read) => {
      const asked = now();
      const entry = known.get(key);
      if (entry !== undefined && asked < entry.until) return entry.payload;
      const before = removals;
      const payload = await read();
      known.delete(key);
      // A removal during the read may have ended this token.
      if (payload !== undefined && removals === before) {
        if (known.size >= maxEntries) known.clear();
        known.set(key, { payload, until: asked + revocationWithinMs });
      }
      return payload;
    },
    clear: () => {
      removals += 1;
      known.clear();
    },
  };
}
