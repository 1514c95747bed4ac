/** The days for which a chat has received a digest. Errors: `unavailable`. */
export interface DigestDays {
  /** Claims a day. Returns false if it was claimed before, by any process. */
  take(chatId: string, day: string): Promise<boolean>;
  /** Makes a day due again, after a digest that certainly was not sent. */
  release(chatId: string, day: string): Promise<void>;
}
