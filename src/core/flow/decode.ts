import { normalised, visibleForms } from "./normalise.ts";
import { type Reading, replaced, reversed, verbatim } from "./reading.ts";

/** Levels of nested encodings that are decoded. Each level costs further passes over the text. */
const maxDepth = 3;
/** Readings of one text, not counting reversed ones. Bounds the work for a text that decodes in many ways. */
const maxReadings = 12;

const utf8 = new TextDecoder("utf-8", { fatal: true });
// oxlint-disable-next-line no-control-regex -- these show that bytes are binary
const unprintable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFD]/;

const base64Form = /[A-Za-z0-9+/_-]{6,}={0,2}/g;
const hexForm =
  /(?<![0-9a-z])(?:0x|\\x)?[0-9a-f]{2}(?:[\s:,.-]{0,2}(?:0x|\\x)?[0-9a-f]{2}){2,}(?![0-9a-z])/gi;
/** One word at a time. `hexForm` would include a neighbour like "facade", which has only hexadecimal digits too. */
const hexWordForm = /(?<![0-9a-z])(?:[0-9a-f]{2}){3,}(?![0-9a-z])/gi;
const percentForm = /(?:%[0-9a-f]{2})+/gi;
const entityForm = /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});?|\\u[0-9a-f]{4}/gi;

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

/** Returns the normalised readings of a text: as it is, and decoded. Each is followed by its reverse. */
export function readingsOf(text: string): readonly Reading[] {
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
  return found.map(normalised).flatMap((reading) => [reading, reversed(reading)]);
}

function decodings(source: Reading): Reading[] {
  const { text } = source;
  const squeezed = replaced(source, /\s+/g, () => "");
  return [
    /%[0-9a-f]{2}/i.test(text) ? replaced(source, percentForm, percentDecoded) : undefined,
    /&[#a-z]|\\u/i.test(text) ? replaced(source, entityForm, entityDecoded) : undefined,
    replaced(source, hexForm, hexDecoded),
    replaced(source, hexWordForm, hexDecoded),
    replaced(source, base64Form, base64Decoded),
    // Base64 that is split by spaces or line breaks, as mail programs write it.
    squeezed && replaced(squeezed, base64Form, base64Decoded),
    squeezed && replaced(squeezed, /^[A-Za-z0-9+/_-]{6,}={0,2}$/g, base64Decoded),
  ].filter((reading) => reading !== undefined);
}

function base64Decoded(run: string): string | undefined {
  const digits = run.replace(/=+$/, "");
  // A single digit is left over. It is too short for a byte, so this is not base64.
  if (digits.length % 4 === 1) return undefined;
  return printable(Buffer.from(digits, "base64url"));
}

function hexDecoded(run: string): string | undefined {
  return printable(Buffer.from(run.replace(/0x|\\x|[\s:,.-]/gi, ""), "hex"));
}

function percentDecoded(run: string): string | undefined {
  return printable(Buffer.from(run.replaceAll("%", ""), "hex"));
}

function entityDecoded(entity: string): string | undefined {
  const unicode = /^\\u(.{4})$/.exec(entity)?.[1];
  const [, decimal, hexadecimal, name] =
    /^&(?:#(\d+)|#[xX]([0-9a-fA-F]+)|([a-zA-Z]+));?$/.exec(entity) ?? [];
  if (name !== undefined) return namedEntities[name.toLowerCase()];
  const digits = unicode ?? hexadecimal;
  const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  return Number.isInteger(code) && code > 0 && code <= 0x10_ff_ff
    ? String.fromCodePoint(code)
    : undefined;
}

function printable(bytes: Uint8Array): string | undefined {
  if (bytes.length < 1) return undefined;
  try {
    const text = utf8.decode(bytes);
    return unprintable.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
