import { type AttachmentKind, attachmentKind, bytesRead } from "./attachment-kind.ts";
import { calendarFacts } from "./calendar-facts.ts";
import { oneLine } from "../../core/shared/text/clean-text.ts";
import { mailLimits } from "../pipeline/limits.ts";
import { hideCodes, hideValues } from "../codes/hide-codes.ts";
import { decodedText } from "../mime/charset.ts";
import { decodedPage } from "../mime/page-charset.ts";
import { documentText } from "./document-text.ts";
import { notedHtmlText } from "../html/html-text.ts";
import { messageText, type ReadText } from "../mime/parse-message.ts";
import { openDocumentText } from "./open-document-text.ts";
import { pdfText } from "./pdf-text.ts";
import { rtfText } from "./rtf-text.ts";
import { slidesText } from "./slides-text.ts";
import { spreadsheetText } from "./spreadsheet-text.ts";
import { outlookBody, readTnef } from "./tnef-content.ts";
import { boundedUtf8, tidy } from "./tidy-text.ts";

/**
 * Extracts the text of an attachment as UTF-8. A note marks a cut. Undefined if there is no text. Runs in a worker.
 * @param bytesBehind the number of bytes after `content`, which are not read
 * @param maxBytes limit of the text without that note
 * @param hides codes of the message, which are replaced here too. Undefined shows every code.
 */
export async function attachmentText(
  content: Uint8Array,
  mediaType: string,
  name: string | undefined,
  charset?: string,
  bytesBehind = 0,
  maxBytes?: number,
  hides?: readonly string[],
): Promise<Uint8Array | undefined> {
  const kind = attachmentKind(mediaType, name);
  const head = content.subarray(0, bytesRead(kind));
  const text = await textAs(kind, head, charset);
  const leftOut = content.length - head.length + bytesBehind;
  if (text === undefined || text.text.trim() === "") return undefined;
  const readable = tidy(text.text);
  const shown = hides === undefined ? readable : hideValues(hideCodes("", readable).text, hides);
  return boundedUtf8(shown, text.leftOut + leftOut, maxBytes);
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
      return decoded(content, charset, notedHtmlText, decodedPage);
    case "message":
      return await messageText(content);
    case "calendar":
      return decoded(content, charset, (text) => calendarFacts(text) ?? text);
    case "pdf":
      return { text: await pdfText(content), leftOut: 0 };
    case "document":
      return { text: documentText(content), leftOut: 0 };
    case "spreadsheet":
      return { text: spreadsheetText(content), leftOut: 0 };
    case "slides":
      return { text: slidesText(content), leftOut: 0 };
    case "openDocument":
      return { text: openDocumentText(content), leftOut: 0 };
    case "rtf":
      return { text: rtfText(content), leftOut: 0 };
    case "tnef":
      return { text: await outlookText(content), leftOut: 0 };
    case undefined:
      return undefined;
  }
}

/** Returns the body of a message that Outlook wrote into one file, and the names and texts of its attachments. */
async function outlookText(content: Uint8Array): Promise<string> {
  const outlook = readTnef(content);
  /** Never fails, so that the other parts are read after a broken one. */
  const partText = async (kind: AttachmentKind, part: Uint8Array): Promise<string> => {
    const read = await textAs(kind, part, undefined).catch(() => undefined);
    return read?.text ?? "";
  };
  const texts = [outlookBody(outlook)];
  for (const { name, content: file } of outlook.attachments) {
    const shownName = oneLine(name.replace(/^.*[\\/]/s, ""), mailLimits.fileNameCharacters);
    const kind = attachmentKind("application/octet-stream", name);
    const isRead = kind !== undefined && kind !== "tnef" && kind !== "message";
    texts.push(`Attachment: ${shownName}\n${isRead ? await partText(kind, file) : ""}`);
  }
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n\n");
}

/** Decodes bytes. Returns undefined if they are not text, even if a text type was declared. */
function decoded(
  content: Uint8Array,
  charset: string | undefined,
  readable: (text: string) => string,
  decode = decodedText,
): ReadText | undefined {
  const [first, second] = content;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (!isWide && content.subarray(0, 4_096).includes(0)) return undefined;
  const wide = first === 0xff ? "utf-16le" : "utf-16be";
  const text = isWide ? new TextDecoder(wide).decode(content) : decode(content, charset);
  return { text: readable(text), leftOut: 0 };
}
