import type { MiddlewareHandler } from "hono";

/** Nothing from elsewhere, nothing inline, in nobody's frame. Script only ever adds what the page also shows without. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/**
 * What holds for every request: it names a host that is ours (a page on a rebound name does not), what changes anything was
 * sent by a page of ours, and the answer is kept and framed by nobody.
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
      context.res = new Response("There is nothing at this address.\n", { status: 421 });
    } else if (!["GET", "HEAD", "POST"].includes(method)) {
      context.res = new Response("Not that way.\n", {
        status: 405,
        headers: { allow: "GET, POST" },
      });
    } else if (method === "POST" && !isOwnPost(headers, origin)) {
      context.res = new Response("This did not come from the approval page. Nothing was done.\n", {
        status: 403,
      });
    } else {
      await next();
    }
    const answer = context.res.headers;
    answer.set("content-security-policy", policy);
    answer.set("x-frame-options", "DENY");
    answer.set("x-content-type-options", "nosniff");
    answer.set("cross-origin-opener-policy", "same-origin");
    answer.set("cross-origin-resource-policy", "same-origin");
    answer.set("referrer-policy", referrerPolicy);
    answer.set("cache-control", "no-store");
  };
}

/**
 * With `no-referrer` browsers send `Origin: null`, which every page without an origin sends too: then only the browser's own
 * word about the sender counts, which no page can forge (Fetch standard, "append a request Origin header"; Fetch Metadata).
 */
function isOwnPost(headers: Headers, ours: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return false;
  const origin = headers.get("origin") ?? "null";
  return origin === "null" ? site === "same-origin" : origin === ours;
}
