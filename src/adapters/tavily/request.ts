import { Readable } from "node:stream";
import { retryAfterSeconds } from "../../core/shared/retry-after.ts";
import type { Secret } from "../../core/shared/secret.ts";
import { SearchFailure } from "./errors.ts";

/**
 * What is read of one answer. Bytes. Five results are some 10 kB; what is far beyond is cut later, and only what never
 * ends is refused here.
 */
const maxAnswerBytes = 16 * 1_048_576;

/** What the log keeps of an answer that was an error. Characters. */
const maxLoggedCharacters = 500;

export interface Call {
  url: string;
  apiKey: Secret;
  /** Absent: GET. */
  body?: unknown;
  signal: AbortSignal;
}

/**
 * One request; its answer as parsed JSON.
 *
 * Not with Tavily's own package: its errors keep a sentence of the service and lose the status and `Retry-After`, so that
 * a refused key looks like a full quota; nothing cancels a call or bounds an answer; and it loads a tokenizer of 22 MB.
 * @throws SearchFailure
 */
export async function request({ url, apiKey, body, signal }: Call): Promise<unknown> {
  const key = apiKey.reveal();
  // Node would quote a key that no header can carry in its error.
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
      // The key and the query go to the configured address and nowhere else.
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
  // Leaving the loop ends the connection.
  const body: AsyncIterable<unknown> = response.body ?? Readable.from([]);
  for await (const piece of body) {
    if (!(piece instanceof Uint8Array)) continue;
    bytes += piece.byteLength;
    if (bytes > maxAnswerBytes) throw new SearchFailure("endless");
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
