/** One event that the assistant was allowed to create. */
export interface EventLedgerEntry {
  uid: string;
  principal: string;
  /** The input of the UID besides the secret: an idempotency key or a random value. */
  seed: string;
  /** Digest of the requested event. The same key with other facts is detected. */
  digest: string;
  /** False between the request and its success. Such an event may or may not exist. */
  confirmed: boolean;
}

/** The record of the assistant's own events: written before an event is created, confirmed after it. */
export interface EventLedger {
  find(uids: readonly string[]): Promise<readonly EventLedgerEntry[]>;
  /** Does nothing if the entry exists. */
  record(entry: Omit<EventLedgerEntry, "confirmed">): Promise<void>;
  confirm(uid: string): Promise<void>;
  /** Deletes an unconfirmed entry. */
  forget(uid: string): Promise<void>;
}
