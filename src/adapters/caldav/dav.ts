import { davRequest } from "tsdav";
import { toResponse } from "./authorize.ts";
import { tooMuch, unreadableAnswer } from "./errors.ts";
import type { Http, DavResponse } from "./http.ts";

/** A listing has about eight elements for each event. The parser needs 4 s for half a million. */
const maxElements = 100_000;

/** One resource of a multistatus answer (RFC 4918, section 13). */
export interface DavItem {
  /** The URL, resolved against the host that answered. */
  href: string;
  status: number;
  /** Names in camel case without their namespace, as tsdav returns them. */
  props: Readonly<Record<string, unknown>>;
}

export interface DavRequest {
  method: "PROPFIND" | "REPORT";
  url: string;
  depth: "0" | "1";
  body: Readonly<Record<string, unknown>>;
  signal: AbortSignal;
}

export interface DavAnswer {
  /** The URL of the answer, after redirects. */
  url: string;
  items: readonly DavItem[];
}

/**
 * Sends a PROPFIND or REPORT through tsdav, which writes and reads the XML. URLs are resolved here, because tsdav
 * resolves links against the first host, which is wrong for iCloud, and follows redirects with the password.
 */
export async function askDav(
  http: Http,
  { method, url, depth, body, signal }: DavRequest,
): Promise<DavAnswer> {
  let reply: DavResponse | undefined;
  const answers = await davRequest({
    url,
    init: { method, headers: { depth }, namespace: "d", body },
    fetch: async (_url, init) => {
      const text = typeof init?.body === "string" ? init.body : "";
      const headers = { depth, "content-type": "application/xml; charset=utf-8" };
      reply = await http.send({ method, url, headers, body: text, signal });
      if (reply.status !== 207) throw http.failure(reply, method);
      if (!/xml/i.test(reply.headers.get("content-type") ?? "")) {
        throw unreadableAnswer("the answer is not XML");
      }
      // WebDAV needs no document type, and its declarations can be attacks (RFC 4918, section 17).
      if (/<!(?:DOCTYPE|ENTITY)/i.test(reply.text))
        throw unreadableAnswer("the XML declares entities");
      if ((reply.text.match(/<[^/!?]/g)?.length ?? 0) > maxElements)
        throw tooMuch(`longer than ${maxElements} XML elements`);
      // tsdav treats a truncated answer as complete, so events would be missing without an error.
      if (
        !/(?:<\/(?:[\w.-]+:)?multistatus\s*|<(?:[\w.-]+:)?multistatus\b[^>]*\/)>\s*$/.test(
          reply.text,
        )
      ) {
        throw unreadableAnswer("the XML ends half-way");
      }
      return toResponse(reply);
    },
  });
  if (reply === undefined) throw unreadableAnswer("nothing was asked");
  const base = reply.url;
  // For unreadable XML tsdav returns the text.
  if (answers.some(({ raw }) => typeof raw === "string"))
    throw unreadableAnswer("the XML is broken");
  const items = answers
    .filter(({ href }) => typeof href === "string" && URL.canParse(href, base))
    .map(({ href, status, props }) => ({
      href: new URL(href ?? "", base).href,
      status,
      props: (props ?? {}) as Readonly<Record<string, unknown>>,
    }));
  return { url: base, items };
}

/** Returns the text of a property. tsdav converts digits to numbers and separates CDATA. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  if ("_cdata" in value)
    return textOf(Array.isArray(value._cdata) ? value._cdata.join("") : value._cdata);
  return "_text" in value ? textOf(value._text) : undefined;
}

/** Returns whether a property has a child with that name, as `resourcetype` has `calendar`. */
export function hasChild(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && name in value;
}

/** Returns the URLs within a property such as `calendar-home-set`. */
export function hrefsOf(value: unknown, base: string): string[] {
  if (typeof value !== "object" || value === null || !("href" in value)) return [];
  return [value.href]
    .flat()
    .map(textOf)
    .filter((href) => href !== undefined && URL.canParse(href, base))
    .map((href) => new URL(href ?? "", base).href);
}
