export interface TextRequest {
  /** What the model is to do: ours. */
  instructions: string;
  /** What it is to do it with: a stranger's words, fenced. */
  text: string;
  /** The answer's length at most. */
  maxTokens: number;
}

/**
 * A language model that answers with a text. One request a call, never repeated by itself. Errors: `auth` and
 * `not_configured` (no call will work), `rate_limited`, `timeout` and `unavailable` (a later one may), `invalid_input` and
 * `internal` (this one will not), `cancelled`.
 */
export interface TextModel {
  write(request: TextRequest, options?: { signal?: AbortSignal }): Promise<string>;
  check(): Promise<void>;
}
