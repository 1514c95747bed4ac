/** Marks an object that the assistant wrote, with the mails that it had read before. */
export interface ObjectOrigin {
  writtenBy: "assistant";
  /** The ids of the mails whose text the assistant received in the hour before, the newest first. */
  emailIds: readonly string[];
}

/** Limit on the ids that are stored with one object. S3 limits the metadata of an object to 2 kB. */
export const mostOriginIds = 40;

/** The metadata of a stored object. */
export interface ObjectFacts {
  key: string;
  bytes: number;
  /** Opaque version. It changes with every write, even of the same bytes. */
  etag: string;
  mediaType: string;
  modifiedAt: Date;
  /** Undefined if the assistant did not write it. */
  origin?: ObjectOrigin;
}

/**
 * A condition that the store checks atomically with the write. If it is not met, the error is `conflict` and nothing
 * was done.
 */
export type WriteCondition = { kind: "absent" } | { kind: "unchanged"; etag: string };

export interface ObjectRead {
  facts: ObjectFacts;
  /** The bytes from `offset`, at most `length` of them. */
  body: Uint8Array;
}

export interface ObjectList {
  objects: readonly ObjectFacts[];
  /** Pass it as `after` for the next page. Undefined at the end. */
  next: string | undefined;
}

/**
 * A flat store of immutable versions under keys: S3, or an embedded libSQL file. Every write is atomic, and durable
 * when it resolves. Errors: `conflict`, `too_large`, `auth`, `not_configured`, `rate_limited`, `unavailable`,
 * `timeout`, `cancelled`. Side effects are `unknown` if the response to a write was lost.
 */
export interface ObjectStore {
  put(
    key: string,
    body: Uint8Array,
    /**
     * The write may be delayed by some milliseconds with `canWait`, to be committed with others. The object `within`
     * contains these bytes in another form, as a raw message contains an attachment. The embedded store then stores
     * only the difference.
     */
    options: {
      mediaType: string;
      origin?: ObjectOrigin | undefined;
      when?: WriteCondition;
      signal?: AbortSignal;
      canWait?: boolean;
      within?: { key: string; body: Uint8Array };
    },
  ): Promise<ObjectFacts>;
  head(key: string, options?: { signal?: AbortSignal }): Promise<ObjectFacts | undefined>;
  /**
   * Returns the whole object or a range of it. A range beyond the end is empty. A whole object that this server wrote
   * is compared with its digest (`unavailable` if it differs). For a range only the length is checked.
   */
  get(
    key: string,
    options?: { offset?: number; length?: number; signal?: AbortSignal },
  ): Promise<ObjectRead | undefined>;
  /**
   * Lists keys in the order of their UTF-8 bytes, after `after`.
   * @param limit 1 to 1000
   */
  list(options: {
    prefix: string;
    after?: string;
    limit: number;
    signal?: AbortSignal;
  }): Promise<ObjectList>;
  /**
   * Deletes an object. Returns false if it did not exist. If a store deletes without conditions (Ceph 16, for example),
   * `when` is checked just before, which is logged once.
   */
  remove(
    key: string,
    options?: {
      when?: { kind: "unchanged"; etag: string };
      signal?: AbortSignal;
    },
  ): Promise<boolean>;
  /** Removes the bytes of deleted objects from the store's own log, if it has one. */
  emptyLog(): Promise<void>;
  /**
   * Copies bytes, media type and origin. `when` is a condition on the source.
   * @throws {ToolError} `not_found` if the source does not exist
   */
  copy(
    from: string,
    to: string,
    options?: { when?: { kind: "unchanged"; etag: string }; signal?: AbortSignal },
  ): Promise<ObjectFacts>;
  /**
   * Tests the connection.
   * @throws {ToolError} with the problem
   */
  check(): Promise<void>;
}
