/** The complete text of upstream results that were shortened. A caller can read only its own results. */
export interface KeptResults {
  /** Stores a text and returns its id. If space runs out, older texts of the same caller are removed. */
  keep(principal: string, text: Uint8Array): Promise<string>;
  /** Returns bytes of a text. Undefined if it expired, or if this caller has no text with this id. */
  read(
    principal: string,
    resultId: string,
    part: { offset: number; length: number; signal?: AbortSignal },
  ): Promise<{ body: Uint8Array; totalBytes: number } | undefined>;
}
