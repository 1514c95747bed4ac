/** A message that waits somewhere else. */
export interface WaitingMail {
  /** Never that of another message, also in a later connection to the same place. */
  id: string;
  /** As the other side tells it. */
  bytes: number;
  /** Where it lies, for a person. */
  place: string;
}

/**
 * An open connection to a place that mail is fetched from and that is emptied by it. Errors: `auth`, `not_configured`,
 * `rate_limited`, `unavailable`, `timeout`; the connection is then closed and opened again.
 */
export interface MailSource<Mail extends WaitingMail = WaitingMail> {
  /** Some of what waits, oldest first; empty where nothing does. `except`: ids that are not wanted now. */
  waiting(except: ReadonlySet<string>): Promise<readonly Mail[]>;
  /** The whole message; undefined where it is gone. Throws `too_large` where it is larger than allowed. */
  read(mail: Mail, maxBytes: number): Promise<Uint8Array | undefined>;
  /** Its first bytes, at most so many; undefined where it is gone. */
  beginning(mail: Mail, bytes: number): Promise<Uint8Array | undefined>;
  /** It is safe with us: it need not wait any more. */
  taken(mail: Mail): Promise<void>;
  /** Where it is put when it cannot be taken, for a person. */
  asideOf(mail: Mail): string;
  /** It cannot be taken: puts it where `asideOf` says. */
  setAside(mail: Mail): Promise<void>;
  /** Resolves when something new may wait, or the signal says so. */
  changed(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** A place that can be opened, again and again. */
export interface MailPlace<Mail extends WaitingMail = WaitingMail> {
  intake: "imap" | "bucket";
  /** For a person. */
  name: string;
  open(signal: AbortSignal): Promise<MailSource<Mail>>;
}
