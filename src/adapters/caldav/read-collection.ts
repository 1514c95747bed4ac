import type { CalendarObject } from "../../ports/calendar/calendar-objects.ts";
import { nameIn } from "./addresses.ts";
import type { TimeRange } from "./collection-cache.ts";
import { sendDavRequest, textOf } from "./dav.ts";
import type { Collection } from "./discover.ts";
import { noCalendar, partOfEvents } from "./errors.ts";
import type { Http } from "./http.ts";

/** A collection on its server, for the requests of one operation. */
export interface CollectionAccess {
  http: Http;
  collection: Collection;
  signal: AbortSignal;
}

/** Requests properties of a collection, with depth 1 also those of its objects. */
async function findProperties(
  { http, collection, signal }: CollectionAccess,
  depth: "0" | "1",
  prop: Readonly<Record<string, object>>,
) {
  const _attributes = { "xmlns:d": "DAV:", "xmlns:cs": "http://calendarserver.org/ns/" };
  const body = { propfind: { _attributes, prop } };
  const { items } = await sendDavRequest(http, {
    method: "PROPFIND",
    url: collection.url,
    depth,
    body,
    signal,
  });
  return items;
}

/** Returns the version of the whole collection. Undefined if the server has none. */
export async function tagOf(access: CollectionAccess): Promise<string | undefined> {
  const prop = { "cs:getctag": {}, "d:sync-token": {} };
  const [item] = await findProperties(access, "0", prop);
  if (item === undefined || item.status === 404) throw noCalendar();
  const parts = [item.props["getctag"], item.props["syncToken"]].map(
    (value) => textOf(value) ?? "",
  );
  return parts.every((part) => part === "") ? undefined : parts.join("\n");
}

/**
 * Returns whether this account may change the collection (RFC 3744, section 5.4). A server that does not list what the
 * account may do is believed to allow it.
 */
export async function mayChange(access: CollectionAccess): Promise<boolean> {
  const [item] = await findProperties(access, "0", { "d:current-user-privilege-set": {} });
  const listed = JSON.stringify(item?.props["currentUserPrivilegeSet"] ?? "");
  return !listed.includes('"read"') || /"(?:all|write|writeContent|bind)"/.test(listed);
}

/** Reads the events that touch a range of time (RFC 4791, section 7.8). */
export async function readTimeRange(
  { http, collection, signal }: CollectionAccess,
  { from, to }: TimeRange,
): Promise<CalendarObject[]> {
  const range = { _attributes: { start: dateTime(from), end: dateTime(to) } };
  const body = {
    "c:calendar-query": {
      _attributes: { "xmlns:d": "DAV:", "xmlns:c": "urn:ietf:params:xml:ns:caldav" },
      "d:prop": { "d:getetag": {}, "c:calendar-data": {} },
      // iCloud answers only if the filter names VEVENT.
      "c:filter": {
        "c:comp-filter": {
          _attributes: { name: "VCALENDAR" },
          "c:comp-filter": { _attributes: { name: "VEVENT" }, "c:time-range": range },
        },
      },
    },
  };
  const { items } = await sendDavRequest(http, {
    method: "REPORT",
    url: collection.url,
    depth: "1",
    body,
    signal,
  });
  return items.flatMap(({ href, status, props }) => {
    // RFC 4791, section 7.8.1: the server has more events than it returns.
    if (status === 507) throw partOfEvents();
    const isDeleted = status === 404 || status === 410;
    if (isDeleted || new URL(href).pathname.endsWith("/")) return [];
    const name = nameIn(collection, href);
    const isReadable = name !== undefined && status < 400;
    // An event without a text is counted as unreadable, because its time only looks free.
    const text = (isReadable && textOf(props["calendarData"])) || "";
    return [{ name: name ?? href, etag: textOf(props["getetag"]) ?? "", text }];
  });
}

/** Reads the names of all objects. */
export async function readNames(access: CollectionAccess): Promise<string[]> {
  const items = await findProperties(access, "1", { "d:getetag": {} });
  return items.flatMap(({ href }) => nameIn(access.collection, href) ?? []);
}

/** Formats milliseconds since 1970 as a UTC date-time of iCalendar (RFC 5545, section 3.3.5). */
function dateTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
}
