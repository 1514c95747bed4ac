import { createHash } from "node:crypto";
import { base32 } from "../../core/shared/digest.ts";

const cr = 0x0d;
const lf = 0x0a;
const crlf = Buffer.from("\r\n");
/** Hashed at one go; between two the event loop turns, so that a large message holds up nobody. */
const sliceBytes = 1 << 20;

export interface MailIdentity {
  /** `em_` and 26 characters. */
  emailId: string;
  /** SHA-256 of the bytes as received, in hex. */
  rawSha256: string;
}

/**
 * The identity of a message: over its bytes with CRLF line ends and without trailing blank lines, so that a file with LF
 * and the same message over SMTP are one mail.
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

/** Where the last line that is not blank ends, its own line end left out. */
function endOfContent(message: Uint8Array): number {
  let end = message.length;
  while (end > 0 && (message[end - 1] === lf || message[end - 1] === cr)) end -= 1;
  return end;
}

/** The bytes from `start` to `stop` with every bare LF made CRLF. */
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
