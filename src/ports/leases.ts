/** The role of PRODUCT section 4: pull intakes, later steps, polling. One process at a time has it. */
export const residentRole = "resident";

/** Roles that one process at a time may hold, by the database's clock. Errors: `unavailable`. */
export interface Leases {
  /** Takes a role that is free, or renews one that `holder` has; false where another has it. */
  take(role: string, holder: string, forMs: number): Promise<boolean>;
  /** Does nothing where another has it by now. */
  giveBack(role: string, holder: string): Promise<void>;
  isHeld(role: string): Promise<boolean>;
}
