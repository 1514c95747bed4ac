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
   * Updates the index from the files, within a time limit, and searches it. The best hits come first, or the newest for
   * a query without words.
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
