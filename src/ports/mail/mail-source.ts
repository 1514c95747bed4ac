/** A message at its source. */
export interface WaitingMail {
  /** Unique at this source, also across connections. */
  id: string;
  /** The size that the source reports. */
  bytes: number;
  /** The location, for a person. */
  place: string;
}

/**
 * An open connection to a source from which mail is fetched and removed. Errors: `auth`, `not_configured`,
 * `rate_limited`, `unavailable`, `timeout`. After an error the connection is closed and opened again.
 */
export interface MailSource<Mail extends WaitingMail = WaitingMail> {
  /**
   * Returns some waiting messages, oldest first. Empty if none wait.
   * @param except ids to leave out
   */
  waiting(except: ReadonlySet<string>): Promise<readonly Mail[]>;
  /**
   * Returns the whole message. Undefined if it no longer exists.
   * @throws {ToolError} `too_large`
   */
  read(mail: Mail, maxBytes: number): Promise<Uint8Array | undefined>;
  /** Returns its first bytes, at most this many. Undefined if it no longer exists. */
  beginning(mail: Mail, bytes: number): Promise<Uint8Array | undefined>;
  /** Removes a message that is stored durably here. */
  markProcessed(mail: Mail): Promise<void>;
  /** Returns the location of rejected messages, for a person. */
  rejectFolder(mail: Mail): string;
  /** Rejects a message: moves it to the location of `rejectFolder`. */
  reject(mail: Mail): Promise<void>;
  /** Resolves when new mail may wait, or when the signal is aborted. */
  changed(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** A source that can be opened repeatedly. */
export interface MailPlace<Mail extends WaitingMail = WaitingMail> {
  intake: "imap" | "bucket";
  /** For a person. */
  name: string;
  open(signal: AbortSignal): Promise<MailSource<Mail>>;
}
