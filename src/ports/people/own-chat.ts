/**
 * The caller's own private chat. Errors: `not_configured` if the caller has none, `rate_limited`, and those of the
 * messenger.
 */
export interface OwnChat {
  /** Sends a text of the assistant, shown as such. */
  send(principal: string, text: string): Promise<void>;
}
