/** The text of upstream results that did not fit into an answer. Each caller reads only their own. */
export interface KeptResults {
  /** Keeps a text, and returns its id. Older texts of the same caller are removed if there is no room. */
  keep(principal: string, text: Uint8Array): Promise<string>;
  /** Returns bytes of a text. Undefined if it expired, or if this caller has no text with this id. */
  read(
    principal: string,
    resultId: string,
    part: { offset: number; length: number; signal?: AbortSignal },
  ): Promise<{ body: Uint8Array; totalBytes: number } | undefined>;
}
