/** A record of the authorization server: a client, a grant, a code or a token. */
export interface OAuthRecord {
  /** `AccessToken`, `Grant`, `Client`, ... */
  model: string;
  /** The id, or its hash if the id is a secret. */
  id: string;
  payload: Record<string, unknown>;
  /** Undefined for records that belong to no grant. */
  grantId?: string | undefined;
  /** The second id of a session. */
  uid?: string | undefined;
  clientId?: string | undefined;
}

/** A client to which an approver gave access. */
export interface GrantedClient {
  clientId: string;
  /** The name that the client gave. Undefined if it gave none. */
  clientName: string | undefined;
  principal: string;
  /** The last call, to the minute. Undefined if there was none. */
  seenAt: Date | undefined;
  endsAt: Date;
}

/** How long another process may still accept a token after its revocation. Milliseconds. */
export const revocationWithinMs = 1_000;

/** The records of the authorization server, shared by every replica. */
export interface OAuthStore {
  /** Stores or replaces a record, which expires after `forSeconds`. */
  put(record: OAuthRecord, forSeconds: number): Promise<void>;
  /** Returns the payload of a record that has not expired. A used record has `consumed`, in seconds since 1970. */
  find(model: string, id: string): Promise<Record<string, unknown> | undefined>;
  /**
   * Finds a token whose grant still exists. A removal by this process takes effect immediately, and one by another
   * process within `revocationWithinMs`.
   */
  findGranted(model: string, id: string): Promise<Record<string, unknown> | undefined>;
  findByUid(model: string, uid: string): Promise<Record<string, unknown> | undefined>;
  /**
   * Marks a record as used. Returns false if it was used before or does not exist, so that only one of many replicas
   * succeeds.
   */
  consume(model: string, id: string): Promise<boolean>;
  remove(model: string, id: string): Promise<void>;
  /** Removes the codes and tokens of a grant. */
  removeTokens(grantId: string): Promise<void>;
  /** Extends a registration, but never shortens it. */
  keepClient(clientId: string, forSeconds: number): Promise<void>;
  /** Returns the number of registrations that have not expired. */
  countClients(): Promise<number>;
  /**
   * Removes the registration without a grant that expires first, if it expires within `seconds`. Returns false if there
   * is none.
   */
  removeUnusedClient(seconds: number): Promise<boolean>;
  /** Removes the records of a model that expire first, beyond this number. */
  keepNewest(model: string, most: number): Promise<void>;
  /** Records a call with a token of this grant. */
  markSeen(grantId: string): Promise<void>;
  /** Returns those of these grants that have not ended. */
  stillGranted(grantIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns one entry for each client and caller. */
  listGrants(): Promise<readonly GrantedClient[]>;
  /**
   * Removes a client with its grants and tokens. With a caller, removes only that caller's. Returns false if no client
   * has this id.
   */
  removeClient(clientId: string, principal?: string): Promise<boolean>;
  /** Removes expired records. */
  removeEnded(): Promise<void>;
}
