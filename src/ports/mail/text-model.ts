export interface TextRequest {
  /** Our own instructions to the model. */
  instructions: string;
  /** The input for the model: text from strangers, fenced. */
  text: string;
  /** The longest answer. */
  maxTokens: number;
}

/**
 * A language model that answers with text. One request per call, without retries. Errors: `auth` and `not_configured`
 * (no call will succeed), `rate_limited`, `timeout` and `unavailable` (a later one may), `invalid_input` and `internal`
 * (this one will not), `cancelled`.
 */
export interface TextModel {
  write(request: TextRequest, options?: { signal?: AbortSignal }): Promise<string>;
  check(): Promise<void>;
}
