/** What one message may cost. Bytes, milliseconds, characters; none can be switched off. */
export const mailLimits = {
  /** Headers beyond this are not looked at: the largest real ones are a few hundred kB of recipients. */
  headerBytes: 256 * 1024,
  /** Blank lines before the first header; programs that leave some leave a few. */
  blankTopBytes: 1_024,
  /** Of a message that broke the parser: its headers are read beside everything else, where nothing may take long. */
  brokenHeaderBytes: 16 * 1024,
  /** Of a message that is not taken: who it is from and what about; also what it is known by. */
  refusedBytes: 64 * 1024,
  /** Lines that begin a header; a mail that went through twenty servers, each of which signed it, has two hundred. */
  headers: 2_000,
  /** A longer subject is cut: RFC 5322 lines end at 998. */
  subjectCharacters: 1_000,
  nameCharacters: 200,
  /** Of a header before its words are decoded: they are at most twelve times as long as what they say. */
  encodedCharacters: 12_000,
  /** Of one address header: what names more than 500 people is longer. */
  addressListCharacters: 100_000,
  /** A date with a comment or two; nobody writes a longer one. */
  dateCharacters: 500,
  /** RFC 5321 4.5.3.1: 64 for the local part, 255 for the domain. */
  addressCharacters: 320,
  /** Recipients that are kept; a mailing to more is a list in disguise. */
  recipients: 500,
  fileNameCharacters: 255,
  /** Parts that are kept as attachments; a mail with more is an attack on whoever counts them. */
  attachments: 1_000,
  /** Readable text, UTF-8: forty pages of what a client can take. What is cut stays in the raw message. */
  textBytes: 2_000_000,
  /** Read of a text, or of a page, which takes many times its size of memory: half as much again as is kept, for its tags. */
  untidiedBytes: 3_000_000,
  /** Parts open at a time: the parser gives up beyond this. */
  openParts: 256,
  contentTypeCharacters: 4_000,
  /** Texts up to here are looked at before the parser has them: whoever declares them wrongly writes short ones. */
  mendedBytes: 8_000_000,
  /** What is sent along and larger than this is decoded by ourselves: the parser takes six times its size for it. */
  asideBytes: 50_000,
  /** Of what stands behind a body in base64: a mailing list's few lines, a company's disclaimer. */
  footerBytes: 20_000,
  /** A part of at least so many bytes whose lines are on average shorter than that is given to the parser in long ones. */
  shortLinesBytes: 50_000,
  shortLine: 16,
  /** Elements within each other that the HTML parser gets to see: its time grows with the square of the depth. */
  openElements: 1_000,
  /** Elements of a page, at some 500 bytes of memory each: a table of 24 000 rows. */
  htmlElements: 120_000,
  /** Of a page's style sheets; a newsletter's have a tenth of it. Beyond these four the text says that it was not judged in full. */
  sheetCharacters: 300_000,
  styleRules: 10_000,
  /** Nobody's selector is a tenth as long. */
  selectorCharacters: 2_000,
  /** Looks at an element, its name or a relative for a selector, of all rules and elements: a quarter of a second. */
  selectorSteps: 2_000_000,
  /** A style attribute is a line; nobody writes a page of it. */
  styleCharacters: 4_000,
  /** Quotations within each other that keep their marks: each level writes every line again. */
  quoteDepth: 10,
  /** HTML deeper than this is nobody's layout and overflows a recursive converter's stack. */
  htmlDepth: 300,
  /** Messages inside of messages whose text is shown. */
  attachedMessages: 5,
  /** A provider's question is a page of text; it is read as it arrives, so it has to be small. */
  confirmationBytes: 100_000,
  /** How far down a forwarded message's head is looked for: whoever passes something on says so at the top. */
  forwardCharacters: 200_000,
  /** Lines that look like the beginning of a head and turn out to be none. */
  forwardTries: 200,
  /** A longer text is not searched for what it quotes: that would be cut off it anyway. */
  historyCharacters: 1_000_000,
  /** A head with many recipients, folded, is not longer. */
  forwardHeadLines: 80,
  /** Attachments of one message whose text is taken; the others are kept as they are. */
  readAttachments: 50,
  /** Text of all attachments of a message that is indexed, UTF-8: a book of 300 pages; more would be most of the index. */
  searchedAttachmentBytes: 500_000,
  /** Text of all attachments of one message together, UTF-8. What is cut stays in the raw message. */
  attachmentTextBytes: 6_000_000,
  /** A thread that is to end sooner is not worth its start, which takes half as long. Milliseconds. */
  leastAttachmentMs: 250,
  /** What a Word document may unpack to: text of a book, with all that Word writes around it. */
  unzippedBytes: 30_000_000,
  /** A PDF's fonts are worked through before its first word. */
  attachmentBaseMs: 5_000,
  summaryCharacters: 280,
  /** PRODUCT section 4 by way of issue E: 2 s up to 1 MB, growing to 20 s at 25 MB. */
  parseBaseMs: 2_000,
  parseMsPerMegabyte: 750,
  parseMaxMs: 20_000,
  /** 4 MB of HTML need about 60 MB, and the worst mail of 1 MB that we know, of 111 000 parts, 215 MB. */
  workerHeapMegabytes: 256,
  /** Where it may grow, what is thrown away stays there for long. */
  workerYoungMegabytes: 8,
  /** A thread that has read so much ends, and gives its memory back. */
  threadBytes: 8_000_000,
} as const;

/** How long a thread may work at parsing a message of this size, in milliseconds. */
export function parseDeadlineMs(bytes: number): number {
  const more = Math.max(0, bytes / 1_000_000 - 1) * mailLimits.parseMsPerMegabyte;
  return Math.min(mailLimits.parseMaxMs, Math.round(mailLimits.parseBaseMs + more));
}

/** How long it may work at the text of an attachment, or of all of one message, of this size, in milliseconds. */
export function attachmentDeadlineMs(bytes: number): number {
  return Math.min(
    mailLimits.parseMaxMs,
    mailLimits.attachmentBaseMs + Math.round((bytes / 1_000_000) * mailLimits.parseMsPerMegabyte),
  );
}
