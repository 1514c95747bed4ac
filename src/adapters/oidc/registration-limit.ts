import { networksOf } from "../../core/network-limits/network.ts";
import type { OAuthStore } from "../../ports/people/oauth-store.ts";
import { lifetimes, mostClients, registrationWindowMs, registrationsPerNetwork } from "./limits.ts";

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
 * Creates the rate limit of registrations, which strangers may make.
 * @param now milliseconds of a clock that only goes forward
 * @returns a function that counts one registration and returns the seconds to wait. Undefined if it is allowed
 */
export function createRegistrationLimit(now: () => number): (sender: string) => number | undefined {
  const windows = new Map<string, { since: number; count: number }>();
  return (sender) => {
    const { wide } = networksOf(sender);
    const at = now();
    let window = windows.get(wide);
    if (window === undefined || at - window.since >= registrationWindowMs) {
      windows.delete(wide);
      window = { since: at, count: 0 };
      windows.set(wide, window);
      const [oldest] = windows.keys();
      if (windows.size > rememberedNetworks && oldest !== undefined) windows.delete(oldest);
    }
    window.count += 1;
    if (window.count <= registrationsPerNetwork) return undefined;
    return Math.ceil((window.since + registrationWindowMs - at) / 1_000);
  };
}
