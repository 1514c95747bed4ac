import type { Log } from "../../core/shared/log.ts";
import type { OAuthStore } from "../../ports/people/oauth-store.ts";

/** How often a busy client's last call is written. Milliseconds. */
const everyMs = 60_000;
const maxGrants = 1_000;

/**
 * Creates the record of last calls. It is written in the background, because no call should wait for it.
 * @param elapsed milliseconds
 */
export function createLastSeen(
  store: Pick<OAuthStore, "markSeen">,
  log: Log,
  elapsed: () => number,
): (grantId: unknown) => void {
  const written = new Map<string, number>();
  return (grantId) => {
    if (typeof grantId !== "string") return;
    const now = elapsed();
    if (now - (written.get(grantId) ?? -everyMs) < everyMs) return;
    if (written.size >= maxGrants) written.clear();
    written.set(grantId, now);
    store.markSeen(grantId).catch((cause: unknown) => {
      log.debug("writing the last call of a client failed", { cause });
    });
  };
}
