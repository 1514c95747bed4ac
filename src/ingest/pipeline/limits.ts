/** Limits on the cost of one message. Bytes, milliseconds or characters. None can be switched off. */
export const mailLimits = {
  /** Headers beyond this size are ignored. The largest real ones have a few hundred kB of recipients. */
  headerBytes: 256 * 1024,
  /** Blank lines before the first header. Some programs write a few. */
  blankTopBytes: 1_024,
  /** The headers of a message that broke the parser. They are read in the main thread, which must not be blocked. */
  brokenHeaderBytes: 16 * 1024,
  /** The part of a rejected message that is read for its sender, subject and id. */
  rejectedBytes: 64 * 1024,
  /** Header lines. A mail that twenty servers relayed and signed has two hundred. */
  headers: 2_000,
  /** Longer subjects are cut. RFC 5322 limits a line to 998. */
  subjectCharacters: 1_000,
  nameCharacters: 200,
  /** A header before its encoded words are decoded. Encoded words are at most twelve times as long as their text. */
  encodedCharacters: 12_000,
  /** One address header, enough for 500 people. */
  addressListCharacters: 100_000,
  /** A list of authors. Real ones are shorter. */
  authorCharacters: 4_000,
  /** A date with one or two comments. Real dates are shorter. */
  dateCharacters: 500,
  /** RFC 5321 4.5.3.1: 64 for the local part, 255 for the domain. */
  addressCharacters: 320,
  /** Stored recipients. A mailing to more recipients also has a list address. */
  recipients: 500,
  fileNameCharacters: 255,
  /** Parts that are stored as attachments. A mail with more parts is an attack. */
  attachments: 1_000,
  /** Readable text in UTF-8: about sixty pages for a client. The raw message keeps the rest. */
  textBytes: 2_000_000,
  /**
   * Text or HTML that is read. It is half as much again as the text, because of tags. HTML takes many times its size in
   * memory.
   */
  untidiedBytes: 3_000_000,
  /** Nested parts. Deeper ones are not read. */
  openParts: 256,
  /** A Content-Type. Real boundaries have up to seventy characters, but some are thousands long. */
  contentTypeCharacters: 10_000,
  /** Larger calendar files keep their character set. */
  calendarBytes: 8_000_000,
  /** Larger attachments are transferred between threads instead of copied. */
  transferredBytes: 50_000,
  /** Text after a base64 body, such as the footer of a mailing list or a disclaimer. */
  footerBytes: 20_000,
  /** Nested elements that the HTML parser reads. Its time grows with the square of the depth. */
  openElements: 1_000,
  /** Elements of a page, each about 500 bytes of memory. This allows a table of 24 000 rows. */
  htmlElements: 120_000,
  /**
   * The style sheets of a page. A newsletter has a tenth of this. If one of these four limits is exceeded, the text
   * says so.
   */
  sheetCharacters: 300_000,
  styleRules: 10_000,
  /** One selector. Real ones are less than a tenth as long. */
  selectorCharacters: 2_000,
  /** Selectors of nested rules, with those around them. */
  nestedCharacters: 2_000_000,
  /** Comparisons of elements with selectors, over all rules and elements. They take about a quarter of a second. */
  selectorSteps: 2_000_000,
  /**
   * One style attribute. Real ones are one line long. All longer ones together may have as many characters as the style
   * sheets.
   */
  styleCharacters: 4_000,
  /** Nested quotations that keep their marks, because each level writes every line again. */
  quoteDepth: 10,
  /** Deeper HTML is not layout and would overflow the stack of a recursive converter. */
  htmlDepth: 300,
  /** Nested messages whose text is shown. */
  attachedMessages: 5,
  /** A provider's confirmation is a page of text. It is read on arrival, so it must be small. */
  confirmationBytes: 100_000,
  /** The part of a text that is searched for the head of a forwarded message. Mail programs write it near the top. */
  forwardCharacters: 200_000,
  /** Lines that are tried as the start of such a head. */
  forwardTries: 200,
  /** Quoted history is not searched in a longer text, because most of it will be cut. */
  historyCharacters: 1_000_000,
  /** The lines of a head with many folded recipients. */
  forwardHeadLines: 80,
  /** Attachments of one message whose text is extracted. The others are stored without text. */
  readAttachments: 50,
  /** Indexed text of all attachments of one message, UTF-8: a book of 300 pages. More would dominate the index. */
  searchedAttachmentBytes: 500_000,
  /** Text of all attachments of one message together, UTF-8. The raw message keeps the rest. */
  attachmentTextBytes: 6_000_000,
  /** Least time for which a thread is started, because the start takes half as long. Milliseconds. */
  leastAttachmentMs: 250,
  /** Unpacked size of a Word document: the text of a book with Word's markup. */
  unzippedBytes: 30_000_000,
  /** Files of one office document. A book of a hundred sheets or slides has three hundred. */
  officeFiles: 1_000,
  /** Pages of a PDF that are read. The time of each page grows with the number of all pages. */
  pdfPages: 2_000,
  /** Unpacked streams of a PDF that are in memory at once. Those of a drawn map have some ten million. */
  pdfBytes: 160_000_000,
  /** A PDF's fonts are processed before its first word. */
  attachmentBaseMs: 5_000,
  summaryCharacters: 280,
  /** The time limit is 2 s up to 1 MB, and grows to 20 s at 25 MB. */
  parseBaseMs: 2_000,
  parseMsPerMegabyte: 750,
  parseMaxMs: 20_000,
  /** 4 MB of HTML need about 60 MB. The worst known mail of 1 MB, with 111 000 parts, needs 215 MB. */
  workerHeapMegabytes: 256,
  /** A larger young generation of the heap would keep garbage for longer. */
  workerYoungMegabytes: 8,
  /** A thread that has read this many bytes is ended, to free its memory. */
  threadBytes: 8_000_000,
} as const;

/** Returns the CPU time that a thread may use to parse a message of this size, in milliseconds. */
export function parseDeadlineMs(bytes: number): number {
  const more = Math.max(0, bytes / 1_000_000 - 1) * mailLimits.parseMsPerMegabyte;
  return Math.min(mailLimits.parseMaxMs, Math.round(mailLimits.parseBaseMs + more));
}

/**
 * Returns the CPU time for the text of one attachment, or of all attachments of a message, in milliseconds.
 * @param bytes size of the attachment or of all attachments
 */
export function attachmentDeadlineMs(bytes: number): number {
  return Math.min(
    mailLimits.parseMaxMs,
    mailLimits.attachmentBaseMs + Math.round((bytes / 1_000_000) * mailLimits.parseMsPerMegabyte),
  );
}
