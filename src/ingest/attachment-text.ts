import { type AttachmentKind, attachmentKind } from "./attachment-kind.ts";
import { calendarFacts } from "./calendar-facts.ts";
import { decodedText } from "./charset.ts";
import { documentText } from "./document-text.ts";
import { notedHtmlText } from "./html-text.ts";
import { mailLimits } from "./limits.ts";
import { beginningOf, messageText, type ReadText } from "./parse-message.ts";
import { pdfText } from "./pdf-text.ts";
import { boundedUtf8, tidy } from "./readable-text.ts";

/** The text of an attachment as UTF-8, cut and saying so; undefined where there is none. Runs in a worker. */
export async function attachmentText(
  content: Uint8Array,
  mediaType: string,
  name: string | undefined,
  charset?: string,
): Promise<Uint8Array | undefined> {
  const read = await textAs(attachmentKind(mediaType, name), content, charset);
  return read === undefined || read.text.trim() === ""
    ? undefined
    : boundedUtf8(tidy(read.text), read.leftOut);
}

async function textAs(
  kind: AttachmentKind | undefined,
  content: Uint8Array,
  charset: string | undefined,
): Promise<ReadText | undefined> {
  switch (kind) {
    case "plain":
      return decoded(content, charset, (text) => text);
    case "html":
      // As much as of a mail that is a page.
      return decoded(content, charset, notedHtmlText, mailLimits.untidiedBytes);
    case "message":
      return await messageText(content);
    case "calendar":
      return decoded(content, charset, (text) => calendarFacts(text) ?? text);
    case "pdf":
      return { text: await pdfText(content), leftOut: 0 };
    case "document":
      return { text: documentText(content), leftOut: 0 };
    case undefined:
      return undefined;
  }
}

/** Undefined where these bytes are no text, whatever they are called. */
function decoded(
  content: Uint8Array,
  charset: string | undefined,
  readable: (text: string) => string,
  mostBytes?: number,
): ReadText | undefined {
  const { bytes: head, leftOut } = beginningOf(content, mostBytes);
  const [first, second] = head;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (!isWide && head.subarray(0, 4_096).includes(0)) return undefined;
  const wide = first === 0xff ? "utf-16le" : "utf-16be";
  const text = isWide ? new TextDecoder(wide).decode(head) : decodedText(head, charset);
  return { text: readable(text), leftOut };
}
