import { isAscii, isUtf8 } from "node:buffer";
import iconv from "iconv-lite";

type Decode = (bytes: Uint8Array) => string;

/** What senders call a character set that iconv-lite knows by another name. */
const otherNames: Readonly<Record<string, string>> = {
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
};

/** Its own codecs, which are no character sets. */
const noCharsets = new Set(["base64", "hex", "binary", "internal"]);

const cache = new Map<string, Decode | undefined>();

/**
 * Decodes what the parser cannot: UTF-7, UTF-32, the Macintosh's and the PC's old sets, and three that switch between two
 * sets. Undefined for what the parser knows itself, and for what nobody knows.
 */
function otherDecoder(label: string): Decode | undefined {
  const name = label.trim().toLowerCase();
  if (name === "" || name.length > 40) return undefined;
  if (!cache.has(name)) {
    // A sender may make up names for ever.
    if (cache.size > 200) cache.clear();
    cache.set(name, decoderFor(name));
  }
  return cache.get(name);
}

function decoderFor(name: string): Decode | undefined {
  if (westernNames.test(name)) return undefined;
  const shifting = shiftingSets[name];
  if (shifting !== undefined) return (bytes) => shifted(bytes, shifting);
  if (isKnownToNode(name)) return undefined;
  const known = [otherNames[name], name, name.replace(/^x-/, ""), name.replace(/-20\d\d$/, "")]
    .filter((one) => one !== undefined && !noCharsets.has(one))
    .find((one) => one !== undefined && iconv.encodingExists(one));
  return known === undefined ? undefined : (bytes) => iconv.decode(bytes, known);
}

function isKnownToNode(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== "";
  } catch {
    return false;
  }
}

interface ShiftingSet {
  /** What begins and ends a run of the other set. */
  on: string;
  off: string;
  /** Written before the first run, and no text. */
  announcement: RegExp | undefined;
  /** The eight-bit set whose right half the runs are. */
  charset: string;
}

const [escape, shiftOut, shiftIn] = ["\u001B", "\u000E", "\u000F"];
const announcement = new RegExp(`${escape}\\$[)*+][A-Z]`, "g");

/** Seven-bit sets that shift to another one and back. */
const shiftingSets: Readonly<Record<string, ShiftingSet>> = {
  // RFC 1557.
  "iso-2022-kr": { on: shiftOut, off: shiftIn, announcement, charset: "euc-kr" },
  // RFC 1922, of which mail only ever used GB 2312.
  "iso-2022-cn": { on: shiftOut, off: shiftIn, announcement, charset: "gbk" },
  // RFC 1843, without its `~~` for a tilde, which nobody writes.
  "hz-gb-2312": { on: "~{", off: "~}", announcement: undefined, charset: "gbk" },
};

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

/** What ISO-2022-JP (RFC 1468) changes its set with. Terminals have none of these, and neither has Chinese or Korean. */
const japanese = new RegExp(`${escape}(?:\\$[@B]|\\([IJ])`);

/** Made once: a line each that needs one may be very many. */
const iso2022jp = new TextDecoder("iso-2022-jp");

/** Undefined where it is not in ISO-2022-JP: its own escapes tell, whatever was declared. */
function japaneseText(bytes: Uint8Array): string | undefined {
  if (!bytes.includes(0x1b) || !isAscii(bytes)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  return japanese.test(text) ? iso2022jp.decode(bytes) : undefined;
}

const utf8 = new TextDecoder("utf-8");

/** Windows-1252. Not by TextDecoder: Node 20's makes control characters of its quotation marks and of the euro sign. */
function western(bytes: Uint8Array): string {
  return iconv.decode(bytes, "windows-1252");
}

/** What the WHATWG's Encoding Standard reads as windows-1252, and programs declare that do not know what they send. */
const westernNames =
  /^(?:us-ascii|ascii|ansi_x3\.4-1968|iso[-_]?8859-?1|latin-?1|l1|(?:x-)?cp-?1252|windows-?1252)$/i;

/**
 * The text where its declared character set is one that the parser cannot read or plainly not the right one: UTF-8 under a
 * western name, bytes that are no UTF-8 under UTF-8's, or ISO-2022-JP under any. Undefined where the parser reads it as well.
 */
export function betterDecoded(bytes: Uint8Array, label: string | undefined): string | undefined {
  const charset = label?.trim().toLowerCase() ?? "";
  const decode = otherDecoder(charset);
  if (decode !== undefined) return decode(bytes);
  if (isAscii(bytes)) return japaneseText(bytes);
  if (charset === "" || /^utf-?8$/.test(charset))
    return isUtf8(bytes) ? undefined : whicheverReads(bytes);
  if (!westernNames.test(charset) && isKnownToParser(charset)) return undefined;
  return isUtf8(bytes) ? utf8.decode(bytes) : western(bytes);
}

/** Names that differ from a known one by a prefix or a separator only; the parser sees to those. Databases say `utf8mb4`. */
function isKnownToParser(name: string): boolean {
  if (/^(?:utf-?8[a-z]|8-?bit)/.test(name)) return false;
  return (
    isKnownToNode(name) || isKnownToNode(name.replace(/^(?:x-ms-|x-|cs)/, "")) || /\d/.test(name)
  );
}

/** A few broken bytes do not make a text western: then there are whole characters of UTF-8 as well. */
function whicheverReads(bytes: Uint8Array): string {
  const text = utf8.decode(bytes);
  const broken = text.match(/\uFFFD/g)?.length ?? 0;
  const whole = text.match(/[\u0080-\uFFFC]/g)?.length ?? 0;
  return whole >= broken ? text : western(bytes);
}

const headerUtf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** A line of headers whose bytes nobody encoded: ISO-2022-JP by its escapes, UTF-8 (RFC 6532), else windows-1252. */
export function headerText(line: Uint8Array): string {
  // Asked first: an error for each of very many lines takes seconds.
  return japaneseText(line) ?? (isUtf8(line) ? headerUtf8.decode(line) : western(line));
}

/** Text of a declared, or else of the likeliest character set. */
export function decodedText(bytes: Uint8Array, label?: string): string {
  const better = betterDecoded(bytes, label);
  if (better !== undefined) return better;
  const isNamed = label !== undefined && isKnownToNode(label) && !isAscii(bytes);
  return (isNamed ? new TextDecoder(label) : utf8).decode(bytes);
}
