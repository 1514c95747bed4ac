import { isAscii, isUtf8 } from "node:buffer";
import iconv from "iconv-lite";
import { wordTable } from "../../core/shared/text/word-table.ts";
import { undeclaredCharset } from "./undeclared-charset.ts";

type Decode = (bytes: Uint8Array) => string;

/** Names of character sets that iconv-lite knows by other names. */
const otherNames = wordTable<string>({
  "x-mac-ce": "maccenteuro",
  "x-mac-centraleurope": "maccenteuro",
  "x-mac-centraleurroman": "maccenteuro",
  "mac-ce": "maccenteuro",
  "x-mac-romanian": "macromania",
  "x-mac-icelandic": "maciceland",
  "x-mac-ukrainian": "macukraine",
  "x-mac-japanese": "shift_jis",
  "x-mac-korean": "euc-kr",
  "x-mac-chinesesimp": "gbk",
  "x-mac-chinesetrad": "big5",
  uhc: "cp949",
  ibm932: "cp932",
  cp51932: "eucjp",
});

/** Codecs of iconv-lite that are not character sets. */
const noCharsets = new Set(["base64", "hex", "binary", "internal"]);

const cache = new Map<string, Decode | undefined>();

/**
 * Returns a decoder for sets that Node does not know: UTF-7, UTF-32, old Macintosh and PC sets, and three that shift
 * between two sets. Returns undefined for sets that Node knows, and for unknown ones.
 */
function otherDecoder(label: string): Decode | undefined {
  const name = label.trim().toLowerCase();
  if (name === "" || name.length > 40) return undefined;
  if (!cache.has(name)) {
    // A sender can invent any number of names, so the cache is bounded.
    if (cache.size > 200) cache.clear();
    cache.set(name, decoderFor(name));
  }
  return cache.get(name);
}

/**
 * Sets of which Node's decoder lacks characters that the WHATWG Encoding Standard has: 8 822 Korean syllables, and those
 * of Hong Kong.
 */
const widerSets = wordTable<string>({ "euc-kr": "cp949", big5: "big5hkscs" });

function decoderFor(name: string): Decode | undefined {
  if (westernNames.test(name)) return undefined;
  const shifting = shiftingSets[name];
  if (shifting !== undefined) return (bytes) => shifted(bytes, shifting);
  const ofNode = nodeNames(name)
    .map(encodingOfNode)
    .find((one) => one !== undefined);
  const wider = ofNode === undefined ? undefined : widerSets[ofNode];
  if (wider !== undefined) return (bytes) => iconv.decode(bytes, wider);
  if (isKnownToNode(name)) return undefined;
  const known = [otherNames[name], name, name.replace(/^x-/, ""), name.replace(/-20\d\d$/, "")]
    .filter((one) => one !== undefined && !noCharsets.has(one))
    .find((one) => one !== undefined && iconv.encodingExists(one));
  return known === undefined ? undefined : (bytes) => iconv.decode(bytes, known);
}

function isKnownToNode(name: string): boolean {
  return encodingOfNode(name) !== undefined;
}

function encodingOfNode(name: string): string | undefined {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}

interface ShiftingSet {
  /** The sequences that begin and end a run of the other set. */
  on: string;
  off: string;
  /** Matches the designation before the first run, which is not text. */
  announcement: RegExp | undefined;
  /** The eight-bit set whose upper half the runs use. */
  charset: string;
}

const [escape, shiftOut, shiftIn] = ["\u001B", "\u000E", "\u000F"];
const announcement = new RegExp(`${escape}\\$[)*+][A-Z]`, "g");

/** Seven-bit sets that shift to another set and back. */
const shiftingSets = wordTable<ShiftingSet>({
  // RFC 1557.
  "iso-2022-kr": { on: shiftOut, off: shiftIn, announcement, charset: "euc-kr" },
  // RFC 1922, of which mail only ever used GB 2312.
  "iso-2022-cn": { on: shiftOut, off: shiftIn, announcement, charset: "gbk" },
  // RFC 1843, without `~~` for a tilde, which mail does not use.
  "hz-gb-2312": { on: "~{", off: "~}", announcement: undefined, charset: "gbk" },
});

function shifted(bytes: Uint8Array, { on, off, announcement: said, charset }: ShiftingSet): string {
  const decoder = new TextDecoder(charset);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const [first = "", ...runs] = (said === undefined ? text : text.replace(said, "")).split(on);
  return runs.reduce((sum, run) => {
    const end = run.indexOf(off);
    const low = Buffer.from(end === -1 ? run : run.slice(0, end), "latin1");
    const high = low.map((byte) => (byte > 0x20 ? byte | 0x80 : byte));
    return sum + decoder.decode(high) + (end === -1 ? "" : run.slice(end + off.length));
  }, first);
}

/** The escape sequences of ISO-2022-JP (RFC 1468). Terminals use none of these, nor do the Chinese and Korean sets. */
const japanese = new RegExp(`${escape}(?:\\$[@B]|\\([IJ])`);

/** Created once, because many lines may need it. */
const iso2022jp = new TextDecoder("iso-2022-jp");

/** Decodes ISO-2022-JP, recognised by its escape sequences whatever set was declared. Undefined for any other text. */
function japaneseText(bytes: Uint8Array): string | undefined {
  if (!bytes.includes(0x1b) || !isAscii(bytes)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  return japanese.test(text) ? iso2022jp.decode(bytes) : undefined;
}

const utf8 = new TextDecoder("utf-8");

/** Decodes windows-1252. Node 20's TextDecoder would turn quotation marks and the euro sign into control characters. */
function western(bytes: Uint8Array): string {
  return iconv.decode(bytes, "windows-1252");
}

/** Names that the WHATWG Encoding Standard reads as windows-1252. Many programs declare one without knowing the set. */
const westernNames =
  /^(?:us-ascii|ascii|ansi_x3\.4-1968|iso[-_]?8859-?1|latin-?1|l1|(?:x-)?cp-?1252|windows-?1252)$/i;

/** Names of ASCII. A text with other bytes was sent by a program that did not know its set. */
const asciiNames = /^(?:us-ascii|ascii|ansi_x3\.4-1968)$/;

/**
 * Decodes a text whose declared set is wrong or unknown to Node. Wrong means: UTF-8 under a western name, invalid
 * UTF-8 under its own, or ISO-2022-JP under any. Returns undefined if the declared set is right.
 */
export function betterDecoded(bytes: Uint8Array, label: string | undefined): string | undefined {
  const charset = label?.trim().toLowerCase() ?? "";
  const decode = otherDecoder(charset);
  if (decode !== undefined) return decode(bytes);
  if (isAscii(bytes)) return japaneseText(bytes);
  if (charset === "" || /^utf-?8$/.test(charset))
    return isUtf8(bytes) ? undefined : whicheverReads(bytes, charset === "");
  if (!westernNames.test(charset) && isKnown(charset)) return undefined;
  if (isUtf8(bytes)) return utf8.decode(bytes);
  const isUnknown = asciiNames.test(charset) || !westernNames.test(charset);
  return isUnknown ? recognised(bytes) : western(bytes);
}

/** Returns whether Node knows a name with or without its prefix. Databases write `utf8mb4`, which is no known set. */
function isKnown(name: string): boolean {
  return !/^(?:utf-?8[a-z]|8-?bit)/.test(name) && nodeNames(name).some(isKnownToNode);
}

function nodeNames(name: string): string[] {
  return [name, name.replace(/^(?:x-ms-|x-|cs)/, "")];
}

/** Decodes a text of an unknown set, which is western if no other set is recognised. */
function recognised(bytes: Uint8Array): string {
  const charset = undeclaredCharset(bytes);
  return charset === undefined ? western(bytes) : new TextDecoder(charset).decode(bytes);
}

/** Decodes as UTF-8 or another set. A text with a few invalid bytes among whole UTF-8 characters is still UTF-8. */
function whicheverReads(bytes: Uint8Array, isUndeclared: boolean): string {
  const text = utf8.decode(bytes);
  const broken = text.match(/\uFFFD/g)?.length ?? 0;
  const whole = text.match(/[\u0080-\uFFFC]/g)?.length ?? 0;
  if (whole >= broken) return text;
  return isUndeclared ? recognised(bytes) : western(bytes);
}

const headerUtf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Decodes a header line with unencoded bytes: as ISO-2022-JP if it has its escapes, as UTF-8 (RFC 6532), or else as
 * windows-1252.
 * @param messageCharset returns the set of the message, which is used if it changes nothing in the header's structure
 */
export function headerText(line: Uint8Array, messageCharset?: () => string | undefined): string {
  // The check comes first, because an exception for each of very many lines takes seconds.
  const known = japaneseText(line) ?? (isUtf8(line) ? headerUtf8.decode(line) : undefined);
  if (known !== undefined) return known;
  const charset = messageCharset?.();
  const text = charset === undefined ? undefined : decodedText(line, charset);
  const asWestern = western(line);
  const isLikely = text !== undefined && !text.includes("\uFFFD");
  return isLikely && structureOf(text) === structureOf(asWestern) ? text : asWestern;
}

/** Returns the signs that structure addresses. A character of two bytes may contain the byte of an `@`. */
function structureOf(header: string): string {
  return header.replace(/[^@<>()",:;=?]/g, "");
}

/** Decodes a text from its declared character set, or else from the most likely one. */
export function decodedText(bytes: Uint8Array, label?: string): string {
  const better = betterDecoded(bytes, label);
  if (better !== undefined) return better;
  const name = label?.trim().toLowerCase() ?? "";
  const known = westernNames.test(name) ? undefined : nodeNames(name).find(isKnownToNode);
  return (known === undefined ? utf8 : new TextDecoder(known)).decode(bytes);
}
