import { isUtf8 } from "node:buffer";
import { visibleForms } from "./normalise.ts";
import { type Reading, replaced, verbatim } from "./reading.ts";

/** Levels of nested encodings that are decoded. Each level costs further passes over the text. */
const maxDepth = 3;
/** Decoded forms of one text. Bounds the work for a text that decodes in many ways. */
const maxReadings = 12;

// oxlint-disable-next-line no-control-regex -- these show that bytes are binary
const unprintable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFD]/;

const base64Form = /[A-Za-z0-9+/_-]{6,}={0,2}/g;
const splitBase64 = /^\s*[A-Za-z0-9+/_-]{2,}(?:\s+[A-Za-z0-9+/_-]+)+={0,2}\s*$/;
/** Encoded text with a separator between all characters. */
const spacedForm =
  /(?<!\S)(?:[A-Za-z0-9+/_-][ .,|]){5,}[A-Za-z0-9+/_-](?:[ .,|]=){0,2}(?![^\s.,])/g;
/** Encoded text backwards, so that its padding comes first. */
const backwardsForm = /={0,2}[A-Za-z0-9+/_-]{6,}/g;
const hexForm =
  /(?<![0-9a-z])(?:0x|\\x)?[0-9a-f]{2}(?:[\s:,.-]{0,2}(?:0x|\\x)?[0-9a-f]{2}){2,}(?![0-9a-z])/gi;
/** One word at a time. `hexForm` would include a neighbour like "facade", which has only hexadecimal digits too. */
const hexWordForm = /(?<![0-9a-z])(?:[0-9a-f]{2}){3,}(?![0-9a-z])/gi;
/** The encodings of bytes by digits: binary, decimal and octal. */
const binaryForm = /(?<!\d)(?:[01]{8}[\s,]{0,2}){3,}(?!\d)/g;
const characterCodes = /(?<!\d)(?:\d{2,3}[\s,;.-]{1,2}){3,}\d{2,3}(?!\d)/g;
const octalForm = /(?:\\[0-3]?[0-7]{2}){3,}/g;
const base32Form = /(?<![A-Za-z0-9])(?:[A-Z2-7]{7,}|[a-z2-7]{7,})={0,6}/g;
const base32Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const quotedForm = /(?:=[0-9a-f]{2})+/gi;
const percentForm = /(?:%[0-9a-f]{2})+/gi;
const entityForm =
  /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});?|\\u\{[0-9a-f]{1,6}\}|\\u[0-9a-f]{4}|(?<![0-9a-z])U\+[0-9a-f]{4,6}(?:\s(?=U\+))?/gi;

const namedEntities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  shy: "",
  hyphen: "-",
  dash: "-",
  commat: "@",
  period: ".",
  colon: ":",
  sol: "/",
  lowbar: "_",
  num: "#",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  szlig: "ß",
  eacute: "é",
  egrave: "è",
  agrave: "à",
  ccedil: "ç",
  ntilde: "ñ",
};

/** Returns a text without invisible characters, and the texts that it decodes to. Case and accents are unchanged. */
export function decodedForms(text: string): readonly Reading[] {
  const first = visibleForms(verbatim(text));
  const seen = new Set([first.text]);
  const found = [first];
  let level = [first];
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    level = level.flatMap(decodings).filter(({ text: decoded }) => {
      if (seen.has(decoded) || seen.size >= maxReadings) return false;
      seen.add(decoded);
      return true;
    });
    found.push(...level);
  }
  return found;
}

function decodings(source: Reading): Reading[] {
  const { text } = source;
  return [
    /%[0-9a-f]{2}/i.test(text) ? replaced(source, percentForm, percentDecoded) : undefined,
    /=[0-9a-f]{2}/i.test(text) ? replaced(source, quotedForm, hexDecoded) : undefined,
    /&[#a-z]|\\u|u\+/i.test(text) ? replaced(source, entityForm, entityDecoded) : undefined,
    replaced(source, hexForm, hexDecoded),
    replaced(source, hexWordForm, hexDecoded),
    replaced(source, binaryForm, binaryDecoded),
    replaced(source, characterCodes, codesDecoded),
    replaced(source, octalForm, octalDecoded),
    replaced(source, base32Form, base32Decoded),
    replaced(source, base64Form, base64Decoded),
    replaced(source, spacedForm, spacedDecoded),
    replaced(source, backwardsForm, backwardsDecoded),
    // Base64 that is split by spaces or line breaks, as mail programs write it.
    splitBase64.test(text) ? unspacedBase64(source) : undefined,
  ].filter((reading) => reading !== undefined);
}

function unspacedBase64(source: Reading): Reading | undefined {
  const squeezed = replaced(source, /\s+/g, () => "");
  return squeezed && replaced(squeezed, base64Form, base64Decoded);
}

function spacedDecoded(run: string): string | undefined {
  const joined = run.replace(/[ .,|]/g, "");
  return /^(?:[0-9a-f]{2})+$/i.test(joined) ? hexDecoded(joined) : base64Decoded(joined);
}

function backwardsDecoded(run: string): string | undefined {
  const turned = Array.from(run).toReversed().join("");
  return /^(?:[0-9a-f]{2})+$/i.test(turned) ? hexDecoded(turned) : base64Decoded(turned);
}

function base32Decoded(run: string): string | undefined {
  const digits = run.replace(/=+$/, "").toUpperCase();
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const digit of digits) {
    value = ((value << 5) | base32Digits.indexOf(digit)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >> bits) & 0xff);
  }
  return printable(Buffer.from(bytes));
}

function binaryDecoded(run: string): string | undefined {
  return printable(
    Buffer.from((run.match(/[01]{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))),
  );
}

function codesDecoded(run: string): string | undefined {
  const codes = run.split(/\D+/).map(Number);
  if (codes.some((code) => code < 0x20 || code > 0xff)) return undefined;
  return printable(Buffer.from(String.fromCharCode(...codes)));
}

function octalDecoded(run: string): string | undefined {
  return printable(
    Buffer.from(
      run
        .slice(1)
        .split("\\")
        .map((code) => Number.parseInt(code, 8)),
    ),
  );
}

function base64Decoded(run: string): string | undefined {
  // Encoded text has some letter in upper case, or a digit. Ordinary words do not.
  if (!/[A-Z\d]/.test(run)) return undefined;
  const digits = run.replace(/=+$/, "");
  // A single digit is left over. It is too short for a byte, so this is not base64.
  if (digits.length % 4 === 1) return undefined;
  return printable(Buffer.from(digits, "base64url"));
}

function hexDecoded(run: string): string | undefined {
  return printable(Buffer.from(run.replace(/0x|\\x|[\s:,.=-]/gi, ""), "hex"));
}

function percentDecoded(run: string): string | undefined {
  return printable(Buffer.from(run.replaceAll("%", ""), "hex"));
}

function entityDecoded(entity: string): string | undefined {
  const unicode = /^(?:\\u\{?|U\+)([0-9a-f]+)/i.exec(entity)?.[1];
  const [, decimal, hexadecimal, name] =
    /^&(?:#(\d+)|#[xX]([0-9a-fA-F]+)|([a-zA-Z]+));?$/.exec(entity) ?? [];
  if (name !== undefined) return namedEntities[name.toLowerCase()];
  const digits = unicode ?? hexadecimal;
  const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  return Number.isInteger(code) && code > 0 && code <= 0x10_ff_ff
    ? String.fromCodePoint(code)
    : undefined;
}

/** Returns whether every second byte is zero, as in UTF-16 of Latin letters. */
function isUtf16(bytes: Uint8Array): boolean {
  return (
    bytes.length >= 6 &&
    bytes.length % 2 === 0 &&
    bytes.every((byte, at) => (at % 2 === 0 ? byte !== 0 : byte === 0))
  );
}

function printable(bytes: Uint8Array): string | undefined {
  if (isUtf16(bytes)) return printable(Buffer.from(Buffer.from(bytes).toString("utf16le")));
  // A decoder that throws would cost more than the rest of the comparison.
  if (bytes.length === 0 || !isUtf8(bytes)) return undefined;
  const text = Buffer.from(bytes).toString("utf8");
  return unprintable.test(text) ? undefined : text;
}
