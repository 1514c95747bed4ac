import type { MailPerson, Sender } from "./mail-reader.ts";

/** One new mail for a notice. All fields are untrusted text. */
export interface MailNotice {
  from: Sender;
  forwardedBy?: MailPerson;
  subject: string;
  summary: string;
}

/** Mail of which people have not been notified. */
export interface MailNews {
  /** The newest of the mail that arrived, newest first. */
  newest: readonly MailNotice[];
  /** The numbers of messages that arrived, and of messages that a person imported. */
  arrived: number;
  imported: number;
  quarantined: number;
  /** The ids of these messages. */
  taken: { mailIds: readonly number[]; quarantineIds: readonly number[] };
}

/** Mail for notices. Errors: `unavailable`. */
export interface MailNotices {
  /** Returns the numbers of messages, each up to ten thousand. */
  waiting(): Promise<{ mails: number; quarantined: number }>;
  /** Takes all waiting messages, and returns at most this many of the newest. They count as notified from now on. */
  take(newest: number): Promise<MailNews>;
  /**
   * Returns the searchable mail that arrived since a time, notified or not. An imported message must also have been
   * sent since then.
   */
  arrivedSince(
    since: Date,
    newest: number,
  ): Promise<{ newest: readonly MailNotice[]; total: number }>;
  /** Makes messages wait again, after a notice that certainly was not sent. */
  release(taken: MailNews["taken"]): Promise<void>;
}
