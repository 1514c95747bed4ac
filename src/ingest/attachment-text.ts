import { type AttachmentKind, attachmentKind } from "./attachment-kind.ts";
import { calendarFacts } from "./calendar-facts.ts";
import { decodedText } from "./charset.ts";
import { documentText } from "./document-text.ts";
import { htmlText } from "./html-text.ts";
import { mailLimits } from "./limits.ts";
import { messageText } from "./parse-message.ts";
import { pdfText } from "./pdf-text.ts";
import { boundedUtf8, tidy } from "./readable-text.ts";

/** The text of an attachment as UTF-8, cut and saying so; undefined where there is none. Runs in a worker. */
export async function attachmentText(
  content: Uint8Array,
  mediaType: string,
  name: string | undefined,
  charset?: string,
): Promise<Uint8Array | undefined> {
  const text = await textAs(attachmentKind(mediaType, name), content, charset);
  return text === undefined || text.trim() === "" ? undefined : boundedUtf8(tidy(text));
}

function textAs(
  kind: AttachmentKind | undefined,
  content: Uint8Array,
  charset: string | undefined,
): string | undefined | Promise<string> {
  switch (kind) {
    case "plain":
      return decoded(content, charset);
    case "html":
      return htmlText(decoded(content, charset) ?? "");
    case "message":
      return messageText(content);
    case "calendar": {
      const text = decoded(content, charset) ?? "";
      return calendarFacts(text) ?? text;
    }
    case "pdf":
      return pdfText(content);
    case "document":
      return documentText(content);
    case undefined:
      return undefined;
  }
}

/** Undefined where these bytes are no text, whatever they are called. */
function decoded(content: Uint8Array, charset: string | undefined): string | undefined {
  // Twice what is kept: cutting is told of, with the size of the rest.
  const head = content.subarray(0, mailLimits.textBytes * 2);
  const [first, second] = head;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isWide) return new TextDecoder(first === 0xff ? "utf-16le" : "utf-16be").decode(head);
  if (head.subarray(0, 4_096).includes(0)) return undefined;
  return decodedText(head, charset);
}
