import { isUtf8 } from "node:buffer";
import { headerText } from "./charset.ts";
import { mailLimits } from "../pipeline/limits.ts";

/**
 * Converts the headers of a part for the parser: to UTF-8, without empty extended names, which it would use as the
 * name. The empty line at the end is included. Returns undefined if they need no change.
 */
export function readableHead(head: Uint8Array): Uint8Array | undefined {
  if (head.length > mailLimits.headerBytes) return undefined;
  const isReadable = isUtf8(head) && !head.includes(0x1b);
  if (isReadable && !/name\*/i.test(latin1(head))) return undefined;
  const lines: string[] = [];
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
  for (let start = 0; start < bytes.length;) {
    const lf = bytes.indexOf(0x0a, start);
    const next = lf === -1 ? bytes.length : lf + 1;
    lines.push(headerText(bytes.subarray(start, next)));
    start = next;
  }
  const headers = unfolded(lines);
  const mended = headers.map(withoutEmptyNames);
  const isSame = isReadable && mended.every((header, index) => header === headers[index]);
  return isSame ? undefined : Buffer.from(mended.join(""));
}

/** Groups each header with its continuation lines and line ends. */
function unfolded(lines: readonly string[]): string[] {
  const headers: string[][] = [];
  for (const line of lines) {
    const last = headers.at(-1);
    if (last !== undefined && /^[ \t]/.test(line)) last.push(line);
    else headers.push([line]);
  }
  return headers.map((header) => header.join(""));
}

function withoutEmptyNames(header: string): string {
  if (!/^content-(?:type|disposition)\s*:/i.test(header)) return header;
  const parameters = parametersOf(header);
  const names = parameters.map(extendedName);
  const given = new Set(names.map((name) => (name?.isEmpty === false ? name.of : undefined)));
  // The empty first section of a name may carry its character set.
  const kept = parameters.filter((_, index) => {
    const name = names[index];
    return name === undefined || given.has(name.of);
  });
  if (kept.length === parameters.length) return header;
  const rest = kept.join(";");
  return rest.endsWith("\n") ? rest : `${rest}${/\r?\n$/.exec(header)?.[0] ?? ""}`;
}

/** Parses `filename*`, `name*1*` and similar parameters (RFC 2231). Undefined for any other parameter. */
function extendedName(parameter: string): { of: string; isEmpty: boolean } | undefined {
  const equals = parameter.indexOf("=");
  const key = parameter.slice(0, Math.max(0, equals)).trim().toLowerCase();
  const [, of, section] = /^((?:file)?name)\*(\d{0,4}\*?)$/.exec(key) ?? [];
  if (of === undefined) return undefined;
  const value = parameter.slice(equals + 1).trim();
  const bare = value.length > 1 && value.startsWith('"') ? value.slice(1, -1) : value;
  // Only the first section names a character set and language.
  const words = section === "" || section === "0*" ? bare.replace(/^[^']*'[^']*'/, "") : bare;
  return { of, isEmpty: /^(?:%20|\s)*$/.test(words) };
}

/** Splits a header at each semicolon outside of quotation marks. */
function parametersOf(header: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < header.length; at += 1) {
    const sign = header[at];
    if (sign === '"') isQuoted = !isQuoted;
    else if (isQuoted && sign === "\\") at += 1;
    else if (!isQuoted && sign === ";") {
      parts.push(header.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, header.slice(start)];
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
