import { decodedText } from "./charset.ts";

/** A header such as `text/plain; charset=utf-8`: its value in lower case, and its parameters (RFC 2045 5.1). */
export interface StructuredHeader {
  value: string;
  /** Returns a parameter by its lower-case name, with its sections joined and decoded (RFC 2231). */
  parameter(name: string): string | undefined;
}

/** Parses a header without its comments. Of a repeated parameter the first one counts. */
export function structuredHeader(header: string): StructuredHeader {
  const [value = "", ...others] = splitPieces(header, true) ?? splitPieces(header, false) ?? [];
  const parameters = new Map<string, string>();
  for (const piece of others) {
    const equals = piece.indexOf("=");
    const name = piece.slice(0, Math.max(0, equals)).trim().toLowerCase();
    if (name !== "" && !parameters.has(name))
      parameters.set(name, unquoted(piece.slice(equals + 1).trim()));
  }
  return {
    value: unquoted(value.trim()).toLowerCase(),
    parameter: (name) => extended(parameters, name) ?? parameters.get(name),
  };
}

/** The beginning of a file name without quotation marks. Programs that write one write no comments. */
const unquotedName = /^\s*(?:file)?name\s*=\s*[^\s"]/i;

/**
 * Splits a header at each semicolon outside quotation marks and comments.
 * @returns undefined if comments are to be removed and one has no end
 */
function splitPieces(header: string, removesComments: boolean): string[] | undefined {
  const pieces: string[] = [];
  let piece = "";
  let before = " ";
  let isQuoted = false;
  let isValue = false;
  let depth = 0;
  for (let at = 0; at < header.length; at += 1) {
    let character = header[at] ?? "";
    // A parenthesis within a value is part of a name, as in `invoice(1).pdf` and `Annual report (final).pdf`.
    if (
      removesComments &&
      !isQuoted &&
      character === "(" &&
      (depth > 0 || !isValue || (before === " " && !unquotedName.test(piece)))
    ) {
      depth += 1;
      continue;
    }
    if (character === "\\" && (isQuoted || depth > 0)) {
      at += 1;
      character += header[at] ?? "";
    } else if (depth > 0) {
      if (character === ")") depth -= 1;
      continue;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && character === ";") {
      pieces.push(piece);
      piece = "";
      isValue = false;
      continue;
    } else if (!isQuoted && character === "=") isValue = true;
    if (depth > 0) continue;
    piece += character;
    before = character === "\t" ? " " : character;
  }
  return depth > 0 ? undefined : [...pieces, piece];
}

/** Removes the quotation marks of a value, and the text after the closing one. */
function unquoted(value: string): string {
  if (!value.startsWith('"')) return value.replaceAll('"', "");
  const content = /^"((?:[^"\\]|\\.)*)/s.exec(value)?.[1] ?? "";
  return content.replace(/\\(.)/gs, "$1");
}

/**
 * Joins the sections of an extended parameter (RFC 2231 3, 4.1).
 * @returns undefined if there are none, or if all are blank, as some programs write them before the real name
 */
function extended(parameters: ReadonlyMap<string, string>, name: string): string | undefined {
  const sections = [...parameters].flatMap(([key, value]) => {
    const [, of, number = "0", star] = /^([^*]+)\*(?:(\d{1,4})(\*)?)?$/.exec(key) ?? [];
    if (of !== name) return [];
    return [{ number: Number(number), value, isEncoded: key.endsWith("*") || star !== undefined }];
  });
  sections.sort((one, other) => one.number - other.number);
  let charset: string | undefined;
  let joined = "";
  let encoded: Uint8Array[] = [];
  const flush = (): void => {
    if (encoded.length > 0) joined += decodedText(Buffer.concat(encoded), charset ?? "utf-8");
    encoded = [];
  };
  for (const [index, { value, isEncoded }] of sections.entries()) {
    const [, declared, rest] =
      (isEncoded && index === 0 && /^([^']*)'[^']*'(.*)$/s.exec(value)) || [];
    if (declared !== undefined && declared !== "") charset = declared;
    if (isEncoded) encoded.push(percentDecoded(rest ?? value));
    else {
      flush();
      joined += value;
    }
  }
  flush();
  return joined.trim() === "" ? undefined : joined;
}

function percentDecoded(value: string): Uint8Array {
  const bytes = Buffer.from(value, "utf-8").toString("latin1");
  const decoded = bytes.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, "latin1");
}
