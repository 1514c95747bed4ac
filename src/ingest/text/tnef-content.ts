import { notedHtmlText } from "../html/html-text.ts";
import { decodedText } from "../mime/charset.ts";
import { decodedPage } from "../mime/page-charset.ts";
import { mailLimits } from "../pipeline/limits.ts";
import { rtfText } from "./rtf-text.ts";

/** A plain text is already in UTF-8. The character set of the others is undefined if nothing declares it. */
export interface OutlookBody {
  kind: "plain" | "html" | "rtf";
  content: Uint8Array;
  charset?: string;
}

/** The content of a file that Outlook writes around a message, `winmail.dat`. */
export interface TnefContent {
  body: OutlookBody | undefined;
  attachments: { name: string; content: Uint8Array }[];
}

const signature = 0x223e9f78;
/** Attributes of a message and of its attachments (MS-OXTNEF, section 2.1.3.3). */
const id = {
  body: 0x800c,
  title: 0x8010,
  data: 0x800f,
  beginAttachment: 0x9002,
  properties: 0x9003,
  attachmentProperties: 0x9005,
  codePage: 0x9007,
};
/** Properties (MS-OXPROPS). */
const property = {
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  data: 0x3701,
  longName: 0x3707,
  codePage: 0x3fde,
};

/**
 * Splits a file in Outlook's own format into its body and attachments (MS-OXTNEF). A file that is cut ends early.
 * @throws if it is not such a file
 */
export function readTnef(content: Uint8Array): TnefContent {
  const view = viewOf(content);
  if (content.length < 6 || view.getUint32(0, true) !== signature)
    throw new Error("This is not a file of Outlook.");
  const found: TnefContent = { body: undefined, attachments: [] };
  let codePage = "windows-1252";
  for (let at = 6; at + 9 <= content.length;) {
    const attribute = view.getUint16(at + 1, true);
    const length = view.getUint32(at + 5, true);
    const start = at + 9;
    if (start + length > content.length) break;
    const value = content.subarray(start, start + length);
    const last = found.attachments.at(-1);
    if (attribute === id.codePage && length >= 4) codePage = pageOf(view.getUint32(start, true));
    else if (attribute === id.beginAttachment) {
      if (found.attachments.length >= mailLimits.readAttachments) break;
      found.attachments.push({ name: "", content: new Uint8Array() });
    } else if (attribute === id.title && last !== undefined) last.name ||= textOf(value, codePage);
    else if (attribute === id.data && last !== undefined) last.content = value;
    else if (attribute === id.body) found.body ??= plainBody(textOf(value, codePage));
    else if (attribute === id.properties)
      found.body = bodyIn(propertiesIn(value), codePage) ?? found.body;
    else if (attribute === id.attachmentProperties && last !== undefined) {
      const long = propertiesIn(value).get(property.longName);
      if (long !== undefined) last.name = long.text(codePage);
    }
    at = start + length + 2;
  }
  return found;
}

/** Returns the text of the message in a file that Outlook wrote. Empty for a file without one. */
export function outlookBody({ body }: Pick<TnefContent, "body">): string {
  if (body === undefined) return "";
  try {
    if (body.kind === "rtf") return rtfText(body.content);
    if (body.kind === "html") return notedHtmlText(decodedPage(body.content, body.charset));
    return Buffer.from(body.content).toString();
  } catch {
    return "";
  }
}

/** Does the same for the bytes of a file. Empty for any other file. */
export function outlookMessage(file: Uint8Array): string {
  try {
    return outlookBody(readTnef(file));
  } catch {
    return "";
  }
}

/** Code pages of Windows whose names do not begin with `windows-`. */
const otherPages: Readonly<Record<number, string>> = {
  932: "shift_jis",
  936: "gb18030",
  949: "euc-kr",
  950: "big5",
  20_127: "us-ascii",
  20_866: "koi8-r",
  20_932: "euc-jp",
  21_866: "koi8-u",
  50_220: "iso-2022-jp",
  51_932: "euc-jp",
  54_936: "gb18030",
  65_001: "utf-8",
};
const firstIsoPage = 28_590;

function pageOf(number: number): string {
  const isIso = number > firstIsoPage && number <= firstIsoPage + 16;
  return otherPages[number] ?? (isIso ? `iso-8859-${number - firstIsoPage}` : `windows-${number}`);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

function textOf(value: Uint8Array, codePage: string): string {
  return decodedText(value, codePage).replace(/\0.*$/s, "");
}

interface Property {
  content: Uint8Array;
  text(codePage: string): string;
}

function bodyIn(
  properties: ReadonlyMap<number, Property>,
  codePage: string,
): OutlookBody | undefined {
  const html = properties.get(property.html);
  if (html !== undefined) {
    const page = properties.get(property.codePage)?.content;
    const own = page?.length === 4 ? { charset: pageOf(viewOf(page).getUint32(0, true)) } : {};
    return { kind: "html", content: html.content, ...own };
  }
  const rtf = properties.get(property.rtf);
  if (rtf !== undefined) return { kind: "rtf", content: unpackedRtf(rtf.content) };
  const plain = properties.get(property.body);
  return plain === undefined ? undefined : plainBody(plain.text(codePage));
}

/** Makes the body from a text without its last NUL, because bytes with a NUL do not count as text. */
function plainBody(text: string): OutlookBody {
  return { kind: "plain", content: Buffer.from(text), charset: "utf-8" };
}

/** The sizes of types with a fixed size. Bytes. */
const sizes: Readonly<Record<number, number>> = {
  0x2: 2,
  0x3: 4,
  0x4: 4,
  0x5: 8,
  0x6: 8,
  0x7: 8,
  0xa: 4,
  0xb: 2,
  0x14: 8,
  0x40: 8,
  0x48: 16,
};
const typeUnicode = 0x1f;
const isVariable = (type: number): boolean => [0x1e, typeUnicode, 0x102, 0xd].includes(type);
/** Limit on properties of one object. Real ones have a few hundred. */
const mostProperties = 5_000;

/** Reads properties (section 2.1.3.4). An unknown type ends the list, because its size is unknown. */
function propertiesIn(bytes: Uint8Array): Map<number, Property> {
  const found = new Map<number, Property>();
  const view = viewOf(bytes);
  const has = (at: number, length: number): boolean => at + length <= bytes.length;
  const padded = (length: number): number => Math.ceil(length / 4) * 4;
  let at = 4;
  for (let count = 0; count < mostProperties && has(at, 4); count += 1) {
    const flagged = view.getUint16(at, true);
    const name = view.getUint16(at + 2, true);
    const type = flagged & 0xfff;
    at += 4;
    if (name >= 0x8000) {
      if (!has(at, 24)) break;
      const isNumber = view.getUint32(at + 16, true) === 0;
      at += isNumber ? 24 : 24 + padded(view.getUint32(at + 20, true));
    }
    let values = 1;
    if (isVariable(type) || (flagged & 0x1000) !== 0) {
      if (!has(at, 4)) break;
      values = view.getUint32(at, true);
      at += 4;
    }
    const fixed = sizes[type];
    if (!isVariable(type) && fixed === undefined) break;
    for (let value = 0; value < values && at < bytes.length; value += 1) {
      let length = fixed ?? 0;
      if (fixed === undefined) {
        if (!has(at, 4)) return found;
        length = view.getUint32(at, true);
        at += 4;
      }
      if (!has(at, length)) return found;
      const content = bytes.subarray(at, at + length);
      at += padded(length);
      if (value === 0)
        found.set(name, {
          content,
          text: (codePage) => textOf(content, type === typeUnicode ? "utf-16le" : codePage),
        });
    }
  }
  return found;
}

/** The initial text to which a compressed body may refer (MS-OXRTFCP, section 2.1.3.1.1). */
const dictionary =
  "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";
const compressed = 0x75465a4c;
const plain = 0x414c454d;
const ringBytes = 4_096;
/** Seventeen bytes contain at most eight references to seventeen characters. */
const mostGrowth = 8;

/** Unpacks an RTF body (MS-OXRTFCP). A body that is cut ends early. */
function unpackedRtf(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 16) return new Uint8Array();
  const view = viewOf(bytes);
  const kind = view.getUint32(8, true);
  if (kind === plain) return bytes.subarray(16);
  if (kind !== compressed) return new Uint8Array();
  // A file may repeat small bodies that claim to be large.
  const most = Math.min(bytes.length * mostGrowth, mailLimits.untidiedBytes);
  const size = Math.min(view.getUint32(4, true), most);
  const written = Buffer.alloc(size);
  const ring = Buffer.alloc(ringBytes, " ");
  ring.write(dictionary, "latin1");
  let place = dictionary.length;
  let length = 0;
  const write = (byte: number): void => {
    ring[place] = byte;
    place = (place + 1) % ringBytes;
    if (length < size) written[length] = byte;
    length += 1;
  };
  for (let at = 16; at < bytes.length && length < size;) {
    const control = bytes[at] ?? 0;
    at += 1;
    for (let bit = 0; bit < 8 && at < bytes.length && length < size; bit += 1) {
      if (((control >> bit) & 1) === 0) {
        write(bytes[at] ?? 0);
        at += 1;
        continue;
      }
      const pair = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
      at += 2;
      const from = pair >> 4;
      // A reference to the current place ends the text.
      if (from === place) return written.subarray(0, length);
      for (let step = 0; step < (pair & 0xf) + 2; step += 1)
        write(ring[(from + step) % ringBytes] ?? 0);
    }
  }
  return written.subarray(0, Math.min(length, size));
}
