/** The sessions of the approval page that a person ended, shared by every replica. Errors: `unavailable`. */
export interface SignOuts {
  /** @param forSeconds how long the session could have lasted. After that it need not be remembered. */
  add(sessionId: string, forSeconds: number): Promise<void>;
  has(sessionId: string): Promise<boolean>;
}
