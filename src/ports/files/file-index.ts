export interface FileHit {
  key: string;
  bytes: number;
  modifiedAt: Date;
  /** The line around the first searched word. */
  snippet: string | undefined;
}

/** The words of the user's files. Errors: those of the object store, `unavailable`. */
export interface FileIndex {
  /**
   * Brings the index up to date with the files, as far as the time allows, and searches it. The best hits come first.
   * Without a word in the query, the newest do.
   */
  search(search: {
    /** The query language of mail. Empty: the newest files. */
    query: string;
    limit: number;
    offset: number;
    signal?: AbortSignal;
  }): Promise<{
    hits: readonly FileHit[];
    total: number;
    /** Changed files that are not searchable yet. */
    pending: number;
    /** Our own sentences about unsupported parts of the query. */
    notices: readonly string[];
  }>;
}
