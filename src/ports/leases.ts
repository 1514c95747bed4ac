/** The lease of the leader, which fetches mail, runs later steps and polls. One process at a time holds it. */
export const leaderRole = "leader";

/** Leases that one process at a time may hold, by the database's clock. Errors: `unavailable`. */
export interface Leases {
  /** Takes a free lease, or renews one of `holder`. Returns false if another process holds it. */
  take(role: string, holder: string, forMs: number): Promise<boolean>;
  /** Does nothing if another process holds it now. */
  release(role: string, holder: string): Promise<void>;
  isHeld(role: string): Promise<boolean>;
}
