/** The sender of a message. `forwarded`: named by an owner who forwarded the message. */
export interface Sender {
  name?: string;
  /** Empty if the message names no sender. */
  address: string;
  source: "header" | "forwarded";
}

export interface MailPerson {
  name?: string;
  address: string;
}

/**
 * The authentication of a message by its author's domain, with the result words of RFC 8601. A method that could not be
 * checked is absent. `aligned`: the domain authenticates it. `failed`: its DMARC check failed. `unverified`: unknown.
 */
export interface Authentication {
  spf?: string;
  dkim?: string;
  dmarc?: string;
  from: "aligned" | "unverified" | "failed";
}

export interface MailSearch {
  /**
   * Words, "phrases" and Gmail's operators, with OR and brackets. The last word is also matched as a prefix. Empty: the
   * newest messages.
   */
  query?: string;
  /** A part of the sender's address or name, ignoring case. */
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
  /**
   * The first attachment whose text contains searched words. The snippet is from it if the mail's own text contains
   * none.
   */
  foundIn?: Pick<MailAttachment, "attachmentId" | "name">;
  attachmentCount: number;
}

export interface MailSearchResult {
  hits: readonly MailHit[];
  total: number;
  totalIsLowerBound: boolean;
  /** The arrival of the newest searchable message. */
  newest: Date | undefined;
  /** Messages that have arrived and are not yet searchable. */
  pending: number;
  nextCursor: string | undefined;
  /** Our own sentences about unsupported parts of the query. */
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
  /**
   * About the sender of this message. For a forwarded message, that is the forwarder. Absent for mail that was not
   * checked.
   */
  authentication?: Authentication;
  attachments: readonly MailAttachment[];
  /** The text part and the HTML part differ. The readable text is that of the HTML part, which people see. */
  partsDiffer?: true;
  /** Sign-in codes that subject and text do not show. */
  hidden?: number;
  /** A window of the readable text, in bytes of its UTF-8 form. */
  text: { window: Uint8Array; totalBytes: number };
}

export interface AttachmentPage {
  name?: string;
  mediaType: string;
  /** True if the window is from the attachment's extracted text, false if it is from its own bytes. */
  isText: boolean;
  window: Uint8Array;
  totalBytes: number;
}

/**
 * The mail that was forwarded to this instance, for reading. Errors: `not_found`, `invalid_input` (cursor),
 * `unavailable`.
 */
export interface MailReader {
  search(search: MailSearch): Promise<MailSearchResult>;
  /**
   * Returns `length` bytes of the readable text from `offset`.
   * @throws {ToolError} `unavailable` while a message has no text yet
   */
  read(emailId: string, window: { offset: number; length: number }): Promise<MailMessage>;
  /** Returns `length` bytes from `offset` of the attachment's text, or of the attachment itself if it has none. */
  readAttachment(
    emailId: string,
    attachmentId: string,
    window: { offset: number; length: number },
  ): Promise<AttachmentPage>;
}
