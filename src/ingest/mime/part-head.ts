import { isUtf8 } from "node:buffer";
import { headerText } from "./charset.ts";
import { mailLimits } from "../pipeline/limits.ts";

/**
 * The headers of a part with the empty line that ends them, as the parser can read them: in UTF-8, and without extended names
 * that are empty, which it takes for the name. Undefined where they are so already.
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

/** Each header with its continuations, line ends and all. */
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
  // An empty section of a name that has others may say its character set.
  const kept = parameters.filter((_, index) => {
    const name = names[index];
    return name === undefined || given.has(name.of);
  });
  if (kept.length === parameters.length) return header;
  const rest = kept.join(";");
  return rest.endsWith("\n") ? rest : `${rest}${/\r?\n$/.exec(header)?.[0] ?? ""}`;
}

/** `filename*`, `name*1*` and the like (RFC 2231); undefined for any other parameter. */
function extendedName(parameter: string): { of: string; isEmpty: boolean } | undefined {
  const equals = parameter.indexOf("=");
  const key = parameter.slice(0, Math.max(0, equals)).trim().toLowerCase();
  const [, of, section] = /^((?:file)?name)\*(\d{0,4}\*?)$/.exec(key) ?? [];
  if (of === undefined) return undefined;
  const value = parameter.slice(equals + 1).trim();
  const bare = value.length > 1 && value.startsWith('"') ? value.slice(1, -1) : value;
  // Only the first one says in which character set and language it is.
  const words = section === "" || section === "0*" ? bare.replace(/^[^']*'[^']*'/, "") : bare;
  return { of, isEmpty: /^(?:%20|\s)*$/.test(words) };
}

/** Parted at each semicolon that stands in no quotation marks. */
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
