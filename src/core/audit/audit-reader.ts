import type { ChainRow } from "./audit-chain.ts";
import type { SignedPlace } from "./signed-place.ts";

export interface EventFilter {
  /** Start, inclusive. `until` is exclusive. */
  since?: Date;
  until?: Date;
  tool?: string;
  principal?: string;
}

/** Read access to the audit record for the `audit` commands, and its shortening. */
export interface AuditReader {
  /** Yields every row, oldest first, including rows with invalid numbers. */
  rows(filter?: EventFilter): AsyncGenerator<ChainRow>;
  /** Returns the MAC of an event, or undefined if the number does not exist. */
  macOf(seq: number): Promise<string | undefined>;
  checkpoint(): Promise<SignedPlace | undefined>;
  /** Returns the number of the oldest event since this time, or undefined if all are older. */
  firstSince(time: Date): Promise<number | undefined>;
  /** Replaces the checkpoint's event and all earlier ones by the checkpoint. Does nothing if that event is missing. */
  removeUpTo(checkpoint: SignedPlace): Promise<number>;
}
