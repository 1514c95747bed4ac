import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Origins of clients that run in a browser, or that send the origin of their page from a data centre. Allowing them is
 * safe: cookies are ignored at these addresses, and a page cannot guess a token.
 */
export const clientOrigins: readonly string[] = [
  "https://claude.ai",
  "https://claude.com",
  "https://chatgpt.com",
];

const methods = "GET, HEAD, POST, DELETE";
const requestHeaders =
  "Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name";
const answerHeaders = "WWW-Authenticate, Mcp-Session-Id, Mcp-Protocol-Version, Retry-After";
/** A day. Seconds. */
const rememberedFor = "86400";

/**
 * Allows the requesting page to read the response, and answers its preflight request (Fetch standard, "CORS protocol").
 * Returns whether the request was answered. Cookies are never allowed.
 */
export function answerPage(request: IncomingMessage, response: ServerResponse): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return false;
  response.setHeader("access-control-allow-origin", origin);
  response.setHeader("access-control-expose-headers", answerHeaders);
  response.setHeader("vary", "Origin");
  const isPreflight = request.headers["access-control-request-method"] !== undefined;
  if (request.method !== "OPTIONS" || !isPreflight) return false;
  response.setHeader("access-control-allow-methods", methods);
  response.setHeader("access-control-allow-headers", requestHeaders);
  response.setHeader("access-control-max-age", rememberedFor);
  response.writeHead(204).end();
  return true;
}
