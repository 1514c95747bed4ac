import { randomUUID } from "node:crypto";
import { mailLimits } from "../pipeline/limits.ts";
import { encodingOf, type Gap, type LeafPart, readAs, type Rest } from "./mime-parts.ts";
import { sentBytes } from "./transfer-encoding.ts";
import { type UuFile, uuFiles } from "./uuencode.ts";

/** What of one message is too large for the parser, which keeps several times of all that it reads. */
export interface LargeParts {
  /** What the parser gets instead of a file that was sent along; undefined where it gets the file. */
  standInFor(part: LeafPart, bytes: number, content: () => Uint8Array): Uint8Array | undefined;
  /** The content for which a part stands in that the parser has read. */
  behind(content: Uint8Array): (() => Uint8Array) | undefined;
  /** How many parts the parser has something else for. */
  readonly setAside: number;
  /** The beginning of a text, decoded, where not all of it is read. */
  beginningOf(part: LeafPart, body: Uint8Array): Uint8Array | undefined;
  /** What the parser gets instead of what belongs to no part. */
  ofGap(gap: Gap): [] | undefined;
  /** What the parser gets instead of what follows on too many parts. */
  ofRest(rest: Rest): [] | undefined;
  /** Files that stood in such texts. */
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
      // The parser puts a calendar's file into UTF-8, where it is not that large.
      const least = { file: mailLimits.asideBytes, calendar: mailLimits.mendedBytes };
      if (!setsAside || (kind !== "file" && kind !== "calendar") || bytes < least[kind])
        return undefined;
      const name = randomUUID();
      aside.set(name, once(content));
      return Buffer.from(name);
    },
    // The parser ends a calendar's file with a line end of its own.
    behind: (content) =>
      content.length < 40 ? aside.get(Buffer.from(content).toString("latin1").trim()) : undefined,
    get setAside() {
      return aside.size;
    },
    beginningOf: (part, body) => {
      const kind = readAs(part);
      if (kind !== "plain" && kind !== "html") return undefined;
      // Beside parts of the other kind, and not as their other form, the parser makes one of that kind of it.
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
      // Millions of CRs cost more to take out of a string.
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

/** Pictures that stand in a page itself (RFC 2397) are most of its bytes and nothing of its text. */
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

/** Letters, digits, `+`, `/`, `=`; line ends. */
function isBase64(byte: number): boolean {
  const letter = byte | 0x20;
  if (letter >= 0x61 && letter <= 0x7a) return true;
  return (byte >= 0x2f && byte <= 0x39) || [0x2b, 0x3d, 0x0d, 0x0a].includes(byte);
}

function once(make: () => Uint8Array): () => Uint8Array {
  let made: Uint8Array | undefined;
  return () => (made ??= make());
}
