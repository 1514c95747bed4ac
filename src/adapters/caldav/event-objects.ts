import { createObject, deleteObject, updateObject } from "tsdav";
import type { CalendarObject } from "../../ports/calendar/calendar-objects.ts";
import { urlOf } from "./addresses.ts";
import { toResponse } from "./authorize.ts";
import { sendDavRequest, textOf } from "./dav.ts";
import { multistatusOnPut, notConfirmed, stillAsBefore, unreadableResponse } from "./errors.ts";
import type { DavResponse } from "./http.ts";
import type { CollectionAccess } from "./read-collection.ts";

interface NewObject {
  name: string;
  text: string;
  condition: Readonly<Record<string, string>>;
}

/** Reads an object with its strong ETag. Undefined if it does not exist. */
export async function readObject(
  access: CollectionAccess,
  name: string,
): Promise<CalendarObject | undefined> {
  const { http, collection, signal } = access;
  const url = urlOf(collection, name);
  // A proxy that compresses a response changes its ETag, which no change would match.
  const headers = { "accept-encoding": "identity" };
  const reply = await http.send({ method: "GET", url, headers, signal });
  if (reply.status === 404 || reply.status === 410) return undefined;
  if (reply.status !== 200) throw http.failure(reply, "GET");
  // A captive portal's or proxy's login page would otherwise look like a broken event.
  if (isPage(reply)) throw unreadableResponse("the response is HTML");
  const given = reply.headers.get("etag");
  if (given !== null && !given.startsWith("W/")) return { name, etag: given, text: reply.text };
  const stored = await etagOf(access, url);
  // A weak ETag matches no condition. The stored one replaces it if both are of the same version.
  const etag = given === null || given === `W/${stored}` ? stored : given;
  return { name, etag, text: reply.text };
}

async function etagOf({ http, signal }: CollectionAccess, url: string): Promise<string> {
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

/**
 * Writes an object if the server fulfils the condition.
 * @throws ToolError that says whether the write may have happened
 */
export async function putObject(
  access: CollectionAccess,
  { name, text, condition }: NewObject,
): Promise<void> {
  const { http, collection, signal } = access;
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
  if (reply === undefined) throw unreadableResponse("nothing was sent", { acts: true });
  if (reply.status === 207) throw multistatusOnPut(reply.text);
  if (reply.status < 200 || reply.status > 299) throw http.failure(reply, "PUT");
  // iCloud may omit the new version. Reading the event back proves that it is stored.
  if (reply.headers.has("etag") && !isPage(reply)) return;
  const written = await readBack(access, name);
  if (written === undefined)
    throw unreadableResponse("the written event is missing", { acts: true });
  if (written.etag === condition["If-Match"] && written.text !== text) throw stillAsBefore();
}

/**
 * Deletes an object of this version.
 * @throws ToolError that says whether the deletion may have happened
 */
export async function removeObject(
  access: CollectionAccess,
  name: string,
  etag: string,
): Promise<void> {
  const { http, collection, signal } = access;
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
  if (reply === undefined || reply.status === 207)
    throw unreadableResponse("an unexpected response to DELETE", { acts: true });
  if (reply.status < 200 || reply.status > 299) throw http.failure(reply, "DELETE");
  if (isPage(reply) && (await readBack(access, name))?.etag === etag) throw stillAsBefore();
}

/** Reads an object after a write whose response proves nothing. Undefined if it does not exist. */
async function readBack(
  access: CollectionAccess,
  name: string,
): Promise<CalendarObject | undefined> {
  return await readObject(access, name).catch((cause: unknown) => {
    throw notConfirmed(cause);
  });
}

/** Returns whether a response may be the page of a login or a proxy, which succeeds and changes nothing. */
function isPage({ text }: DavResponse): boolean {
  return /^\s*</.test(text);
}
