/** One file between `begin` and `end`, as uuencode writes it (POSIX, uuencode). */
export interface UuFile {
  name: string;
  content: Uint8Array;
}

const beginning = /^begin(?:-base64)? [0-7]{3,4} (\S.{0,254})$/;

/** Limit on files per text. Further ones stay text. */
const mostFiles = 100;

/**
 * Separates uuencoded files from a text, as in old mail and reports. An incomplete block stays text, because a person
 * may have written it. Works on bytes, because a block may be as long as the message.
 */
export function uuFiles(text: Uint8Array): { text: Uint8Array; files: UuFile[] } {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.length);
  const files: UuFile[] = [];
  const kept: Uint8Array[] = [];
  let from = 0;
  for (let at = beginFrom(bytes, 0); at !== -1 && files.length < mostFiles;) {
    const first = lineAt(bytes, at);
    const line = first.line.toString("utf-8");
    const name = beginning.exec(line.trimEnd())?.[1];
    const block = name === undefined ? undefined : blockAt(bytes, first.next, line[5] === "-");
    if (name !== undefined && block !== undefined) {
      files.push({ name, content: block.content });
      kept.push(
        bytes.subarray(from, at),
        Buffer.from(`[The file ${name} was moved to the attachments.]\n`),
      );
      from = block.next;
    }
    at = beginFrom(bytes, block?.next ?? first.next);
  }
  return { text: from === 0 ? text : Buffer.concat([...kept, bytes.subarray(from)]), files };
}

/** Returns the start of the next line that begins with `begin`, from this offset on. */
function beginFrom(bytes: Buffer, from: number): number {
  if (from === 0 && bytes.subarray(0, 5).equals(Buffer.from("begin"))) return 0;
  const at = bytes.indexOf("\nbegin", Math.max(0, from - 1), "latin1");
  return at === -1 ? -1 : at + 1;
}

/** Returns a line without its end, and the start of the next one. */
function lineAt(bytes: Buffer, at: number): { line: Buffer; next: number } {
  const lf = bytes.indexOf(0x0a, at);
  const end = lf === -1 ? bytes.length : lf;
  const line = bytes.subarray(at, end > at && bytes[end - 1] === 0x0d ? end - 1 : end);
  return { line, next: lf === -1 ? bytes.length : lf + 1 };
}

function blockAt(
  bytes: Buffer,
  start: number,
  isBase64: boolean,
): { content: Uint8Array; next: number } | undefined {
  const decoded = isBase64 ? base64Line : uuLine;
  const last = isBase64 ? "====" : "end";
  // There are two passes, for the end and for the bytes. Pieces for each line would need several times the memory.
  let end = start;
  for (let isLast = false; !isLast;) {
    const { line, next } = lineAt(bytes, end);
    isLast = line.length === last.length && line.toString("latin1") === last;
    if (!isLast && (next === bytes.length || decoded(line) === undefined)) return undefined;
    if (!isLast) end = next;
  }
  if (end === start) return undefined;
  const content = Buffer.alloc(end - start);
  let length = 0;
  for (let at = start; at < end;) {
    const { line, next } = lineAt(bytes, at);
    length += decoded(line)?.copy(content, length) ?? 0;
    at = next;
  }
  return { content: content.subarray(0, length), next: lineAt(bytes, end).next };
}

/** Decodes a line of base64. Stops at the start of another block, which would otherwise be searched once per block. */
function base64Line(line: Buffer): Buffer | undefined {
  const text = line.toString("latin1");
  return text.startsWith("begin-") ? undefined : Buffer.from(text, "base64");
}

/** Decodes a line. Its first character gives the number of bytes. Blanks at the end may have been lost in transport. */
function uuLine(line: Buffer): Buffer | undefined {
  if (line.every((byte) => byte === 0x20 || byte === 0x09)) return Buffer.alloc(0);
  const length = sixBits(line, 0);
  const groups = Math.ceil(length / 3);
  // Some programs add a checksum character.
  if (line.length > 1 + groups * 4 + 2 || line.length < groups * 2) return undefined;
  const bytes = Buffer.alloc(groups * 3);
  for (let group = 0; group < groups; group += 1) {
    const at = 1 + group * 4;
    for (let index = at; index < Math.min(at + 4, line.length); index += 1) {
      const code = line[index] ?? 0;
      if (code < 0x20 || code > 0x60) return undefined;
    }
    const [a, b, c, d] = [0, 1, 2, 3].map((index) => sixBits(line, at + index));
    const value = ((a ?? 0) << 18) | ((b ?? 0) << 12) | ((c ?? 0) << 6) | (d ?? 0);
    bytes.writeUIntBE(value, group * 3, 3);
  }
  return bytes.subarray(0, length);
}

function sixBits(line: Buffer, at: number): number {
  return at < line.length ? ((line[at] ?? 0) - 0x20) & 0x3f : 0;
}
