import { isUtf8 } from "node:buffer";

/** Rows of base64, which end after 60 to 76 characters. JSON has the line break as an escape. */
const rowEnds = /(?<=[A-Za-z0-9+/]{60})(?:\r?\n|\\n)(?=[A-Za-z0-9+/=])/g;
/** Base64 of at least 18 bytes. Parts of an address are left out, because they are ids. */
const base64 = /(?<![A-Za-z0-9+/_=?&%.:@-])[A-Za-z0-9+/_-]{24,}={0,2}/g;

/** A text with more of other characters is a picture or a program. */
const leastReadable = 0.9;
// oxlint-disable-next-line no-control-regex -- these show that bytes are binary
const controls = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFD]+/g;
/** Texts within other bytes. Shorter ones occur by chance. */
const textsInBytes = /[\u0020-\u007E]{6,}/g;

const utf8 = new TextDecoder();
const latin1 = new TextDecoder("latin1");
const utf16 = [new TextDecoder("utf-16le"), new TextDecoder("utf-16be")] as const;

/**
 * Returns the texts in base64 within a content. Files that are not UTF-8 and many servers give their content in base64,
 * which a model reads as easily.
 */
export function base64Content(content: string): string {
  const runs = content.replaceAll(rowEnds, "").match(base64) ?? [];
  return runs.map((run) => textOf(Buffer.from(run, "base64"))).join("\n");
}

function textOf(bytes: Uint8Array): string {
  const text = decoded(bytes);
  const readable = text.replaceAll(controls, "");
  return readable.length >= text.length * leastReadable
    ? text.replaceAll(controls, " ")
    : (latin1.decode(bytes).match(textsInBytes) ?? []).join("\n");
}

function decoded(bytes: Uint8Array): string {
  for (const odd of [1, 0] as const) {
    let zeros = 0;
    for (let at = odd; at < bytes.length; at += 2) if (bytes[at] === 0) zeros += 1;
    // Latin letters have a zero in every second byte.
    if (zeros * 4 > bytes.length) return utf16[odd === 1 ? 0 : 1].decode(bytes);
  }
  return (isUtf8(bytes) ? utf8 : latin1).decode(bytes);
}
