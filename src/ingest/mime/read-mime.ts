import { type BodyTexts, createBodyTexts } from "./body-texts.ts";
import { decodedText } from "./charset.ts";
import { decodedWords } from "./encoded-words.ts";
import { mailLimits } from "../pipeline/limits.ts";
import { type LeafPart, leafParts } from "./mime-parts.ts";
import { partContent } from "./content/part-content.ts";
import { signedContent } from "./content/signed-content.ts";
import { type StructuredHeader, structuredHeader } from "./structured-header.ts";
import type { UuFile } from "./content/uuencode.ts";

export interface MimePart {
  mimeType: string;
  name: string | undefined;
  description: string | undefined;
  /** In lower case: `attachment` or `inline`, for example. */
  disposition: string;
  contentId: string | undefined;
  /** True if the part belongs to the HTML page that shows it. */
  isRelated: boolean;
  /** The declared character set of a text. */
  charset: string | undefined;
  /** Decodes the content on demand, once. */
  content: () => Uint8Array;
}

/** The parts of one message: body texts and attachments. */
export interface Mime {
  text: string | undefined;
  html: string | undefined;
  parts: MimePart[];
  /** Bytes of very long texts that were not read. */
  leftOut: BodyTexts["leftOut"];
}

/** Signed messages that contain each other. A signature around a signed message is usual (RFC 8551 3.7). */
const mostSigned = 3;
const signedType = /^application\/(?:x-)?pkcs7-mime$/;

export function readMime(message: Uint8Array, signedLeft: number = mostSigned): Mime {
  const { parts, bytesBehind } = leafParts(message);
  const texts = createBodyTexts(bytesBehind);
  const sent: MimePart[] = [];
  for (const part of parts) {
    const body = message.subarray(part.bodyStart, part.end);
    const disposition = structuredHeader(part.headers.get("content-disposition")?.[0] ?? "");
    if (disposition.value !== "attachment" && part.type.value === "text/plain")
      texts.add("plain", part, body);
    else if (disposition.value !== "attachment" && part.type.value === "text/html")
      texts.add("html", part, body);
    else sent.push(sentPart(part, disposition, body));
  }
  const own = {
    ...texts.joined(),
    parts: [...sent, ...texts.files.map(uuPart)],
    leftOut: texts.leftOut,
  };
  const signed = own.parts.find(({ mimeType }) => signedType.test(mimeType));
  const content = signedLeft === 0 ? undefined : signed && signedContent(signed.content());
  if (signed === undefined || content === undefined) return own;
  const others = own.parts.filter((part) => part !== signed);
  if (own.text === undefined && own.html === undefined) {
    const inner = readMime(content, signedLeft - 1);
    return { ...inner, parts: [...inner.parts, ...others] };
  }
  // The part is shown as an attached message beside a text, such as the footer of a mailing list.
  const attached = {
    ...signed,
    mimeType: "message/rfc822",
    name: undefined,
    content: () => content,
  };
  return { ...own, parts: [attached, ...others] };
}

function sentPart(part: LeafPart, disposition: StructuredHeader, body: Uint8Array): MimePart {
  const { headers, type } = part;
  const decoded = once(() => partContent(part, body));
  const given = [disposition.parameter("filename"), type.parameter("name")];
  const name = given.find((one) => one !== undefined && one !== "") ?? decoded().name;
  const description = headers.get("content-description")?.[0];
  const charset = type.parameter("charset");
  const contentId = headers.get("content-id")?.[0];
  const isCalendar = type.value === "text/calendar" || type.value === "application/ics";
  return {
    mimeType: type.value,
    name: name === undefined ? undefined : decodedWords(name),
    description: description === undefined ? undefined : decodedWords(description),
    disposition: disposition.value,
    contentId,
    isRelated: part.isRelated && contentId !== undefined,
    charset,
    content: once(() => {
      const { bytes } = decoded();
      return isCalendar ? utf8Calendar(bytes, charset) : bytes;
    }),
  };
}

/** Returns a calendar file in UTF-8 with LF line ends, as its readers need it. */
function utf8Calendar(content: Uint8Array, charset: string | undefined): Uint8Array {
  if (content.length >= mailLimits.calendarBytes) return content;
  return Buffer.from(`${decodedText(content, charset).replace(/\r?\n/g, "\n").trimEnd()}\n`);
}

function uuPart({ name, content }: UuFile): MimePart {
  return {
    mimeType: "application/octet-stream",
    name,
    description: undefined,
    disposition: "attachment",
    contentId: undefined,
    isRelated: false,
    charset: undefined,
    content: () => content,
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
