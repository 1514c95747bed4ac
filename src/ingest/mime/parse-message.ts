import { codesOfName } from "../codes/code-names.ts";
import { hideCodes, hideValues } from "../codes/hide-codes.ts";
import { decodedText } from "./charset.ts";
import { attachmentKind, bytesRead } from "../text/attachment-kind.ts";
import { extractForward, extractSummary } from "../summary/extract-summary.ts";
import { calendarFacts } from "../text/calendar-facts.ts";
import { attachedMark, isForwardSubject, isReplySubject } from "../text/forward-words.ts";
import { type Forwarded, forwardedIn, isRenamedForward, partForward } from "../text/forwarded.ts";
import {
  type Envelope,
  envelopeOf,
  type Headers,
  scanHeaders,
  withLineFeeds,
  withoutBlankTop,
  zoneOf,
} from "./headers.ts";
import { invisibleNote, notedHtmlText } from "../html/html-text.ts";
import { mailLimits } from "../pipeline/limits.ts";
import { listAttachments, type ParsedAttachment } from "./list-attachments.ts";
import { withEndedHead } from "./message-head.ts";
import { opaqueNotes } from "./opaque-parts.ts";
import { outlookMessage } from "../text/tnef-content.ts";
import { decodedPage } from "./page-charset.ts";
import { rtfText } from "../text/rtf-text.ts";
import { historyMark, partHistory } from "../text/quoted-history.ts";
import { type Mime, type MimePart, readMime } from "./read-mime.ts";
import { type RicherText, richerText } from "../text/readable-text.ts";
import { boundedUtf8, tidy } from "../text/tidy-text.ts";
import { formatAddress } from "../../core/shared/text/mail-address.ts";

export interface ParsedMail {
  envelope: Envelope;
  /** The message that it forwards. Whether its sender may name the original sender is decided elsewhere. */
  forwarded?: Forwarded;
  /** UTF-8, at most `mailLimits.textBytes` and a note. */
  text: Uint8Array;
  /** The summary until a model has written one. */
  extract: string;
  attachments: ParsedAttachment[];
  /** True if the text part and the HTML part differ. The text is then that of the HTML part, if it has words. */
  partsDiffer?: true;
  /** The sign-in codes that are hidden in subject and text. The raw message still contains them. */
  hidden?: { count: number; values: readonly string[] };
}

export interface ReadText {
  text: string;
  /** Bytes that were not decoded. */
  leftOut: number;
}

/** Types of machine-readable reports about a mail. They are short, and contain the reason for the mail. */
const reports = new Set([
  "message/delivery-status",
  "message/global-delivery-status",
  "message/disposition-notification",
  "message/global-disposition-notification",
  "message/feedback-report",
  "text/rfc822-headers",
  "message/global-headers",
]);

/**
 * Parses a message. Runs in a worker.
 * @param hidesCodes replaces sign-in codes and reset links in every text that is returned
 * @throws if the parser's own limits are exceeded
 */
export async function parseMessage(
  given: Uint8Array,
  receivedAt: Date,
  hidesCodes = false,
): Promise<ParsedMail> {
  const message = withEndedHead(withoutBlankTop(withLineFeeds(given)));
  const headers = scanHeaders(message);
  const envelope = envelopeOf(headers, receivedAt);
  const mime = readMime(message);
  const own = richerText(mime.text, mime.html);
  const forwarded = forwardedBy(own.text, mime, headers, envelope, receivedAt);
  const isForward = forwarded !== undefined || isForwardSubject(envelope.subject);
  const { text, leftOut } = await readableText(
    own,
    mime,
    message,
    mailLimits.attachedMessages,
    isForward,
  );
  const parsed: ParsedMail = {
    envelope,
    ...(forwarded !== undefined && { forwarded }),
    text: new Uint8Array(),
    extract: "",
    attachments: listAttachments(mime.parts),
    ...(own.partsDiffer && { partsDiffer: true }),
  };
  const shown = hidesCodes ? withoutCodes(parsed, text) : { ...parsed, readable: text };
  const { readable, ...rest } = shown;
  const passedOn = forwarded !== undefined || isRenamedForward(own.text, rest.envelope, receivedAt);
  const { extract, isOfPlainPart } = extractOf(readable, mime, rest.envelope.subject, passedOn);
  return {
    ...rest,
    text: boundedUtf8(readable, leftOut),
    // The plain text part was not searched. Codes of the readable text are hidden already.
    extract:
      hidesCodes && isOfPlainPart
        ? hideValues(hideCodes("", extract).text, rest.hidden?.values ?? [])
        : extract,
  };
}

function withoutCodes(parsed: ParsedMail, text: string): ParsedMail & { readable: string } {
  const { envelope, forwarded, attachments } = parsed;
  const found = hideCodes(envelope.subject, text);
  const { subject, text: readable } = found;
  const inName = codesOfName(envelope.from.name, text);
  const hidden = found.hidden + inName.length;
  if (hidden === 0) return { ...parsed, readable };
  const values = [...found.values, ...inName];
  const hide = (other: string): string => hideValues(other, values);
  const { name: sender, ...from } = envelope.from;
  return {
    ...parsed,
    readable,
    envelope: {
      ...envelope,
      subject,
      from: { ...from, ...(sender !== undefined && { name: hide(sender) }) },
    },
    ...(forwarded !== undefined && {
      forwarded: { ...forwarded, subject: hide(forwarded.subject) },
    }),
    attachments: attachments.map(({ name, ...one }) => ({
      ...one,
      ...(name !== undefined && { name: hide(name) }),
    })),
    hidden: { count: hidden, values },
  };
}

/** Extracts the summary. For a forward it begins with the forwarded message. */
function extractOf(
  text: string,
  mime: Mime,
  subject: string,
  isForwarded: boolean,
): { extract: string; isOfPlainPart: boolean } {
  // A report is about a returned message, which is attached.
  const passesOn = isForwarded && !mime.parts.some(({ mimeType }) => reports.has(mimeType));
  const asForward = passesOn && !isForwardSubject(subject) ? `Fwd: ${subject}` : subject;
  const ofText = partForward(text, asForward);
  const ofPlainPart =
    passesOn && ofText === undefined ? partForward(tidy(mime.text ?? ""), asForward) : undefined;
  const parted = ofText ?? ofPlainPart;
  return {
    extract: parted === undefined ? extractSummary(text) : extractForward(parted),
    isOfPlainPart: ofPlainPart !== undefined,
  };
}

/** Returns the forwarded message from the message's own text, or else the only attached message. */
function forwardedBy(
  own: string,
  mime: Mime,
  headers: Headers,
  { subject }: Envelope,
  receivedAt: Date,
): Forwarded | undefined {
  const forwarder = { subject, zone: zoneOf(headers.get("date")?.[0]), receivedAt };
  const plain = tidy((mime.text ?? "").slice(0, mailLimits.forwardCharacters));
  const typed = forwardedIn(plain, forwarder) ?? forwardedIn(own, forwarder);
  if (typed !== undefined || isReplySubject(subject)) return typed;
  const [attached, ...others] = mime.parts.filter(isMessage);
  // Several attached messages are a collection, not a forward.
  if (attached === undefined || others.length > 0) return undefined;
  const inner = envelopeOf(scanHeaders(attached.content()), receivedAt);
  const { source: _source, ...from } = inner.from;
  return from.address === "" && from.name === undefined
    ? undefined
    : { from, subject: inner.subject, date: inner.date };
}

/** Joins new text, notes and attachments' texts, then the quoted history. */
async function readableText(
  own: RicherText,
  mime: Mime,
  message: Uint8Array,
  messagesLeft: number,
  isForward: boolean,
): Promise<ReadText> {
  // Forwarded text is the content of the message and not history.
  const said = own.text.trim() === "" ? outlookText(mime) : own.text;
  const { fresh, history } = isForward ? { fresh: said, history: "" } : partHistory(said);
  const unseen = own.isUnseen === true ? unseenNote : "";
  const sections = [fresh, unseen, invisibleNote(own), ...opaqueNotes(own.text, mime.parts)];
  let left = messagesLeft;
  let notShown = 0;
  let leftOut = mime.leftOut[own.from];
  for (const part of mime.parts) {
    const { mimeType, charset } = part;
    if (reports.has(mimeType)) {
      const beginning = beginningOf(part.content());
      sections.push(tidy(decodedText(beginning.bytes, charset)));
      leftOut += beginning.leftOut;
    } else if (mimeType === "text/calendar") {
      sections.push(tidy(calendarFacts(decodedText(beginningOf(part.content()).bytes)) ?? ""));
    } else if (isMessage(part) && (left === 0 || lengthOf(sections) >= mailLimits.textBytes)) {
      notShown += 1;
    } else if (isMessage(part)) {
      left -= 1;
      const attached = await messageText(part.content(), left);
      sections.push(attached.text);
      leftOut += attached.leftOut;
    }
  }
  if (notShown > 0) sections.push(notShownNote(notShown));
  if (history !== "") sections.push(`${historyMark}\n\n${history}`);
  const text = sections.filter((section) => section !== "").join("\n\n");
  return text === "" ? lastResort(mime, message) : { text, leftOut };
}

/** Returns the message that Outlook packed into an attachment, if it has no other text. */
function outlookText({ parts }: Mime): string {
  const packed = parts.find(({ mimeType, name }) => attachmentKind(mimeType, name) === "tnef");
  if (packed === undefined) return "";
  return tidy(outlookMessage(packed.content().subarray(0, bytesRead("tnef"))));
}

const unseenNote =
  "[The page of this message has no words. The text above is its text part, which mail programs do not show.]";

function lengthOf(sections: readonly string[]): number {
  return sections.reduce((sum, { length }) => sum + length, 0);
}

function notShownNote(messages: number): string {
  return messages === 1
    ? "[1 more attached message is not shown here.]"
    : `[${messages} more attached messages are not shown here.]`;
}

function beginningOf(content: Uint8Array): { bytes: Uint8Array; leftOut: number } {
  const bytes = content.subarray(0, bytesRead("plain"));
  return { bytes, leftOut: content.length - bytes.length };
}

function isMessage({ mimeType, name }: MimePart): boolean {
  return attachmentKind(mimeType, name) === "message";
}

/** Returns the text of an attached message, for search and reading. Its own attachments are included. */
export async function messageText(
  given: Uint8Array,
  messagesLeft: number = mailLimits.attachedMessages,
): Promise<ReadText> {
  const content = withEndedHead(withoutBlankTop(given));
  const { subject, from, date } = envelopeOf(scanHeaders(content), new Date());
  const lines = [
    attachedMark,
    from.address === "" ? "" : `From: ${formatAddress(from)}`,
    date === undefined ? "" : `Date: ${date.toISOString()}`,
    subject === "" ? "" : `Subject: ${subject}`,
  ];
  let read: ReadText;
  try {
    const mime = readMime(content);
    const own = richerText(mime.text, mime.html);
    read = await readableText(own, mime, content, messagesLeft, isForwardSubject(subject));
  } catch {
    read = { text: "", leftOut: 0 };
  }
  const head = lines.filter((line) => line !== "").join("\n");
  return { ...read, text: `${head}\n\n${read.text}`.trim() };
}

/**
 * Finds text in a message without a body: a text part that is not marked as the body, or the bytes after the headers.
 */
function lastResort({ parts }: Mime, message: Uint8Array): ReadText {
  const other = parts.find(({ mimeType }) => isText(mimeType));
  if (other !== undefined) {
    const { bytes, leftOut } = beginningOf(other.content());
    const isRtf = Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "{\\rtf";
    if (isRtf) return { text: tidy(rtfText(bytes)), leftOut };
    if (other.mimeType === "text/html")
      return { text: tidy(notedHtmlText(decodedPage(bytes, other.charset))), leftOut };
    return { text: tidy(decodedText(bytes, other.charset)), leftOut };
  }
  if (parts.length > 0) return nothing;
  const { bytes, leftOut } = beginningOf(bodyOf(message));
  const text = tidy(decodedText(bytes));
  // The delimiter lines between empty parts are not text.
  return text.split("\n").every((line) => line.trim() === "" || /^--|^content-/i.test(line))
    ? nothing
    : { text, leftOut };
}

const nothing: ReadText = { text: "", leftOut: 0 };

/** Returns whether a type is text. RFC 2045 5.2: an invalid type is plain text. */
function isText(mimeType: string): boolean {
  return mimeType.startsWith("text/") || !mimeType.includes("/");
}

/** Returns the bytes after the first empty line, or else after the last line that looks like a header. */
function bodyOf(message: Uint8Array): Uint8Array {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  const ends = [bytes.indexOf("\r\n\r\n"), bytes.indexOf("\n\n")].filter((at) => at !== -1);
  if (ends.length > 0) return bytes.subarray(Math.min(...ends)).subarray(2);
  let start = 0;
  while (start < bytes.length) {
    const lf = bytes.indexOf(0x0a, start);
    const line = bytes.subarray(start, lf === -1 ? bytes.length : lf).toString("latin1");
    if (!/^(?:[!-9;-~]+:|[ \t]|From )/.test(line)) break;
    if (lf === -1) return bytes.subarray(bytes.length);
    start = lf + 1;
  }
  return bytes.subarray(start);
}
