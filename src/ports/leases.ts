/** The lease of the leader: the one process that fetches mail, runs later steps and polls Telegram. */
export const leaderRole = "leader";

/** Leases, each held by one process at a time, by the database's clock. Errors: `unavailable`. */
export interface Leases {
  /** Takes a free lease, or renews one of `holder`. Returns false if another process holds it. */
  take(role: string, holder: string, forMs: number): Promise<boolean>;
  /** Does nothing if another process holds it now. */
  release(role: string, holder: string): Promise<void>;
  isHeld(role: string): Promise<boolean>;
}
