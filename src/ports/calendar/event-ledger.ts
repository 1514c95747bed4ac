/** One event that the assistant was allowed to create. */
export interface EventLedgerEntry {
  uid: string;
  principal: string;
  /** The input from which the UID is computed, together with the secret: an idempotency key or a random value. */
  seed: string;
  /** Hash of the requested event, to detect the same key with another event. */
  digest: string;
  /** False until the server has confirmed the creation. Such an event may or may not exist. */
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
