/** The days whose digest a chat has. Errors: `unavailable`. */
export interface DigestDays {
  /** Claims a day. Returns false if it was claimed before, by any process. */
  take(chatId: string, day: string): Promise<boolean>;
  /** Makes a day due again, because its digest was certainly not sent. */
  release(chatId: string, day: string): Promise<void>;
}
