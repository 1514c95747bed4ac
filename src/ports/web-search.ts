/** Search of the public web. */
export interface WebSearch {
  /** Tries the connection; throws what is wrong with it. */
  check(): Promise<void>;
}
