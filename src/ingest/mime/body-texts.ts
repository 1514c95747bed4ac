import { decodedText } from "./charset.ts";
import { isFlowed, unflowed } from "./flowed.ts";
import { decodedPage } from "./page-charset.ts";
import { mailLimits } from "../pipeline/limits.ts";
import type { LeafPart } from "./mime-parts.ts";
import { partContent } from "./content/part-content.ts";
import { type UuFile, uuFiles } from "./content/uuencode.ts";

type Kind = "plain" | "html";

/** The body texts of one message, in order. All of them share one limit for each kind. */
export interface BodyTexts {
  add(kind: Kind, part: LeafPart, body: Uint8Array): void;
  /** Returns the plain text and the HTML page. A form that does not show the whole message is undefined. */
  joined(): Record<"text" | "html", string | undefined>;
  /** Uuencoded files that the plain texts contained. */
  readonly files: readonly UuFile[];
  /** Bytes of the texts that are not read. */
  readonly leftOut: Readonly<Record<Kind, number>>;
}

/**
 * Creates the texts of one message.
 * @param bytesBehind bytes after the last part that was read
 */
export function createBodyTexts(bytesBehind: number): BodyTexts {
  const most: number = mailLimits.untidiedBytes;
  const left = { plain: most, html: most };
  const leftOut = { plain: bytesBehind, html: bytesBehind };
  const files: UuFile[] = [];
  /** The texts, grouped by their multipart/alternative. A text outside any is a group of its own. */
  const groups = new Map<object, Partial<Record<Kind, string[]>>>();

  function bounded(kind: Kind, part: LeafPart, sent: Uint8Array): Uint8Array {
    const whole = kind === "html" ? withoutPictures(sent, left.html) : withoutFiles(sent);
    const start = whole.subarray(0, left[kind]);
    leftOut[kind] += whole.length - start.length;
    left[kind] -= start.length;
    // A text that has no HTML form is a part of the page too.
    const other = kind === "plain" ? "html" : "plain";
    if (part.alternative === undefined) left[other] = Math.max(0, left[other] - start.length);
    return start;
  }

  function withoutFiles(text: Uint8Array): Uint8Array {
    const found = uuFiles(text);
    files.push(...found.files);
    return found.text;
  }

  return {
    add: (kind, part, body) => {
      const content = partContent(part, body);
      // NULs show UTF-16 or UTF-32, whose line ends transfer decoding would break.
      const bytes = bounded(kind, part, body.includes(0) ? body : content.bytes);
      const flows = kind === "plain" && isFlowed(part.type);
      const charset = part.type.parameter("charset");
      const decode = kind === "html" ? decodedPage : decodedText;
      const text = decode(flows ? unflowed(bytes, part.type) : bytes, charset);
      const footer = content.footer === undefined ? "" : decodedText(content.footer);
      const group = groups.get(part.alternative ?? part) ?? {};
      groups.set(part.alternative ?? part, group);
      (group[kind] ??= []).push(footer === "" ? text : `${text}\n${asKind(kind, footer)}`);
    },
    joined: () => {
      const all = [...groups.values()];
      const isPage = all.some(({ html }) => html !== undefined);
      const isPlain = all.length > 0 && all.every(({ plain }) => plain !== undefined);
      const page = all.flatMap(({ plain = [], html }) => html ?? plain.map(preformatted));
      return {
        text: isPlain ? all.flatMap(({ plain = [] }) => plain).join("\n") : undefined,
        html: isPage ? page.join("\n") : undefined,
      };
    },
    files,
    leftOut,
  };
}

/** A tag that makes a footer HTML. Other text in angle brackets may be an address. */
const tag = /<\/?(?:a|b|br|div|font|hr|i|p|pre|small|span|table|ul)(?=[\s/>])[^<>]*>/i;

/**
 * Returns a footer in the kind of the text. The program that added it did not know the text's character set, so it is
 * decoded separately.
 */
function asKind(kind: Kind, footer: string): string {
  return kind === "plain" || tag.test(footer) ? footer : preformatted(footer);
}

function preformatted(text: string): string {
  return `<pre>${text.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</pre>`;
}

/** Removes inline pictures (RFC 2397) from a long page. They make up most of its bytes and contain no text. */
function withoutPictures(page: Uint8Array, maxBytes: number): Uint8Array {
  if (page.length <= maxBytes) return page;
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
