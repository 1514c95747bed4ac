import { randomUUID } from "node:crypto";
import { mailLimits } from "../pipeline/limits.ts";
import { encodingOf, type Gap, type LeafPart, readAs, type Rest } from "./mime-parts.ts";
import { sentBytes } from "./transfer-encoding.ts";
import { type UuFile, uuFiles } from "./uuencode.ts";

/** The parts of one message that are too large for the parser, which needs several times their size in memory. */
export interface LargeParts {
  /** Returns a placeholder that the parser gets instead of an attachment, or undefined if it gets the attachment. */
  standInFor(part: LeafPart, bytes: number, content: () => Uint8Array): Uint8Array | undefined;
  /** Returns the content that a parsed placeholder represents. */
  behind(content: Uint8Array): (() => Uint8Array) | undefined;
  /** The number of parts that have a placeholder. */
  readonly setAside: number;
  /** Returns the decoded beginning of a text that is not read in full. */
  beginningOf(part: LeafPart, body: Uint8Array): Uint8Array | undefined;
  /** Returns a replacement for bytes between parts. */
  ofGap(gap: Gap): [] | undefined;
  /** Returns a replacement for the bytes after too many parts. */
  ofRest(rest: Rest): [] | undefined;
  /** Files inside of such texts. */
  readonly files: readonly UuFile[];
  /** Bytes of the texts that are not read. */
  readonly leftOut: Readonly<Record<"plain" | "html", number>>;
}

export function createLargeParts({ setsAside }: { setsAside: boolean }): LargeParts {
  const aside = new Map<string, () => Uint8Array>();
  const files: UuFile[] = [];
  const leftOut = { plain: 0, html: 0 };
  const most: number = mailLimits.untidiedBytes;
  const left = { plain: most, html: most };

  return {
    standInFor: (part, bytes, content) => {
      const kind = readAs(part);
      // The parser converts calendar files to UTF-8 unless they are very large.
      const least = { file: mailLimits.asideBytes, calendar: mailLimits.mendedBytes };
      if (!setsAside || (kind !== "file" && kind !== "calendar") || bytes < least[kind])
        return undefined;
      const name = randomUUID();
      aside.set(name, once(content));
      return Buffer.from(name);
    },
    // The parser adds a line end to a calendar file.
    behind: (content) =>
      content.length < 40 ? aside.get(Buffer.from(content).toString("latin1").trim()) : undefined,
    get setAside() {
      return aside.size;
    },
    beginningOf: (part, body) => {
      const kind = readAs(part);
      if (kind !== "plain" && kind !== "html") return undefined;
      // If parts of the other kind exist and this is not their alternative form, the parser converts it to that kind.
      const take = (bytes: number): void => {
        left[kind] -= bytes;
        const other = kind === "plain" ? "html" : "plain";
        if (!part.isInAlternative) left[other] = Math.max(0, left[other] - bytes);
      };
      if (body.length <= left[kind]) {
        take(body.length);
        return undefined;
      }
      const encoding = encodingOf(part);
      const isRaw = !/base64|quoted-printable/.test(encoding);
      let text = isRaw ? body : sentBytes(body, encoding);
      if (kind === "html") text = withoutPictures(text);
      else {
        const found = uuFiles(text);
        files.push(...found.files);
        text = found.text;
      }
      const start = text.subarray(0, left[kind]);
      take(start.length);
      leftOut[kind] += text.length - start.length;
      // Removing millions of CRs is cheaper on bytes than on a string.
      return isRaw ? sentBytes(start, "") : start;
    },
    ofRest: ({ start, end }) => {
      if (!setsAside) return undefined;
      leftOut.plain += end - start;
      leftOut.html += end - start;
      return [];
    },
    ofGap: ({ start, end }) => (end - start < mailLimits.asideBytes ? undefined : []),
    files,
    leftOut,
  };
}

/** Removes inline pictures (RFC 2397), which are most of a page's bytes and contain no text. */
function withoutPictures(page: Uint8Array): Uint8Array {
  const bytes = Buffer.from(page.buffer, page.byteOffset, page.length);
  const mark = ";base64,";
  const kept: Uint8Array[] = [];
  let from = 0;
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at)) {
    at += mark.length;
    const start = at;
    while (at < bytes.length && isBase64(bytes[at] ?? 0)) at += 1;
    if (at - start < 1_000) continue;
    kept.push(bytes.subarray(from, start));
    from = at;
  }
  return from === 0 ? page : Buffer.concat([...kept, bytes.subarray(from)]);
}

/** Recognises letters, digits, `+`, `/`, `=` and line ends. */
function isBase64(byte: number): boolean {
  const letter = byte | 0x20;
  if (letter >= 0x61 && letter <= 0x7a) return true;
  return (byte >= 0x2f && byte <= 0x39) || [0x2b, 0x3d, 0x0d, 0x0a].includes(byte);
}

function once(make: () => Uint8Array): () => Uint8Array {
  let made: Uint8Array | undefined;
  return () => (made ??= make());
}
