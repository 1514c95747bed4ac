/** Who a message says it is from. `forwarded`: an owner forwarded it by hand and says so. */
export interface Sender {
  name?: string;
  /** Empty where the message names nobody. */
  address: string;
  source: "header" | "forwarded";
}

export interface MailPerson {
  name?: string;
  address: string;
}

/**
 * What the domain of a message's author says of it. Methods in words of RFC 8601, absent where they could not be tried.
 * `aligned`: the domain vouches for it. `failed`: its DMARC check failed. `unverified`: nobody can say.
 */
export interface Authentication {
  spf?: string;
  dkim?: string;
  dmarc?: string;
  from: "aligned" | "unverified" | "failed";
}

export interface MailSearch {
  /** Words, "phrases" and what Gmail calls operators, with OR and brackets; the last word may be a beginning. Empty: the newest. */
  query?: string;
  /** Part of the sender's address or name, in any case. */
  from?: string;
  /** Messages dated at or after this. */
  after?: Date;
  /** Messages dated earlier than this. */
  before?: Date;
  hasAttachment?: boolean;
  limit: number;
  cursor?: string;
}

export interface MailHit {
  emailId: string;
  from: Sender;
  subject: string;
  date: Date;
  summary: string;
  summarySource: "model" | "extract";
  snippet?: string;
  /** The first attachment whose text has words that were searched; without a hit in the mail's own text the snippet is of it. */
  foundIn?: Pick<MailAttachment, "attachmentId" | "name">;
  attachmentCount: number;
}

export interface MailSearchResult {
  hits: readonly MailHit[];
  total: number;
  totalIsLowerBound: boolean;
  /** When the newest message that can be found arrived. */
  newest: Date | undefined;
  /** Messages that have arrived and cannot be found yet. */
  pending: number;
  nextCursor: string | undefined;
  /** Sentences of ours about what in the query was not understood as it was meant. */
  notices?: readonly string[];
}

export interface MailAttachment {
  attachmentId: string;
  name?: string;
  mediaType: string;
  bytes: number;
}

export interface MailMessage {
  emailId: string;
  from: Sender;
  to: readonly MailPerson[];
  cc: readonly MailPerson[];
  subject: string;
  date: Date;
  forwardedBy?: MailPerson;
  /** Of who sent it here: where it was forwarded, of the forwarder. Absent where it came before there was such a check. */
  authentication?: Authentication;
  attachments: readonly MailAttachment[];
  /** Its text part and its page say different things: the text is the page's, which people see. */
  partsDiffer?: true;
  /** A window of the readable text, in bytes of its UTF-8 form. */
  text: { window: Uint8Array; totalBytes: number };
}

export interface AttachmentPage {
  name?: string;
  mediaType: string;
  /** True where the window is of the text read out of the attachment; false where it is of its own bytes. */
  isText: boolean;
  window: Uint8Array;
  totalBytes: number;
}

/** The mail that was forwarded to this instance, for reading. Errors: `not_found`, `invalid_input` (cursor), `unavailable`. */
export interface MailReader {
  search(search: MailSearch): Promise<MailSearchResult>;
  /** `length` bytes of the readable text from `offset`; `unavailable` while a message has no text yet. */
  read(emailId: string, window: { offset: number; length: number }): Promise<MailMessage>;
  /** `length` bytes from `offset` of the attachment's text, or of the attachment itself where it has none. */
  readAttachment(
    emailId: string,
    attachmentId: string,
    window: { offset: number; length: number },
  ): Promise<AttachmentPage>;
}
