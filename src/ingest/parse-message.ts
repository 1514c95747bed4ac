import type { Person } from "../ports/mail-reader.ts";
import { decodedText } from "./charset.ts";
import { extractSummary } from "./extract-summary.ts";
import { calendarFacts } from "./calendar-facts.ts";
import { isForwardSubject, isReplySubject } from "./forward-words.ts";
import { type Forwarded, forwardedIn } from "./forwarded.ts";
import {
  type Envelope,
  envelopeOf,
  type Headers,
  scanHeaders,
  withLineFeeds,
  withoutBlankTop,
  zoneOf,
} from "./headers.ts";
import { type HtmlText, htmlText } from "./html-text.ts";
import { mailLimits } from "./limits.ts";
import { listAttachments, type ParsedAttachment } from "./list-attachments.ts";
import { opaqueNotes } from "./opaque-parts.ts";
import { historyMark, partHistory } from "./quoted-history.ts";
import { type Mime, type MimePart, readMime } from "./read-mime.ts";
import { boundedUtf8, richerText, tidy } from "./readable-text.ts";

export interface ParsedMail {
  envelope: Envelope;
  /** What it passes on, if anything; whether its sender may say so is decided elsewhere. */
  forwarded?: Forwarded;
  /** UTF-8, at most `mailLimits.textBytes` and a note. */
  text: Uint8Array;
  /** The summary that stands until a model has written one. */
  extract: string;
  attachments: ParsedAttachment[];
}

/** Reports about a mail that machines write for machines: short, and the reason why the mail was sent. */
const reports = new Set([
  "message/delivery-status",
  "message/global-delivery-status",
  "message/disposition-notification",
  "message/feedback-report",
  "text/rfc822-headers",
]);

/** Everything that is read out of one message. Throws where the parser's own limits are passed; runs in a worker. */
export async function parseMessage(given: Uint8Array, receivedAt: Date): Promise<ParsedMail> {
  const message = withoutBlankTop(withLineFeeds(given));
  const headers = scanHeaders(message);
  const envelope = envelopeOf(headers, receivedAt);
  const mime = await readMime(message);
  const own = richerText(mime.text, mime.html);
  const forwarded = forwardedBy(own.text, mime, headers, envelope, receivedAt);
  const isForward = forwarded !== undefined || isForwardSubject(envelope.subject);
  const text = await readableText(own, mime, message, mailLimits.attachedMessages, isForward);
  return {
    envelope,
    ...(forwarded !== undefined && { forwarded }),
    text: boundedUtf8(text, mime.leftOut[own.from]),
    extract: extractSummary(text),
    attachments: listAttachments(mime.parts),
  };
}

/** Read from the message's own text, or from the one message attached to it where the text passes nothing on. */
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
  // Several together are a collection: none of them is what the message is.
  if (attached === undefined || others.length > 0) return undefined;
  const inner = envelopeOf(scanHeaders(attached.content()), receivedAt);
  const { source: _source, ...from } = inner.from;
  return from.address === "" && from.name === undefined
    ? undefined
    : { from, subject: inner.subject, date: inner.date };
}

/** What is new, then what came with it, and last what it repeats of earlier messages. */
async function readableText(
  own: HtmlText,
  mime: Mime,
  message: Uint8Array,
  messagesLeft: number,
  isForward: boolean,
): Promise<string> {
  // What is passed on is what the message is about, and no history.
  const { fresh, history } = isForward ? { fresh: own.text, history: "" } : partHistory(own.text);
  const sections = [fresh, invisibleNote(own.invisible), ...opaqueNotes(own.text, mime.parts)];
  let left = messagesLeft;
  for (const part of mime.parts) {
    const { mimeType, charset } = part;
    if (reports.has(mimeType)) {
      sections.push(tidy(decodedText(beginningOf(part), charset)));
    } else if (mimeType === "text/calendar") {
      sections.push(tidy(calendarFacts(decodedText(beginningOf(part))) ?? ""));
    } else if (isMessage(part) && left > 0 && lengthOf(sections) < mailLimits.textBytes) {
      left -= 1;
      sections.push(await attachedMessage(part.content(), left));
    }
  }
  if (history !== "") sections.push(`${historyMark}\n\n${history}`);
  const text = sections.filter((section) => section !== "").join("\n\n");
  return text === "" ? lastResort(mime, message) : text;
}

function lengthOf(sections: readonly string[]): number {
  return sections.reduce((sum, { length }) => sum + length, 0);
}

function invisibleNote(passages: number): string {
  if (passages === 0) return "";
  return passages === 1
    ? "[1 invisible passage was removed]"
    : `[${passages} invisible passages were removed]`;
}

/** Twice what is kept: cutting is told of, with the size of the rest. */
function beginningOf({ content }: MimePart): Uint8Array {
  return content().subarray(0, mailLimits.textBytes * 2);
}

function isMessage({ mimeType }: MimePart): boolean {
  return mimeType === "message/rfc822" || mimeType === "message/global";
}

/** A message inside of a message: found by search, read in place, and an attachment as well. */
async function attachedMessage(given: Uint8Array, messagesLeft: number): Promise<string> {
  const content = withoutBlankTop(given);
  const { subject, from, date } = envelopeOf(scanHeaders(content), new Date());
  const lines = [
    "---------- Attached message ----------",
    from.address === "" ? "" : `From: ${inWords(from)}`,
    date === undefined ? "" : `Date: ${date.toISOString()}`,
    subject === "" ? "" : `Subject: ${subject}`,
  ];
  let text: string;
  try {
    const mime = await readMime(content);
    const own = richerText(mime.text, mime.html);
    text = await readableText(own, mime, content, messagesLeft, isForwardSubject(subject));
  } catch {
    text = "";
  }
  return `${lines.filter((line) => line !== "").join("\n")}\n\n${text}`.trim();
}

function inWords({ name, address }: Person): string {
  return name === undefined ? address : `${name} <${address}>`;
}

/** A message that came as an attachment, as text; what is attached to it is shown with it. */
export function messageText(content: Uint8Array): Promise<string> {
  return attachedMessage(content, mailLimits.attachedMessages);
}

/** No body: a part that is text although it is not marked as one to be read, or what stands behind the headers where no part was found at all. */
function lastResort({ parts }: Mime, message: Uint8Array): string {
  const other = parts.find(({ mimeType }) => isText(mimeType));
  if (other !== undefined) {
    const text = decodedText(beginningOf(other), other.charset);
    return tidy(other.mimeType === "text/html" ? htmlText(text) : text);
  }
  if (parts.length > 0) return "";
  const body = bodyOf(message);
  const text = tidy(decodedText(body.subarray(0, mailLimits.textBytes)));
  // The lines between parts that were all empty are no text.
  return text.split("\n").every((line) => line.trim() === "" || /^--|^content-/i.test(line))
    ? ""
    : text;
}

/** RFC 2045 5.2: a type that is none is plain text. */
function isText(mimeType: string): boolean {
  return mimeType.startsWith("text/") || !mimeType.includes("/");
}

/** Behind the first empty line; where there is none, behind the last line that looks like a header. */
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
