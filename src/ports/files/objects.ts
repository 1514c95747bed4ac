/** What is known of a stored object without reading it. */
export interface ObjectFacts {
  key: string;
  bytes: number;
  /** Opaque version: changes with every write, also one of the same bytes. */
  etag: string;
  mediaType: string;
  modifiedAt: Date;
}

/** What must hold at the store, at the moment of the write. Unmet: `conflict`, and nothing was done. */
export type WriteCondition = { is: "absent" } | { is: "unchanged"; etag: string };

export interface ObjectRead {
  facts: ObjectFacts;
  /** The bytes from `offset`, at most `length` of them. */
  body: Uint8Array;
}

export interface ObjectList {
  objects: readonly ObjectFacts[];
  /** Pass it as `after` for what follows; undefined at the end. */
  next: string | undefined;
}

/**
 * A flat store of immutable versions under keys: S3, or a libSQL file of our own. Every write is whole or not there at all,
 * and durable when it resolves. Errors: `conflict`, `too_large`, `auth`, `not_configured`, `rate_limited`, `unavailable`,
 * `timeout`, `cancelled`; with side effects `unknown` where an answer was lost and nobody can tell whether it was done.
 */
export interface ObjectStore {
  put(
    key: string,
    body: Uint8Array,
    /** `canWait`: it may wait some milliseconds for others, where that makes them cheaper together. */
    options: { mediaType: string; when?: WriteCondition; signal?: AbortSignal; canWait?: boolean },
  ): Promise<ObjectFacts>;
  head(key: string, options?: { signal?: AbortSignal }): Promise<ObjectFacts | undefined>;
  /**
   * The whole object, or a range of it. A range that starts beyond the end gives no bytes. A whole read of what we wrote is
   * compared with its digest (`unavailable` where it differs); a range cannot be, only its length is.
   */
  get(
    key: string,
    options?: { offset?: number; length?: number; signal?: AbortSignal },
  ): Promise<ObjectRead | undefined>;
  /** In the order of their keys' UTF-8 bytes, starting behind `after`. `limit`: 1 to 1000. */
  list(options: {
    prefix: string;
    after?: string;
    limit: number;
    signal?: AbortSignal;
  }): Promise<ObjectList>;
  /**
   * False where there was nothing. Where a store deletes without conditions (Ceph 16, for example), `when` is looked
   * at just before, which the log says once. `forGood`: its bytes are to leave the disk now, where that is the store's to do.
   */
  remove(
    key: string,
    options?: {
      when?: { is: "unchanged"; etag: string };
      signal?: AbortSignal;
      forGood?: boolean;
    },
  ): Promise<boolean>;
  /** Copies the bytes and the media type; `when` speaks of the source. Throws `not_found` where there is no source. */
  copy(
    from: string,
    to: string,
    options?: { when?: { is: "unchanged"; etag: string }; signal?: AbortSignal },
  ): Promise<ObjectFacts>;
  /** Tries the connection; throws what is wrong with it. */
  check(): Promise<void>;
}
