import { davRequest } from "tsdav";
import { spend, turn } from "../../core/shared/event-loop.ts";
import { responseTooLarge, unreadableResponse } from "./errors.ts";
import type { Http, DavResponse } from "./http.ts";
import { calendarFileIn, piecesOf } from "./multistatus.ts";

/** Limit on XML elements. A listing has about eight for each event. The parser needs 4 s for half a million. */
const maxElements = 100_000;
/** Limit on characters that are parsed at once. The calendar file of a long resource is not counted. */
const maxParsed = 1_048_576;

/** One resource of a multistatus response (RFC 4918, section 13). */
export interface DavItem {
  /** The URL, resolved against the host that responded. */
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
  /** The URL of the response, after redirects. */
  url: string;
  items: readonly DavItem[];
}

/**
 * Sends a PROPFIND or REPORT through tsdav, which writes and reads the XML. URLs are resolved here, because tsdav
 * resolves links against the first host, which is wrong for iCloud, and follows redirects with the password.
 */
export async function sendDavRequest(
  http: Http,
  { method, url, depth, body, signal }: DavRequest,
): Promise<DavAnswer> {
  let reply: DavResponse | undefined;
  const init = { method, headers: { depth }, namespace: "d", body };
  await davRequest({
    url,
    init,
    fetch: async (_url, { body: sent } = {}) => {
      const text = typeof sent === "string" ? sent : "";
      const headers = { depth, "content-type": "application/xml; charset=utf-8" };
      reply = await http.send({ method, url, headers, body: text, signal });
      if (reply.status !== 207) throw http.failure(reply, method);
      if (!/xml/i.test(reply.headers.get("content-type") ?? "")) {
        throw unreadableResponse("the response is not XML");
      }
      assertComplete(reply.text);
      return multistatus('<d:multistatus xmlns:d="DAV:"/>');
    },
  });
  if (reply === undefined) throw unreadableResponse("nothing was asked");
  const base = reply.url;
  const items: DavItem[] = [];
  let elements = 0;
  for (const piece of piecesOf(reply.text)) {
    const long = calendarFileIn(piece);
    const xml = long?.rest ?? piece;
    if (xml.length > maxParsed)
      throw responseTooLarge(`of resources over ${maxParsed / 1_048_576} MiB`);
    elements += xml.match(/<[^/!?]/g)?.length ?? 0;
    if (elements > maxElements) throw responseTooLarge(`longer than ${maxElements} XML elements`);
    const answers = await davRequest({ url, init, fetch: () => Promise.resolve(multistatus(xml)) });
    // For unreadable XML tsdav returns the text.
    if (answers.some(({ raw }) => typeof raw === "string"))
      throw unreadableResponse("the XML is broken");
    for (const { href, status, props } of answers) {
      if (typeof href !== "string" || !URL.canParse(href, base)) continue;
      const given: Readonly<Record<string, unknown>> = { ...props };
      const own = long === undefined ? given : { ...given, calendarData: long.text };
      items.push({ href: new URL(href, base).href, status, props: own });
    }
    spend(piece.length);
    await turn();
  }
  return { url: base, items };
}

function multistatus(xml: string): Response {
  return new Response(xml, { status: 207, headers: { "content-type": "application/xml" } });
}

/**
 * Asserts that a response is a complete multistatus without declarations.
 * @throws {ToolError} if it is not
 */
function assertComplete(xml: string): void {
  // WebDAV needs no document type, and its declarations can be attacks (RFC 4918, section 17).
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw unreadableResponse("the XML declares entities");
  // tsdav treats a truncated response as complete, so events would be missing without an error.
  const end = xml.trimEnd().slice(-10_000);
  if (
    !/(?:<\/(?:[\w.-]{1,50}:)?multistatus\s*|<(?:[\w.-]{1,50}:)?multistatus\b[^>]*\/)>$/.test(end)
  )
    throw unreadableResponse("the XML is truncated");
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

/** Returns whether a property has a child with this name, such as `calendar` in `resourcetype`. */
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
