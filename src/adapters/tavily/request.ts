import { Readable } from "node:stream";
import { retryAfterSeconds } from "../../core/shared/retry-after.ts";
import type { Secret } from "../../core/shared/secret.ts";
import { SearchFailure } from "./errors.ts";

/**
 * The largest response, in bytes. Five results have about 10 kB. Longer fields are cut later, so only endless responses
 * are refused here.
 */
const maxResponseBytes = 16 * 1_048_576;

/** Characters of an error response that are logged. */
const maxLoggedCharacters = 500;

export interface WebRequest {
  url: string;
  apiKey: Secret;
  /** Absent for GET. */
  body?: unknown;
  signal: AbortSignal;
}

/**
 * Sends one request and returns the response as parsed JSON. Tavily's own package is not used: its errors lose the
 * status and `Retry-After`, so that a rejected key looks like a used-up quota. It cannot cancel a call or bound a
 * response, and it loads a tokenizer of 22 MB.
 * @throws {SearchFailure}
 */
export async function request({ url, apiKey, body, signal }: WebRequest): Promise<unknown> {
  const key = apiKey.reveal();
  // Checked here, because Node's error would quote a key that is not a valid header value.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new SearchFailure(401);
  try {
    const response = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${key}`,
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // The key and the query go only to the configured address.
      redirect: "manual",
      signal,
    });
    const text = await boundedText(response);
    if (response.ok) return parsed(text);
    throw new SearchFailure(response.status, {
      retryAfterSeconds: retryAfterSeconds(response.headers.get("retry-after")),
      cause: new Error(text.replaceAll(key, "[secret]").slice(0, maxLoggedCharacters)),
    });
  } catch (error) {
    if (error instanceof SearchFailure) throw error;
    throw new SearchFailure(signal.aborted ? "late" : "unreachable", { cause: error });
  }
}

async function boundedText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop closes the connection.
  const body: AsyncIterable<unknown> = response.body ?? Readable.from([]);
  for await (const piece of body) {
    if (!(piece instanceof Uint8Array)) continue;
    bytes += piece.byteLength;
    if (bytes > maxResponseBytes) throw new SearchFailure("endless");
    pieces.push(piece);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SearchFailure("junk", { cause });
  }
}
