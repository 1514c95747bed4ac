import type { MailPerson, Sender } from "./mail-reader.ts";

/** One new mail, as its sender wrote it: a stranger's word. */
export interface MailNotice {
  from: Sender;
  forwardedBy?: MailPerson;
  subject: string;
  summary: string;
}

/** What people have not been told of. */
export interface MailNews {
  /** The newest of those that came in by themselves, newest first. */
  newest: readonly MailNotice[];
  /** How many came in by themselves, and how many out of files that a person imported. */
  arrived: number;
  imported: number;
  quarantined: number;
  /** Names what was taken. */
  taken: { mailIds: readonly number[]; quarantineIds: readonly number[] };
}

/** Mail that people are to be told of. Errors: `unavailable`. */
export interface MailNotices {
  /** How much there is to tell, up to ten thousand of each. */
  waiting(): Promise<{ mails: number; quarantined: number }>;
  /** Takes what there is to tell, with so many of the newest: from now on it counts as told. */
  take(newest: number): Promise<MailNews>;
  /** It was surely not told: it waits again. */
  giveBack(taken: MailNews["taken"]): Promise<void>;
}
