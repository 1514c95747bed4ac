import { randomId, sha256Hex } from "../core/shared/digest.ts";
import type { Log } from "../core/shared/log.ts";
import { shownName } from "../core/shared/text/visible.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type { CalendarObject, CalendarObjects } from "../ports/calendar/calendar-objects.ts";
import type { EventCopies } from "../ports/calendar/event-copies.ts";
import type { FileChanges } from "../ports/files/file-changes.ts";
import type { ObjectFacts, ObjectStore } from "../ports/files/objects.ts";
import { copyKey, evictCopies } from "./undo-copies.ts";
import type { UndoTarget } from "./undo-target.ts";

/** Keys of files contain no colon, so that no file has the key of an event. */
const eventPrefix = "event:";
const mediaType = "text/calendar";

/** Returns the key of an object's changes. The name is encoded, because a server may use any character in it. */
function eventKey(name: string): string {
  return eventPrefix + Buffer.from(name).toString("base64url");
}

export function isEventKey(key: string): boolean {
  return key.startsWith(eventPrefix);
}

function nameOf(key: string): string {
  return Buffer.from(key.slice(eventPrefix.length), "base64url").toString();
}

interface CopySettings {
  objects: ObjectStore;
  changes: FileChanges;
  undoHours: number;
  log: Log;
}

export function createEventCopies({ objects, changes, undoHours, log }: CopySettings): EventCopies {
  return {
    changing: async ({ before, after, by, make, left }) => {
      const key = eventKey(before.name);
      const undoId = randomId("un");
      const kind = after === undefined ? "deleted" : "replaced";
      const sha256 = after === undefined ? undefined : sha256Hex(after);
      const change = { ...by, undoId, key, kind, sha256, replaces: before.etag } as const;
      await changes.plan(change, undoHours * 3_600_000);
      try {
        const body = Buffer.from(before.text);
        await objects.put(copyKey(change), body, { mediaType, when: { kind: "absent" } });
        await make();
        const version = after === undefined ? undefined : await left().catch(() => undefined);
        // The change was made even if this fails. Undo then compares the bytes.
        await changes.made(undoId, version, body.byteLength).catch(() => undefined);
      } catch (error) {
        const isSure = error instanceof ToolError && error.sideEffects === "none";
        if (isSure) await changes.drop(undoId).catch(() => undefined);
        throw error;
      }
      const of = { principal: by.principal, except: undoId };
      await evictCopies({ objects, changes }, of).catch((cause: unknown) => {
        log.warn("removal of old undo copies failed", { cause });
      });
    },
  };
}

/**
 * Creates the part of undo that writes calendar objects. Its own changes are recorded like those of a tool.
 * @param settings `describe` returns title and time of a calendar file, for people
 */
export function createEventTarget(settings: {
  calendar: Pick<CalendarObjects, "get" | "create" | "replace" | "remove">;
  copies: EventCopies;
  changes: FileChanges;
  undoHours: number;
  describe: (text: string) => Promise<{ title: string; inWords: string }>;
}): UndoTarget {
  const { calendar, copies, changes, undoHours } = settings;
  const left = async (name: string): Promise<string | undefined> =>
    (await calendar.get(name))?.etag;

  async function present(key: string, version: string): Promise<CalendarObject> {
    const object = await calendar.get(nameOf(key));
    if (object?.etag === version) return object;
    throw new ToolError("conflict", "The event was changed meanwhile. Nothing was undone.");
  }

  return {
    noun: "event",
    nameIn: async (_, body) => {
      const { title } = await settings.describe(Buffer.from(body).toString());
      return `the event ${shownName(title)}`;
    },
    describe: async (facts, body) => {
      if (facts === undefined) return "no such event";
      return (await settings.describe(Buffer.from(body).toString())).inWords;
    },
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
        await copies.changing({ before, after: text, by, make, left: () => left(name) });
        return;
      }
      const undoId = randomId("un");
      const plan = {
        ...by,
        undoId,
        key,
        kind: "created",
        replaces,
        sha256: sha256Hex(text),
      } as const;
      await changes.plan(plan, undoHours * 3_600_000);
      try {
        await calendar.create(name, text);
      } catch (error) {
        const isSure = error instanceof ToolError && error.sideEffects === "none";
        if (isSure) await changes.drop(undoId).catch(() => undefined);
        throw error;
      }
      const version = await left(name).catch(() => undefined);
      await changes.made(undoId, version).catch(() => undefined);
    },
    remove: async (key, { ifMatch, by }) => {
      const before = await present(key, ifMatch);
      const make = (): Promise<void> => calendar.remove(before.name, { etag: ifMatch });
      const nothing = (): Promise<undefined> => Promise.resolve(undefined);
      await copies.changing({ before, after: undefined, by, make, left: nothing });
    },
  };
}

function factsOf(key: string, { etag, text }: CalendarObject): ObjectFacts {
  // CalDAV reports no time of the last change, and none is shown for events.
  return { key, etag, bytes: Buffer.byteLength(text), mediaType, modifiedAt: new Date(0) };
}
