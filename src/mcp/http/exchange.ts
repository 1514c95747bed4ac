import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";

/** How long an answer is waited for before its first part is sent alone: most are whole by then. Milliseconds. */
const wholeWithin = 20;

/** The body, or undefined where it is larger than this. What is too much is not kept, and the connection stays usable. */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Destroying it would take the connection, and the refusal, with it.
  const parts = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(part);
  }
  return Buffer.concat(chunks, bytes).toString("utf8");
}

/**
 * The web's form of a request whose body was read already; it is passed on where it is given. The signal aborts when the
 * client goes without its answer.
 */
export function webRequest(
  request: IncomingMessage,
  response: ServerResponse,
  body?: string,
): Request {
  const gone = new AbortController();
  const close = (): void => {
    if (!response.writableFinished) gone.abort();
  };
  // It may have gone while the body was read.
  if (response.closed) close();
  else response.once("close", close);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  const { method = "GET", url = "/" } = request;
  // The name in the URL is nobody's to choose: what counts of `Host` was checked before.
  return new Request(`http://localhost${url}`, {
    method,
    headers,
    signal: gone.signal,
    ...(body !== undefined && body !== "" && { body }),
  });
}

/**
 * Sends an answer. One that is whole soon leaves in one piece, which is twice as fast as head, body and end one by one; a
 * stream is passed on as it comes, no faster than the client takes it.
 */
export async function sendResponse(answer: Response, to: ServerResponse): Promise<void> {
  const headers: OutgoingHttpHeaders = Object.fromEntries(answer.headers);
  // The one header of which there may be several that cannot be joined.
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  if (answer.body === null) {
    to.writeHead(answer.status, headers).end();
    return;
  }
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  to.once("close", () => void reader.cancel().catch(() => undefined));
  const early: Uint8Array[] = [];
  const timer = setTimeout(() => {
    if (!to.headersSent && !to.destroyed) to.writeHead(answer.status, headers).flushHeaders();
    flush(early, to);
  }, wholeWithin);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!to.headersSent) early.push(value);
      else if (!to.write(value)) await drained(to);
    }
  } finally {
    clearTimeout(timer);
  }
  if (to.destroyed) return;
  if (!to.headersSent) {
    const whole = Buffer.concat(early);
    to.writeHead(answer.status, { ...headers, "content-length": whole.length });
    // As a string it goes to the system together with the head, in one call. What MCP answers is always text.
    to.end(whole.toString("utf8"));
  } else to.end();
}

function flush(chunks: Uint8Array[], to: ServerResponse): void {
  for (const chunk of chunks.splice(0)) to.write(chunk);
}

/** A client that has gone takes nothing any more, and is not waited for. */
function drained(to: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      to.off("drain", go).off("close", go);
      resolve();
    };
    to.once("drain", go).once("close", go);
  });
}
