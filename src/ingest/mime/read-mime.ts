import PostalMime, { type Attachment, type Email } from "postal-mime";
import type { LargeParts } from "./large-parts.ts";
import { mailLimits } from "../pipeline/limits.ts";
import { normalizeForParser } from "./normalize-mime.ts";
import { isReadPart, type LeafPart, leafParts, parameterOf } from "./mime-parts.ts";
import { type UuFile, uuFiles } from "./uuencode.ts";

export interface MimePart {
  mimeType: string;
  name: string | undefined;
  description: string | undefined;
  disposition: Attachment["disposition"];
  contentId: string | undefined;
  /** The part belongs to the HTML page that shows it. */
  isRelated: boolean;
  /** The declared character set of a text. */
  charset: string | undefined;
  /** Decodes the content on demand. Of a message in a message only the texts are decoded. */
  content: () => Uint8Array;
}

/** The parts of one message: body texts and attachments. */
export interface Mime {
  text: string | undefined;
  html: string | undefined;
  parts: MimePart[];
  /** Bytes of very long texts that were not read. */
  leftOut: LargeParts["leftOut"];
}

/**
 * Reads a message with the parser.
 * @throws if the parser's own limits are exceeded
 */
export async function readMime(message: Uint8Array, setsAside = true): Promise<Mime> {
  const { mended, large } = normalizeForParser(message, { setsAside });
  const email = await PostalMime.parse(mended, { forceRfc822Attachments: true });
  const found = email.attachments.filter((one) => large.behind(bytesOf(one)) !== undefined);
  // The parser sees other parts than we do. Repeat without placeholders, at any cost, so that no part is missing.
  if (found.length !== large.setAside) return await readMime(message, false);
  const { text, files } = uuFilesIn(email.text);
  return {
    text,
    html: email.html,
    parts: [
      ...sentParts(email, message, large),
      ...[...large.files, ...files].map(({ name, content }) => ({
        ...uuPart,
        name,
        content: () => content,
      })),
    ],
    leftOut: large.leftOut,
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

function uuFilesIn(text: string | undefined): { text: string | undefined; files: UuFile[] } {
  if (text === undefined || !/^begin(?:-base64)? [0-7]{3}/m.test(text)) return { text, files: [] };
  const found = uuFiles(Buffer.from(text));
  return { text: Buffer.from(found.text).toString(), files: found.files };
}

function sentParts(email: Email, message: Uint8Array, large: LargeParts): MimePart[] {
  const charsets = charsetsOf(message, email.attachments.length);
  return email.attachments.map((attachment, index) => {
    const content = bytesOf(attachment);
    return {
      mimeType: attachment.mimeType,
      name: attachment.filename ?? undefined,
      description: attachment.description,
      disposition: attachment.disposition,
      contentId: attachment.contentId,
      isRelated: attachment.related === true,
      charset: charsets[index],
      content: large.behind(content) ?? (() => content),
    };
  });
}

/**
 * Returns the declared character sets of attached texts, which the parser does not report. Empty if our parts differ
 * from the parser's.
 */
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
