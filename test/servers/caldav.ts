import { randomUUID } from "node:crypto";
import type { CalendarServer } from "./calendar-server.ts";

/** A calendar of one test's own, and bare requests to it: the user's own calendar program. */
export interface TestCalendar {
  name: string;
  /** Ends with a slash. */
  url: string;
  /** The settings with which the server uses it. */
  settings: Readonly<Record<string, string>>;
  put: (objectName: string, text: string) => Promise<void>;
  get: (objectName: string) => Promise<string>;
  objectNames: () => Promise<string[]>;
  /** The entity tag of each object, which changes with it. */
  etags: () => Promise<Map<string, string>>;
  remove: () => Promise<void>;
}

const authorization = `Basic ${Buffer.from("alice:secret").toString("base64")}`;

async function request(
  method: string,
  url: string,
  body?: string,
  headers = {},
): Promise<Response> {
  const type = method === "PUT" ? "text/calendar; charset=utf-8" : "application/xml";
  const response = await fetch(url, {
    method,
    headers: { authorization, "content-type": type, ...headers },
    ...(body !== undefined && { body }),
  });
  if (!response.ok)
    throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response;
}

export async function makeCalendar(
  server: CalendarServer,
  name = `Assistant ${randomUUID()}`,
): Promise<TestCalendar> {
  const url = `${server.url}${server.home}${randomUUID()}/`;
  await request(
    "MKCALENDAR",
    url,
    `<?xml version="1.0" encoding="utf-8"?><c:mkcalendar xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:set><d:prop><d:displayname>${name}</d:displayname></d:prop></d:set></c:mkcalendar>`,
  );
  return {
    name,
    url,
    settings: {
      CALDAV_URL: server.url,
      CALDAV_USERNAME: "alice",
      CALDAV_PASSWORD: "secret",
      CALDAV_CALENDAR: name,
    },
    put: async (objectName, text) => {
      await request("PUT", `${url}${encodeURIComponent(objectName)}`, text);
    },
    get: async (objectName) =>
      await (await request("GET", `${url}${encodeURIComponent(objectName)}`)).text(),
    objectNames: async () => [...(await etagsAt(url)).keys()],
    etags: () => etagsAt(url),
    remove: async () => void (await request("DELETE", url)),
  };
}

async function etagsAt(url: string): Promise<Map<string, string>> {
  const body = '<d:propfind xmlns:d="DAV:"><d:prop><d:getetag/></d:prop></d:propfind>';
  const answer = await (await request("PROPFIND", url, body, { depth: "1" })).text();
  const found = new Map<string, string>();
  for (const [, href = "", rest = ""] of answer.matchAll(
    /<(?:\w+:)?href>([^<]+)<([\s\S]*?)<\/(?:\w+:)?response>/g,
  )) {
    const name = decodeURIComponent(href.split("/").at(-1) ?? "");
    if (name !== "") found.set(name, /getetag>([^<]*)</.exec(rest)?.[1] ?? "");
  }
  return found;
}
