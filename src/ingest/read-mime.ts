import PostalMime, { type Attachment, type Email } from "postal-mime";
import type { Headers } from "./headers.ts";
import { scanHeaders } from "./headers.ts";
import { mailLimits } from "./limits.ts";
import { forParser } from "./mend-parts.ts";
import { isReadPart, type LeafPart, leafParts, parameterOf } from "./mime-parts.ts";
import { uuFiles } from "./uuencode.ts";

export interface MimePart {
  mimeType: string;
  name: string | undefined;
  description: string | undefined;
  disposition: Attachment["disposition"];
  contentId: string | undefined;
  /** It belongs to the page that shows it. */
  isRelated: boolean;
  /** As declared; for texts. */
  charset: string | undefined;
  content: Uint8Array;
}

/** The parts of one message: what is to be read, and what was sent along. */
export interface Mime {
  text: string | undefined;
  html: string | undefined;
  parts: MimePart[];
  /** Bytes of a very long text that were not even looked at. */
  leftOut: number;
}

/** Throws where the parser's own limits are passed. */
export async function readMime(message: Uint8Array): Promise<Mime> {
  const taken = withoutLongText(message, scanHeaders(message));
  const email = await PostalMime.parse(forParser(taken), { forceRfc822Attachments: true });
  const { text, files } = uuFiles(email.text ?? "");
  return {
    text: email.text === undefined ? undefined : text,
    html: email.html,
    parts: [
      ...sentParts(email, taken),
      ...files.map(({ name, content }) => ({ ...uuPart, name, content })),
    ],
    leftOut: message.length - taken.length,
  };
}

const uuPart = {
  mimeType: "application/octet-stream",
  description: undefined,
  disposition: "attachment",
  contentId: undefined,
  isRelated: false,
  charset: undefined,
} as const;

/**
 * The parser keeps an object for each line: 800 000 lines of plain text end a thread. Of a message that is nothing but a
 * text only what can be kept of it is parsed, three bytes for each (RFC 2045 6.7). Files in the text are no such text.
 */
function withoutLongText(message: Uint8Array, headers: Headers): Uint8Array {
  const most = mailLimits.headerBytes + mailLimits.textBytes * 3;
  if (message.length <= most) return message;
  const type = headers.get("content-type")?.[0]?.trim().toLowerCase() ?? "text/plain";
  const isEncoded = /base64|uue/i.test(headers.get("content-transfer-encoding")?.[0] ?? "");
  const isAttached = /^\s*attachment/i.test(headers.get("content-disposition")?.[0] ?? "");
  if (!type.startsWith("text/") || isEncoded || isAttached) return message;
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  if (bytes.subarray(0, most).includes("\nbegin 6")) return message;
  return message.subarray(0, most);
}

function sentParts(email: Email, message: Uint8Array): MimePart[] {
  const charsets = charsetsOf(message, email.attachments.length);
  return email.attachments.map((attachment, index) => ({
    mimeType: attachment.mimeType,
    name: attachment.filename ?? undefined,
    description: attachment.description,
    disposition: attachment.disposition,
    contentId: attachment.contentId,
    isRelated: attachment.related === true,
    charset: charsets[index],
    content: bytesOf(attachment),
  }));
}

/** The parser does not say which character set an attached text is in. Where we see other parts than it does, nobody does. */
function charsetsOf(message: Uint8Array, count: number): (string | undefined)[] {
  if (count === 0 || count > mailLimits.attachments) return [];
  const sent: LeafPart[] = [];
  for (const part of leafParts(message)) if (!isReadPart(part)) sent.push(part);
  if (sent.length !== count) return [];
  return sent.map(({ headers }) => parameterOf(headers.get("content-type")?.[0] ?? "", "charset"));
}

function bytesOf({ content }: Attachment): Uint8Array {
  if (typeof content === "string") return Buffer.from(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}
