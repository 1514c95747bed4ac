import { mailLimits } from "../pipeline/limits.ts";
import { wordTable } from "../../core/shared/text/word-table.ts";

export type AttachmentKind =
  | "plain"
  | "html"
  | "calendar"
  | "pdf"
  | "document"
  | "spreadsheet"
  | "slides"
  | "openDocument"
  | "rtf"
  | "tnef"
  | "message";

const kindOfType = wordTable<AttachmentKind>({
  "text/html": "html",
  "application/xhtml+xml": "html",
  "text/calendar": "calendar",
  "application/ics": "calendar",
  "application/pdf": "pdf",
  "application/x-pdf": "pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "document",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "spreadsheet",
  "application/vnd.ms-excel.sheet.macroenabled.12": "spreadsheet",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "slides",
  "application/vnd.oasis.opendocument.text": "openDocument",
  "application/vnd.oasis.opendocument.spreadsheet": "openDocument",
  "application/vnd.oasis.opendocument.presentation": "openDocument",
  "application/rtf": "rtf",
  "text/rtf": "rtf",
  "application/ms-tnef": "tnef",
  "application/vnd.ms-tnef": "tnef",
  "message/rfc822": "message",
  "message/global": "message",
  "message/delivery-status": "plain",
  "message/global-delivery-status": "plain",
  "message/disposition-notification": "plain",
  "message/global-disposition-notification": "plain",
  "message/global-headers": "plain",
  "message/feedback-report": "plain",
  "application/json": "plain",
  "application/xml": "plain",
  "application/csv": "plain",
});

/** The formats by file extension, because many programs send every file as `application/octet-stream`. */
const kindOfExtension = wordTable<AttachmentKind>({
  txt: "plain",
  text: "plain",
  log: "plain",
  md: "plain",
  csv: "plain",
  tsv: "plain",
  json: "plain",
  xml: "plain",
  htm: "html",
  html: "html",
  ics: "calendar",
  pdf: "pdf",
  docx: "document",
  xlsx: "spreadsheet",
  xlsm: "spreadsheet",
  pptx: "slides",
  odt: "openDocument",
  ods: "openDocument",
  odp: "openDocument",
  rtf: "rtf",
  dat: "tnef",
  eml: "message",
});

/** Returns how many bytes of an attachment are read. The rest need not be in memory. */
export function bytesRead(kind: AttachmentKind | undefined): number {
  switch (kind) {
    case "plain":
    case "calendar":
      // The limit of stored text, for two bytes per character.
      return mailLimits.textBytes * 2;
    case "html":
      // The limit for HTML mails applies to attachments too.
      return mailLimits.untidiedBytes;
    case "message":
    case "pdf":
    case "document":
    case "spreadsheet":
    case "slides":
    case "openDocument":
    case "rtf":
    case "tnef":
    case undefined:
      return Infinity;
  }
}

/** Returns the format in which an attachment is read. Undefined if it is not a known kind of text. */
export function attachmentKind(
  mediaType: string,
  name: string | undefined,
): AttachmentKind | undefined {
  const type = mediaType.toLowerCase();
  const known = kindOfType[type] ?? (type.startsWith("text/") ? "plain" : undefined);
  const extension = /\.([a-z]{2,4})$/i.exec(name ?? "")?.[1]?.toLowerCase() ?? "";
  // Many programs write `.dat` files. Only this name is Outlook's.
  if (extension === "dat" && !/(?:^|[\\/])winmail\.dat$/i.test(name ?? "")) return known;
  const isVague = type === "application/octet-stream" || type === "text/plain";
  return (isVague ? kindOfExtension[extension] : undefined) ?? known;
}
