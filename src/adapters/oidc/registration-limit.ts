import { networksOf } from "../../core/network-limits/network.ts";
import type { OAuthStore } from "../../ports/people/oauth-store.ts";
import { lifetimes, mostClients, windowMs } from "./limits.ts";

/** Networks that are remembered. The oldest is forgotten first. */
const rememberedNetworks = 10_000;

/**
 * Returns whether one more client can be stored. If there are too many, removes the oldest client without a grant.
 * Otherwise a flood from many networks would lock out clients for a day. New clients are kept, because a person may be
 * about to decide.
 */
export async function hasRoom(store: OAuthStore): Promise<boolean> {
  if ((await store.countClients()) < mostClients) return true;
  return await store.removeUnusedClient(lifetimes.unusedClient - lifetimes.interaction);
}

/**
 * Creates a rate limit per network for requests without authentication that store a row.
 * @param now milliseconds of a clock that only goes forward
 * @param most requests of one network within `windowMs`
 * @returns a function that counts one request and returns the seconds to wait. Undefined if it is allowed
 */
export function createNetworkLimit(
  now: () => number,
  most: number,
): (sender: string) => number | undefined {
  const windows = new Map<string, { since: number; count: number }>();
  return (sender) => {
    const { wide } = networksOf(sender);
    const at = now();
    let window = windows.get(wide);
    if (window === undefined || at - window.since >= windowMs) {
      windows.delete(wide);
      window = { since: at, count: 0 };
      windows.set(wide, window);
      const [oldest] = windows.keys();
      if (windows.size > rememberedNetworks && oldest !== undefined) windows.delete(oldest);
    }
    window.count += 1;
    if (window.count <= most) return undefined;
    return Math.ceil((window.since + windowMs - at) / 1_000);
  };
}
