import type { MiddlewareHandler } from "hono";

/** No foreign, inline or framed content. Script adds only what the page also shows without it. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/**
 * Checks every request: its host is ours (against DNS rebinding), and a changing request comes from our page.
 * Responses are not cached or framed.
 */
export function guard(settings: {
  origin: string;
  hosts: readonly string[];
  referrerPolicy: string;
}): MiddlewareHandler {
  const { origin, referrerPolicy } = settings;
  const hosts = new Set([new URL(origin).host, ...settings.hosts]);
  return async (context, next) => {
    const { method, headers } = context.req.raw;
    if (!hosts.has(headers.get("host")?.toLowerCase() ?? "")) {
      context.res = new Response("Not found.\n", { status: 421 });
    } else if (!["GET", "HEAD", "POST"].includes(method)) {
      context.res = new Response("Method not allowed.\n", {
        status: 405,
        headers: { allow: "GET, POST" },
      });
    } else if (method === "POST" && !isOwnPost(headers, origin)) {
      context.res = new Response(
        "This request did not come from the approval page. Nothing was done.\n",
        {
          status: 403,
        },
      );
    } else {
      await next();
    }
    const response = context.res.headers;
    response.set("content-security-policy", policy);
    response.set("x-frame-options", "DENY");
    response.set("x-content-type-options", "nosniff");
    response.set("cross-origin-opener-policy", "same-origin");
    response.set("cross-origin-resource-policy", "same-origin");
    response.set("referrer-policy", referrerPolicy);
    response.set("cache-control", "no-store");
  };
}

/**
 * Returns whether a POST came from our page. With `no-referrer` browsers send `Origin: null`, like any page without an
 * origin. Then the browser's Sec-Fetch-Site decides, which no page can forge (Fetch standard, "append a request Origin
 * header").
 */
export function isOwnPost(headers: Headers, ours: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return false;
  const origin = headers.get("origin") ?? "null";
  return origin === "null" ? site === "same-origin" : origin === ours;
}
