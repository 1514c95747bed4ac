import { createObject, deleteObject, refreshAccessToken, updateObject } from "tsdav";
import { ToolError } from "../../core/tool/tool-error.ts";
import type { CalendarObject, CalendarObjects } from "../../ports/calendar/calendar-objects.ts";
import { nameIn, urlOf, wholeMonths } from "./addresses.ts";
import { createAuthorize, toResponse } from "./authorize.ts";
import { createCollectionCache, type TimeRange } from "./collection-cache.ts";
import { sendDavRequest, textOf } from "./dav.ts";
import { type Collection, discover } from "./discover.ts";
import {
  multistatusOnPut,
  noCalendar,
  notConfirmed,
  partOfEvents,
  stillAsBefore,
  unreadableResponse,
  withHost,
} from "./errors.ts";
import { createHttp, type DavResponse } from "./http.ts";
import type { CaldavSettings } from "./settings.ts";

/**
 * Time limit for all requests of one operation. It is below the 30 s of a call, so that the reason can be reported.
 * Milliseconds.
 */
const defaultBudgetMs = 25_000;

/** Creates the access to one collection on a CalDAV server. The first operation finds the collection. */
export function createCollection(settings: CaldavSettings): CalendarObjects {
  const http = createHttp(
    settings,
    createAuthorize(settings, () => Promise.resolve(refreshAccessToken)),
  );
  const cache = createCollectionCache();
  let known: Promise<Collection> | undefined;

  function within(signal: AbortSignal | undefined): AbortSignal {
    const budget = AbortSignal.timeout(settings.budgetMs ?? defaultBudgetMs);
    return signal === undefined ? budget : AbortSignal.any([signal, budget]);
  }

  function find(signal: AbortSignal): Promise<Collection> {
    if (known === undefined) {
      const finding = discover(settings, { http, signal });
      known = finding;
      finding.catch(() => {
        if (known === finding) known = undefined;
      });
    }
    return known;
  }

  /**
   * Runs `work` in the collection. After `not_found` the collection is discovered again, because the whole calendar may
   * have moved.
   */
  async function inCollection<T>(
    signal: AbortSignal,
    work: (collection: Collection) => Promise<T>,
  ): Promise<T> {
    const before = await find(signal);
    try {
      return await work(before);
    } catch (thrown) {
      if (!(thrown instanceof ToolError) || thrown.kind !== "not_found") throw thrown;
      known = undefined;
      const after = await find(signal);
      if (after.url === before.url) throw thrown;
      cache.clear();
      return await work(after);
    }
  }

  /** Does the same for work that needs no event, so that what was not found is the calendar. */
  async function inCalendar<T>(
    signal: AbortSignal,
    work: (collection: Collection) => Promise<T>,
  ): Promise<T> {
    return await inCollection(signal, work).catch((thrown: unknown) => {
      throw thrown instanceof ToolError && thrown.kind === "not_found"
        ? noCalendar(thrown)
        : thrown;
    });
  }

  async function tagOf(collection: Collection, signal: AbortSignal): Promise<string | undefined> {
    const _attributes = { "xmlns:d": "DAV:", "xmlns:cs": "http://calendarserver.org/ns/" };
    const prop = { "cs:getctag": {}, "d:sync-token": {} };
    const { items } = await sendDavRequest(http, {
      method: "PROPFIND",
      url: collection.url,
      depth: "0",
      body: { propfind: { _attributes, prop } },
      signal,
    });
    const [item] = items;
    if (item === undefined || item.status === 404) throw noCalendar();
    const parts = [item.props["getctag"], item.props["syncToken"]].map(
      (value) => textOf(value) ?? "",
    );
    return parts.every((part) => part === "") ? undefined : parts.join("\n");
  }

  async function readTimeRange(
    collection: Collection,
    { from, to }: TimeRange,
    signal: AbortSignal,
  ): Promise<CalendarObject[]> {
    const basic = (at: number): string =>
      `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
    const range = { _attributes: { start: basic(from), end: basic(to) } };
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

  async function readNames(collection: Collection, signal: AbortSignal): Promise<string[]> {
    const body = { propfind: { _attributes: { "xmlns:d": "DAV:" }, prop: { "d:getetag": {} } } };
    const asked = { method: "PROPFIND", url: collection.url, depth: "1", body, signal } as const;
    const { items } = await sendDavRequest(http, asked);
    return items.flatMap(({ href }) => nameIn(collection, href) ?? []);
  }

  async function get(
    collection: Collection,
    name: string,
    signal: AbortSignal,
  ): Promise<CalendarObject | undefined> {
    const url = urlOf(collection, name);
    // A proxy that compresses a response changes its ETag, which no change would match.
    const headers = { "accept-encoding": "identity" };
    const reply = await http.send({ method: "GET", url, headers, signal });
    if (reply.status === 404 || reply.status === 410) return undefined;
    if (reply.status !== 200) throw http.failure(reply, "GET");
    // A captive portal's or proxy's login page would otherwise look like a broken event.
    if (/^\s*</.test(reply.text)) throw unreadableResponse("the response is HTML");
    const given = reply.headers.get("etag");
    if (given !== null && !given.startsWith("W/")) return { name, etag: given, text: reply.text };
    const stored = await etagOf(url, signal);
    // A weak ETag matches no condition. The stored one replaces it if both are of the same version.
    const etag = given === null || given === `W/${stored}` ? stored : given;
    return { name, etag, text: reply.text };
  }

  async function etagOf(url: string, signal: AbortSignal): Promise<string> {
    const body = { propfind: { _attributes: { "xmlns:d": "DAV:" }, prop: { "d:getetag": {} } } };
    const { items } = await sendDavRequest(http, {
      method: "PROPFIND",
      url,
      depth: "0",
      body,
      signal,
    });
    const etag = textOf(items[0]?.props["getetag"]);
    if (etag === undefined) throw unreadableResponse("the server gives no ETag");
    return etag;
  }

  async function put(
    collection: Collection,
    name: string,
    text: string,
    condition: Record<string, string>,
    signal: AbortSignal,
  ): Promise<void> {
    const url = urlOf(collection, name);
    const headers = { "content-type": "text/calendar; charset=utf-8", ...condition };
    let reply: DavResponse | undefined;
    const write = "If-None-Match" in condition ? createObject : updateObject;
    await write({
      url,
      data: text,
      headers,
      fetch: async () => {
        reply = await http.send({ method: "PUT", url, headers, body: text, signal });
        return toResponse(reply);
      },
    });
    cache.clear();
    if (reply === undefined) throw unreadableResponse("nothing was sent", { acts: true });
    if (reply.status === 207) throw multistatusOnPut(reply.text);
    if (reply.status < 200 || reply.status > 299) throw http.failure(reply, "PUT");
    // iCloud may omit the new version. Reading the event back proves that it is stored.
    if (reply.headers.has("etag") && !isPage(reply)) return;
    const written = await readBack(collection, name, signal);
    if (written === undefined)
      throw unreadableResponse("the written event is missing", { acts: true });
    if (written.etag === condition["If-Match"] && written.text !== text) throw stillAsBefore();
  }

  /** Reads an object after a write whose response proves nothing. Undefined if it does not exist. */
  async function readBack(
    collection: Collection,
    name: string,
    signal: AbortSignal,
  ): Promise<CalendarObject | undefined> {
    return await get(collection, name, signal).catch((cause: unknown) => {
      throw notConfirmed(cause);
    });
  }

  return {
    check: async (options = {}) => {
      const signal = within(options.signal);
      try {
        const found = await discover(settings, { http, signal }, { listsNames: true });
        await tagOf(found, signal);
      } catch (thrown) {
        throw withHost(thrown);
      }
    },
    facts: async (options = {}) => await find(within(options.signal)),
    between: async (from, to, options = {}) => {
      const signal = within(options.signal);
      return await inCalendar(signal, async (collection) => {
        const tag = await tagOf(collection, signal);
        const stretch = wholeMonths(from, to);
        const kept = tag === undefined ? undefined : cache.find(tag, stretch);
        if (kept !== undefined) return kept;
        const objects = await readTimeRange(collection, stretch, signal);
        const isWhole = objects.every(({ text }) => text !== "");
        return tag === undefined || !isWhole ? objects : cache.keep(tag, stretch, objects);
      });
    },
    names: async (options = {}) => {
      const signal = within(options.signal);
      return await inCalendar(signal, (collection) => readNames(collection, signal));
    },
    get: async (name, options = {}) => {
      const signal = within(options.signal);
      try {
        return await inCollection(signal, async (collection) => {
          const object = await get(collection, name, signal);
          if (object === undefined) throw gone();
          return object;
        });
      } catch (thrown) {
        if (thrown instanceof ToolError && thrown.kind === "not_found") return undefined;
        throw thrown;
      }
    },
    create: async (name, text, options = {}) => {
      const signal = within(options.signal);
      await inCalendar(signal, (at) => put(at, name, text, { "If-None-Match": "*" }, signal));
    },
    replace: async (name, text, { etag, signal: outer }) => {
      const signal = within(outer);
      // Not retried after a new discovery, because a version belongs to the collection from which it was read.
      await put(await find(signal), name, text, { "If-Match": etag }, signal);
    },
    remove: async (name, { etag, signal: outer }) => {
      const signal = within(outer);
      const collection = await find(signal);
      const url = urlOf(collection, name);
      let reply: DavResponse | undefined;
      await deleteObject({
        url,
        etag,
        fetch: async () => {
          reply = await http.send({ method: "DELETE", url, headers: { "If-Match": etag }, signal });
          return toResponse(reply);
        },
      });
      cache.clear();
      if (reply === undefined || reply.status === 207)
        throw unreadableResponse("an unexpected response to DELETE", { acts: true });
      if (reply.status < 200 || reply.status > 299) throw http.failure(reply, "DELETE");
      if (isPage(reply) && (await readBack(collection, name, signal))?.etag === etag)
        throw stillAsBefore();
    },
  };
}

/** Returns whether a response may be the page of a login or a proxy, which succeeds and changes nothing. */
function isPage({ text }: DavResponse): boolean {
  return /^\s*</.test(text);
}

function gone(): ToolError {
  return new ToolError("not_found", "The event does not exist in the calendar. Nothing was done.");
}
