import type { CalendarFacts } from "../../ports/calendar/calendar-objects.ts";
import { ToolError } from "../../core/tool/tool-error.ts";
import { sendDavRequest, type DavItem, hasChild, hrefsOf, textOf } from "./dav.ts";
import { calendarNotFound } from "./errors.ts";
import type { Http } from "./http.ts";
import type { CaldavSettings } from "./settings.ts";

/** The one calendar. */
export interface Collection extends CalendarFacts {
  /** Ends with a slash. */
  url: string;
}

interface DavContext {
  http: Http;
  signal: AbortSignal;
}

/**
 * Finds the calendar from the configured URL: principal, home, list of calendars (RFC 6764, section 6). Every link is
 * resolved against the host that sent it.
 * @throws {ToolError} `not_configured` if no calendar or several match
 */
export async function discover(
  { url, calendar }: Pick<CaldavSettings, "url" | "calendar">,
  context: DavContext,
  { listsNames = false }: { listsNames?: boolean } = {},
): Promise<Collection> {
  const calendars = await listCalendars(url, context);
  const matching = calendars.filter((one) => isMeant(one, calendar, url));
  const [found] = matching;
  if (found !== undefined && matching.length === 1) return found;
  const names = listsNames ? calendars.map(({ name, url: at }) => `${name} (${at})`) : undefined;
  throw calendarNotFound(matching.length, names);
}

async function listCalendars(url: string, context: DavContext): Promise<Collection[]> {
  const homes = await findHomes(url, context);
  const lists = await Promise.all(homes.map((home) => calendarsIn(home, context)));
  const byUrl = new Map(lists.flat().map((one) => [one.url, one]));
  return [...byUrl.values()];
}

/** Compares by URL if the setting is a URL, or else by display name. */
function isMeant(one: Collection, wanted: string, base: string): boolean {
  if (/^(?:https?:\/)?\//.test(wanted) && URL.canParse(wanted, base)) {
    return sameAddress(one.url, new URL(wanted, base).href);
  }
  return one.name.normalize() === wanted.normalize();
}

function sameAddress(one: string, other: string): boolean {
  return withSlash(one) === withSlash(other);
}

async function findHomes(configured: string, context: DavContext): Promise<string[]> {
  const start = configured.endsWith("/") ? configured : `${configured}/`;
  // A bare host has no path, so the well-known URL comes first (RFC 6764, section 5). Others may support it too.
  const wellKnown = new URL("/.well-known/caldav", start).href;
  const places = new URL(start).pathname === "/" ? [wellKnown, start] : [start, wellKnown];
  const principal = await firstOf(places, async (place) => {
    const { url, items } = await propfind(
      place,
      "0",
      { "d:current-user-principal": {}, "c:calendar-home-set": {} },
      context,
    );
    const [item] = items;
    const homes = hrefsOf(item?.props["calendarHomeSet"], url);
    const [href] = hrefsOf(item?.props["currentUserPrincipal"], url);
    return homes.length > 0 || href !== undefined ? { homes, href } : undefined;
  });
  if (principal === undefined) throw noCaldav();
  if (principal.homes.length > 0 || principal.href === undefined) return principal.homes;
  const { url, items } = await propfind(
    principal.href,
    "0",
    { "c:calendar-home-set": {} },
    context,
  );
  const homes = hrefsOf(items[0]?.props["calendarHomeSet"], url);
  if (homes.length === 0) throw noCaldav();
  return homes;
}

async function calendarsIn(home: string, context: DavContext): Promise<Collection[]> {
  const props = {
    "d:displayname": {},
    "d:resourcetype": {},
    "c:supported-calendar-component-set": {},
    "c:calendar-timezone": {},
  };
  const { items } = await propfind(home, "1", props, context);
  return items.filter(isCalendar).map(({ href, props: { displayname, calendarTimezone } }) => ({
    url: withSlash(href),
    name:
      textOf(displayname) ??
      decodeURIComponent(new URL(href).pathname.split("/").findLast(Boolean) ?? ""),
    timeZone: /^TZID[^:]*:(.+?)\s*$/m.exec(textOf(calendarTimezone) ?? "")?.[1],
  }));
}

/** Returns whether an item is a calendar for events. Without a list of components it accepts all. */
function isCalendar({ status, props }: DavItem): boolean {
  if (status >= 400 || !hasChild(props["resourcetype"], "calendar")) return false;
  const components = JSON.stringify(props["supportedCalendarComponentSet"] ?? "");
  return !/"name":"V/i.test(components) || /"name":"VEVENT"/i.test(components);
}

function propfind(
  url: string,
  depth: "0" | "1",
  props: Record<string, object>,
  { http, signal }: DavContext,
) {
  const _attributes = { "xmlns:d": "DAV:", "xmlns:c": "urn:ietf:params:xml:ns:caldav" };
  const body = { propfind: { _attributes, prop: props } };
  return sendDavRequest(http, { method: "PROPFIND", url, depth, body, signal });
}

/**
 * Returns the response of the first URL that gives a usable one. A missing URL is skipped. A rejected password is an
 * error.
 */
async function firstOf<T>(
  places: readonly string[],
  ask: (place: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  let failure: ToolError | undefined;
  for (const place of places) {
    try {
      const found = await ask(place);
      if (found !== undefined) return found;
    } catch (thrown) {
      if (!(thrown instanceof ToolError)) throw thrown;
      if (!["not_found", "forbidden", "unavailable", "conflict"].includes(thrown.kind))
        throw thrown;
      failure = failure?.kind === "unavailable" ? failure : thrown;
    }
  }
  if (failure?.kind === "unavailable") throw failure;
  return undefined;
}

function noCaldav(): ToolError {
  return new ToolError("not_configured", "CALDAV_URL has no CalDAV server. Nothing was done.", {
    hint: "The user must correct CALDAV_URL.",
  });
}

function withSlash(url: string): string {
  return url.endsWith("/") ? url : `${url}/`;
}
