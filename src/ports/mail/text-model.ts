export interface TextRequest {
  /** Our own instructions to the model. */
  instructions: string;
  /** The input for the model: untrusted text, fenced. */
  text: string;
  /** The maximum length of the answer. */
  maxTokens: number;
}

/**
 * A language model that answers with text. One request per call, without retries. Errors: `auth` and `not_configured`
 * (no call will succeed), `rate_limited`, `timeout` and `unavailable` (a later call may succeed), `invalid_input` and
 * `internal` (this call will not succeed), `cancelled`.
 */
export interface TextModel {
  write(request: TextRequest, options?: { signal?: AbortSignal }): Promise<string>;
  check(): Promise<void>;
}
