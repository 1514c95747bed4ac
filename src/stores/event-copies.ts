import { sha256Hex } from "../core/shared/digest.ts";
import { shownName } from "../core/shared/text/visible.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { CalendarObject, CalendarObjects } from "../ports/calendar/calendar-objects.ts";
import type { EventCopies } from "../ports/calendar/event-copies.ts";
import type { ObjectFacts } from "../ports/files/objects.ts";
import { type UndoSettings, hasRoom, makeUndoable } from "./undo-copies.ts";
import type { UndoTarget } from "./undo-target.ts";

/** Keys of files contain no colon, so no file can have the key of an event. */
const eventPrefix = "event:";
const mediaType = "text/calendar";

/**
 * Returns the key under which an object's changes are recorded. The name is encoded, because a server may use any
 * character in it.
 */
function eventKey(name: string): string {
  return eventPrefix + Buffer.from(name).toString("base64url");
}

export function isEventKey(key: string): boolean {
  return key.startsWith(eventPrefix);
}

function nameOf(key: string): string {
  return Buffer.from(key.slice(eventPrefix.length), "base64url").toString();
}

export function createEventCopies(settings: UndoSettings): EventCopies {
  const { objects } = settings;
  return {
    hasRoom: (principal, bytes) => hasRoom(settings, { principal, bytes }),
    changing: async ({ before, after, by, make, etagAfter }) => {
      const key = eventKey(before.name);
      const kind = after === undefined ? "deleted" : "replaced";
      const sha256 = after === undefined ? undefined : sha256Hex(after);
      const body = Buffer.from(before.text);
      const keptBytes = body.byteLength;
      const change = { ...by, key, kind, sha256, replaces: before.etag, keptBytes } as const;
      await makeUndoable(settings, change, {
        copy: (to) => objects.put(to, body, { mediaType, when: { kind: "absent" } }),
        make,
        etagAfter: () => (after === undefined ? undefined : etagAfter()),
      });
    },
  };
}

/**
 * Creates the part of undo that writes calendar objects. Its own changes are recorded like those of a tool.
 * @param settings `describe` returns title and time of a calendar file for people, and the people invited
 */
export function createEventTarget(
  settings: UndoSettings & {
    calendar: Pick<CalendarObjects, "get" | "create" | "replace" | "remove">;
    copies: EventCopies;
    describe: (
      text: string,
    ) => Promise<{ title: string; summary: string; invited: readonly string[] }>;
  },
): UndoTarget {
  const { calendar, copies } = settings;
  const etagOf = async (name: string): Promise<string | undefined> =>
    (await calendar.get(name))?.etag;

  async function present(key: string, version: string): Promise<CalendarObject> {
    const object = await calendar.get(nameOf(key));
    if (object?.etag === version) return object;
    throw new ToolError("conflict", "The event has changed since then. Nothing was undone.");
  }

  return {
    noun: "event",
    nameIn: async (_, body) => {
      const { title } = await settings.describe(Buffer.from(body).toString());
      return `the event ${shownName(title)}`;
    },
    describe: async (facts, body) => {
      if (facts === undefined) return "no such event";
      return (await settings.describe(Buffer.from(body).toString())).summary;
    },
    invitedIn: async (body) =>
      body.byteLength === 0 ? [] : (await settings.describe(Buffer.from(body).toString())).invited,
    stat: async (key) => {
      const object = await calendar.get(nameOf(key));
      return object && factsOf(key, object);
    },
    read: async (key) => {
      const object = await calendar.get(nameOf(key));
      if (object === undefined)
        throw new ToolError("not_found", "The event does not exist. Nothing was undone.");
      return Buffer.from(object.text);
    },
    write: async (key, body, { replaces, by }) => {
      const text = Buffer.from(body).toString();
      const name = nameOf(key);
      if (replaces !== undefined) {
        const before = await present(key, replaces);
        const make = (): Promise<void> => calendar.replace(name, text, { etag: replaces });
        await copies.changing({ before, after: text, by, make, etagAfter: () => etagOf(name) });
        return;
      }
      const sha256 = sha256Hex(text);
      const change = {
        ...by,
        key,
        kind: "created",
        replaces,
        sha256,
        keptBytes: undefined,
      } as const;
      await makeUndoable(settings, change, {
        copy: undefined,
        make: () => calendar.create(name, text),
        etagAfter: () => etagOf(name),
      });
    },
    remove: async (key, { ifMatch, by }) => {
      const before = await present(key, ifMatch);
      const make = (): Promise<void> => calendar.remove(before.name, { etag: ifMatch });
      const nothing = (): Promise<undefined> => Promise.resolve(undefined);
      await copies.changing({ before, after: undefined, by, make, etagAfter: nothing });
    },
  };
}

function factsOf(key: string, { etag, text }: CalendarObject): ObjectFacts {
  // CalDAV does not report the time of the last change, so none is shown for events.
  return { key, etag, bytes: Buffer.byteLength(text), mediaType, modifiedAt: new Date(0) };
}
