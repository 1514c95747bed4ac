import type { ChainRow } from "./audit-chain.ts";
import type { AuditSeal } from "./audit-seal.ts";

export interface EventFilter {
  /** From this time on, and before that one. */
  since?: Date;
  until?: Date;
  tool?: string;
  principal?: string;
}

/** The audit log for who looks at all of it, and for who may shorten it. */
export interface AuditReader {
  /** Every row, oldest first, whatever its number. */
  rows(filter?: EventFilter): AsyncGenerator<ChainRow>;
  /** The MAC of an event; undefined where there is none of that number. */
  macOf(seq: number): Promise<string | undefined>;
  checkpoint(): Promise<AuditSeal | undefined>;
  /** The number of the oldest event that is not older than this; undefined where all are. */
  firstSince(time: Date): Promise<number | undefined>;
  /** Removes all events up to the checkpoint's and keeps it instead; nothing where its event is not there. */
  removeUpTo(checkpoint: AuditSeal): Promise<number>;
}
