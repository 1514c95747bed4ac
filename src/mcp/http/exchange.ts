import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";

/** How long a response may take to become complete, before its first part is sent. Milliseconds. */
const wholeWithinMs = 20;

/**
 * Converts a request whose body was already read to the web's form. Its signal aborts when the client disconnects
 * early.
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
  // The client may have disconnected while the body was read.
  if (response.closed) close();
  else response.once("close", close);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  const { method = "GET", url = "/" } = request;
  // The host in the URL is fixed, because `Host` was already checked.
  return new Request(`http://localhost${url}`, {
    method,
    headers,
    signal: gone.signal,
    ...(body !== undefined && body !== "" && { body }),
  });
}

/**
 * Sends a response. A complete response is sent in one piece, which is twice as fast. A stream is sent at the client's
 * speed.
 */
export async function sendResponse(response: Response, to: ServerResponse): Promise<void> {
  const headers: OutgoingHttpHeaders = Object.fromEntries(response.headers);
  // `Set-Cookie` is the only header whose values must not be joined (RFC 9110, section 5.3).
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  if (response.body === null) {
    to.writeHead(response.status, headers).end();
    return;
  }
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  to.once("close", () => void reader.cancel().catch(() => undefined));
  const early: Uint8Array[] = [];
  const timer = setTimeout(() => {
    if (!to.headersSent && !to.destroyed) to.writeHead(response.status, headers).flushHeaders();
    flush(early, to);
  }, wholeWithinMs);
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
    to.writeHead(response.status, { ...headers, "content-length": whole.length });
    // A string is sent together with the head in one system call. MCP responses are always text.
    to.end(whole.toString("utf8"));
  } else to.end();
}

function flush(chunks: Uint8Array[], to: ServerResponse): void {
  for (const chunk of chunks.splice(0)) to.write(chunk);
}

/** Resolves when the client can take more, or has disconnected. */
function drained(to: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      to.off("drain", go).off("close", go);
      resolve();
    };
    to.once("drain", go).once("close", go);
  });
}
