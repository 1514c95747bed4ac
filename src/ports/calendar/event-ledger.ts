/** One event that the assistant was allowed to make. */
export interface LedgerEntry {
  uid: string;
  principal: string;
  /** What the UID was made from, besides the secret: an idempotency key or a random value. */
  seed: string;
  /** Digest of what was asked for: the same key with other facts is noticed. */
  digest: string;
  /** False between the request and its success: such an event may or may not exist. */
  confirmed: boolean;
}

/** Which events are the assistant's own: written before an event is made, confirmed after it. */
export interface EventLedger {
  find(uids: readonly string[]): Promise<readonly LedgerEntry[]>;
  /** Keeps what is there already. */
  record(entry: Omit<LedgerEntry, "confirmed">): Promise<void>;
  confirm(uid: string): Promise<void>;
  /** Forgets an entry that was never confirmed. */
  forget(uid: string): Promise<void>;
}
