import { createHash } from "node:crypto";
import { base32 } from "../../core/shared/digest.ts";

const cr = 0x0d;
const lf = 0x0a;
const crlf = Buffer.from("\r\n");
/** Bytes that are hashed before the event loop runs again, because a large message must not block other work. */
const sliceBytes = 1 << 20;

export interface MailIdentity {
  /** `em_` and 26 base32 characters. */
  emailId: string;
  /** SHA-256 of the bytes as received, in hex. */
  rawSha256: string;
}

/**
 * Computes the identity of a message from its bytes with CRLF line ends and without trailing blank lines. A file with
 * LF line ends and the same message over SMTP get the same id.
 */
export async function identify(message: Uint8Array): Promise<MailIdentity> {
  const end = endOfContent(message);
  const raw = createHash("sha256");
  const canonical = createHash("sha256");
  for (let start = 0; start < message.length; start += sliceBytes) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve));
    const stop = Math.min(start + sliceBytes, message.length);
    raw.update(message.subarray(start, stop));
    for (const piece of withCrlf(message, start, Math.min(stop, end))) canonical.update(piece);
  }
  return {
    emailId: `em_${base32(canonical.digest()).slice(0, 26)}`,
    rawSha256: raw.digest("hex"),
  };
}

/** Returns the end of the last line that is not blank, without its line end. */
function endOfContent(message: Uint8Array): number {
  let end = message.length;
  while (end > 0 && (message[end - 1] === lf || message[end - 1] === cr)) end -= 1;
  return end;
}

/** Yields the bytes from `start` to `stop` with every bare LF replaced by CRLF. */
function* withCrlf(message: Uint8Array, start: number, stop: number): Generator<Uint8Array> {
  let from = start;
  for (
    let at = message.indexOf(lf, start);
    at !== -1 && at < stop;
    at = message.indexOf(lf, at + 1)
  ) {
    if (at > 0 && message[at - 1] === cr) continue;
    yield message.subarray(from, at);
    yield crlf;
    from = at + 1;
  }
  if (from < stop) yield message.subarray(from, stop);
}
