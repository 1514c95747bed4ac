import { createHash } from "node:crypto";
import PostalMime, { type Attachment, type Email } from "postal-mime";
import { base32, sha256Hex } from "../core/digest.ts";
import type { StoredAttachment } from "../ports/mail-store.ts";
import { oneLine } from "../core/clean-text.ts";
import { isReplySubject } from "./forward-words.ts";
import { calendarFacts } from "./calendar-facts.ts";
import { type Forwarded, forwardedIn } from "./forwarded.ts";
import { type Envelope, envelopeOf, type Headers, scanHeaders, zoneOf } from "./headers.ts";
import { mailLimits } from "./limits.ts";
import { htmlText } from "./html-text.ts";
import { boundedUtf8, richerText, tidy } from "./readable-text.ts";

export interface ParsedAttachment extends Omit<StoredAttachment, "text"> {
  content: Uint8Array;
}

export interface ParsedMail {
  envelope: Envelope;
  /** What it passes on, if anything; whether its sender may say so is decided elsewhere. */
  forwarded?: Forwarded;
  /** UTF-8, at most `mailLimits.textBytes` and a note. */
  text: Uint8Array;
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
export async function parseMessage(message: Uint8Array, receivedAt: Date): Promise<ParsedMail> {
  const headers = scanHeaders(message);
  const envelope = envelopeOf(headers, receivedAt);
  const taken = withoutLongText(message, headers);
  const email = await PostalMime.parse(taken, { forceRfc822Attachments: true });
  const own = richerText(email.text, email.html);
  const text = await readableText(own, email, message, mailLimits.attachedMessages);
  const forwarded = forwardedBy(own, email, headers, envelope, receivedAt);
  return {
    envelope,
    ...(forwarded !== undefined && { forwarded }),
    text: boundedUtf8(text, message.length - taken.length),
    attachments: listAttachments(email.attachments),
  };
}

/**
 * The parser keeps an object for each line: 800 000 lines of plain text end a thread. Of a message that is nothing but a
 * text only what can be kept of it is parsed, three bytes for each (RFC 2045 6.7).
 */
function withoutLongText(message: Uint8Array, headers: Headers): Uint8Array {
  const type = headers.get("content-type")?.[0]?.trim().toLowerCase() ?? "text/plain";
  const isEncoded = /base64|uue/i.test(headers.get("content-transfer-encoding")?.[0] ?? "");
  const isAttached = /^\s*attachment/i.test(headers.get("content-disposition")?.[0] ?? "");
  if (!type.startsWith("text/") || isEncoded || isAttached) return message;
  return message.subarray(0, mailLimits.headerBytes + mailLimits.textBytes * 3);
}

/** Read from the message's own text, or from the one message attached to it where the text passes nothing on. */
function forwardedBy(
  own: string,
  email: Email,
  headers: Headers,
  { subject }: Envelope,
  receivedAt: Date,
): Forwarded | undefined {
  const forwarder = { subject, zone: zoneOf(headers.get("date")?.[0]), receivedAt };
  const plain = tidy((email.text ?? "").slice(0, mailLimits.forwardCharacters));
  const typed = forwardedIn(plain, forwarder) ?? forwardedIn(own, forwarder);
  if (typed !== undefined || isReplySubject(subject)) return typed;
  const [attached, ...others] = email.attachments.filter(isMessage);
  // Several together are a collection: none of them is what the message is.
  if (attached === undefined || others.length > 0) return undefined;
  const inner = envelopeOf(scanHeaders(bytesOf(attached)), receivedAt);
  const { source: _source, ...from } = inner.from;
  return from.address === "" && from.name === undefined
    ? undefined
    : { from, subject: inner.subject, date: inner.date };
}

async function readableText(
  own: string,
  email: Email,
  message: Uint8Array,
  messagesLeft: number,
): Promise<string> {
  const sections = [own];
  let left = messagesLeft;
  for (const attachment of email.attachments) {
    const content = bytesOf(attachment);
    if (reports.has(attachment.mimeType)) {
      sections.push(tidy(decode(content)));
    } else if (attachment.mimeType === "text/calendar") {
      sections.push(tidy(calendarFacts(decode(content)) ?? ""));
    } else if (isMessage(attachment) && left > 0) {
      left -= 1;
      sections.push(await attachedMessage(content, left));
    }
  }
  const text = sections.filter((section) => section !== "").join("\n\n");
  return text === "" ? lastResort(email, message) : text;
}

function isMessage({ mimeType }: Attachment): boolean {
  return mimeType === "message/rfc822" || mimeType === "message/global";
}

/** A message inside of a message: found by search, read in place, and an attachment as well. */
async function attachedMessage(content: Uint8Array, messagesLeft: number): Promise<string> {
  const { subject, from, date } = envelopeOf(scanHeaders(content), new Date());
  const lines = [
    "---------- Attached message ----------",
    from.address === ""
      ? ""
      : `From: ${from.name === undefined ? from.address : `${from.name} <${from.address}>`}`,
    date === undefined ? "" : `Date: ${date.toISOString()}`,
    subject === "" ? "" : `Subject: ${subject}`,
  ];
  let text: string;
  try {
    const email = await PostalMime.parse(content, { forceRfc822Attachments: true });
    text = await readableText(richerText(email.text, email.html), email, content, messagesLeft);
  } catch {
    text = "";
  }
  return `${lines.filter((line) => line !== "").join("\n")}\n\n${text}`.trim();
}

/** A message that came as an attachment, as text; what is attached to it is shown with it. */
export function messageText(content: Uint8Array): Promise<string> {
  return attachedMessage(content, mailLimits.attachedMessages);
}

/** No body: a part that is text although it is not marked as one to be read, or what stands behind the headers where no part was found at all. */
function lastResort(email: Email, message: Uint8Array): string {
  const other = email.attachments.find(({ mimeType }) => isText(mimeType));
  if (other !== undefined) {
    const text = decode(bytesOf(other));
    return tidy(other.mimeType === "text/html" ? htmlText(text) : text);
  }
  if (email.attachments.length > 0) return "";
  const body = bodyOf(message);
  const text = tidy(decode(body.subarray(0, mailLimits.textBytes)));
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

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function bytesOf({ content }: Attachment): Uint8Array {
  if (typeof content === "string") return Buffer.from(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}

function listAttachments(attachments: readonly Attachment[]): ParsedAttachment[] {
  const seen = new Map<string, number>();
  return attachments.slice(0, mailLimits.attachments).map((attachment) => {
    const content = bytesOf(attachment);
    const sha256 = sha256Hex(content);
    const name = fileName(attachment);
    // By content and name, not by position: a better parser may find one more part before it.
    const identity = `${sha256}\0${name ?? ""}`;
    const copies = seen.get(identity) ?? 0;
    seen.set(identity, copies + 1);
    const digest = createHash("sha256").update(`${identity}\0${copies}`).digest();
    return {
      attachmentId: `at_${base32(digest).slice(0, 26)}`,
      ...(name !== undefined && { name }),
      mediaType: mediaTypeOf(attachment.mimeType),
      bytes: content.length,
      sha256,
      inline: isInline(attachment),
      content,
    };
  });
}

function fileName({ filename, mimeType, description }: Attachment): string | undefined {
  // Some senders put a whole path there.
  const given = oneLine((filename ?? "").replace(/^.*[\\/]/, ""), mailLimits.fileNameCharacters);
  if (given !== "") return given;
  const described = oneLine(description ?? "", mailLimits.fileNameCharacters);
  return mimeType === "message/rfc822" && described !== "" ? described : undefined;
}

function mediaTypeOf(value: string): string {
  return /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(value) ? value : "application/octet-stream";
}

/**
 * Whether a part belongs to the look of the message rather than being sent along. Apple Mail marks the documents that it
 * sends along as `inline`, other programs do not mark them: a named file that is not a picture counts.
 */
function isInline({ disposition, mimeType, filename, related, contentId }: Attachment): boolean {
  if (disposition === "attachment") return related === true && mimeType.startsWith("image/");
  if (filename === null || related === true || !mimeType.includes("/")) return true;
  if (/^application\/(?:x-)?(?:pkcs7|pgp)-|^(?:image|message)\//.test(mimeType)) return true;
  return contentId !== undefined && mimeType.startsWith("text/");
}
