/** One file between `begin` and `end`, as uuencode writes it (POSIX, uuencode). */
export interface UuFile {
  name: string;
  content: Uint8Array;
}

const beginning = /^begin(?:-base64)? [0-7]{3,4} (\S.{0,254})$/;

/** Files that a text may hold; what comes after them stays text. */
const mostFiles = 100;

/**
 * Takes the uuencoded files out of a text, as mail of the nineties and reports of old systems carry them. A block that is
 * not whole stays where it is: it may be somebody's words.
 */
export function uuFiles(text: string): { text: string; files: UuFile[] } {
  const files: UuFile[] = [];
  if (!/^begin(?:-base64)? [0-7]{3}/m.test(text)) return { text, files };
  const lines = text.split("\n");
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = (lines[at] ?? "").trimEnd();
    const name = files.length < mostFiles ? beginning.exec(line)?.[1] : undefined;
    const block =
      name === undefined ? undefined : blockAt(lines, at + 1, line.startsWith("begin-"));
    if (name === undefined || block === undefined) {
      kept.push(lines[at] ?? "");
      continue;
    }
    files.push({ name, content: block.content });
    kept.push(`[The file ${name} stood here: it is an attachment.]`);
    at = block.end;
  }
  return { text: kept.join("\n"), files };
}

function blockAt(
  lines: readonly string[],
  start: number,
  isBase64: boolean,
): { content: Uint8Array; end: number } | undefined {
  const pieces: Uint8Array[] = [];
  for (let at = start; at < lines.length; at += 1) {
    const line = (lines[at] ?? "").replace(/\r$/, "");
    if (line === (isBase64 ? "====" : "end")) {
      return at === start ? undefined : { content: Buffer.concat(pieces), end: at };
    }
    const piece = isBase64 ? Buffer.from(line, "base64") : uuLine(line);
    if (piece === undefined) return undefined;
    pieces.push(piece);
  }
  return undefined;
}

/** The first character says how many bytes the line has; blanks at its end may have been lost on the way. */
function uuLine(line: string): Uint8Array | undefined {
  if (line.trim() === "") return Buffer.alloc(0);
  const length = sixBits(line, 0);
  const groups = Math.ceil(length / 3);
  // Some programs add a checksum character.
  if (line.length > 1 + groups * 4 + 2 || line.length < groups * 2) return undefined;
  const bytes = Buffer.alloc(groups * 3);
  for (let group = 0; group < groups; group += 1) {
    const at = 1 + group * 4;
    for (let index = at; index < Math.min(at + 4, line.length); index += 1) {
      const code = line.charCodeAt(index);
      if (code < 0x20 || code > 0x60) return undefined;
    }
    const [a, b, c, d] = [0, 1, 2, 3].map((index) => sixBits(line, at + index));
    const value = ((a ?? 0) << 18) | ((b ?? 0) << 12) | ((c ?? 0) << 6) | (d ?? 0);
    bytes.writeUIntBE(value, group * 3, 3);
  }
  return bytes.subarray(0, length);
}

function sixBits(line: string, at: number): number {
  return at < line.length ? (line.charCodeAt(at) - 0x20) & 0x3f : 0;
}
