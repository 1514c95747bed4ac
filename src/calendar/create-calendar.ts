import { machineZone, type TimeZone } from "../core/shared/time-zone.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type {
  Calendar,
  CalendarOptions,
  EventList,
  EventRange,
  EventWrite,
  FoundEvent,
} from "../ports/calendar/calendar.ts";
import type { CalendarObject, CalendarObjects } from "../ports/calendar/calendar-objects.ts";
import type { EventCopies } from "../ports/calendar/event-copies.ts";
import type { EventLedger } from "../ports/calendar/event-ledger.ts";
import { changeText, removeFromText } from "./change-event.ts";
import { decodeEventId, idOfObject } from "../ports/calendar/event-id.ts";
import { repeats } from "./recurrence/expand.ts";
import { expandAll } from "./recurrence/expand-all.ts";
import { knownZone } from "./file-zones.ts";
import { invitedTo } from "./invited.ts";
import { fileOf, findOccurrence, noSuchEvent, toEvent } from "./find-event.ts";
import { createMaker } from "./make-event.ts";
import { ownUids } from "./origin.ts";
import { zoneOf } from "./zone-of.ts";

/** Limit on occurrences per result. If there are more, `truncated` is set. */
const maxOccurrences = 5_000;

/** Limit on cached names. In a larger calendar, each look-up reads the names again. */
const maxNames = 50_000;

export interface CalendarSettings {
  objects: CalendarObjects;
  ledger: EventLedger;
  /** The MAC key for UIDs. */
  key: Uint8Array;
  /** Undo needs it. */
  copies?: EventCopies | undefined;
  clock?: () => Date;
}

/** Creates the calendar that tools use: expansion, ids, origin and patching on top of a collection's objects. */
export function createCalendar(settings: CalendarSettings): Calendar {
  const { objects, ledger, key } = settings;
  const clock = settings.clock ?? (() => new Date());
  const maker = createMaker({ objects, ledger, key, clock });

  async function list(range: EventRange, options: CalendarOptions = {}): Promise<EventList> {
    const reader = zoneOf(range.timeZone);
    const window = { from: range.from.getTime(), to: range.to.getTime(), reader };
    const stored = await objects.between(range.from, range.to, options);
    const { found, truncated, skipped } = await expandAll(stored, window, {
      // Limits, so that many events do not fill the memory. The result says that some are left out.
      most: 10 * maxOccurrences,
      mostOfSeries: maxOccurrences + 1,
      signal: options.signal,
    });
    found.sort((one, other) => one.occurrence.start - other.occurrence.start);
    const kept = found.slice(0, maxOccurrences);
    remember(kept.map(({ name }) => name));
    const own = await ownUids(
      key,
      ledger,
      kept.map(({ occurrence }) => occurrence.event.uid),
    );
    return {
      events: kept.map(({ name, occurrence }) => toEvent(name, occurrence, own)),
      truncated: truncated || found.length > kept.length,
      skipped,
    };
  }

  /** Object names by event id. The mapping never changes, so entries stay valid. */
  const names = new Map<string, string>();

  function remember(seen: readonly string[]): void {
    if (names.size > maxNames) names.clear();
    for (const name of seen) names.set(idOfObject(name), name);
  }

  async function nameOf(objectId: string, options: CalendarOptions): Promise<string | undefined> {
    if (!names.has(objectId)) remember(await objects.names(options));
    return names.get(objectId);
  }

  async function stored(
    eventId: string,
    options: CalendarOptions,
  ): Promise<{ object: CalendarObject; key: string | undefined }> {
    const id = decodeEventId(eventId);
    const name = id && (await nameOf(id.objectId, options));
    const object = name === undefined ? undefined : await objects.get(name, options);
    if (id === undefined || object === undefined) throw noSuchEvent();
    return { object, key: id.key };
  }

  async function described(
    object: Pick<CalendarObject, "name" | "text" | "etag">,
    occurrenceKey: string | undefined,
    reader: TimeZone,
  ): Promise<FoundEvent> {
    const file = fileOf({ ...object });
    const found = file && findOccurrence(file, occurrenceKey, reader);
    if (found === undefined) throw noSuchEvent();
    const own = await ownUids(key, ledger, [found.series.uid]);
    return {
      event: toEvent(object.name, found.occurrence, own),
      version: object.etag,
      repeats: repeats(found.series),
      bytes: Buffer.byteLength(object.text),
      invited: invitedTo(found.series),
    };
  }

  /** Writes or deletes an object. @param after undefined deletes it */
  async function write(
    before: CalendarObject,
    after: string | undefined,
    { signal, version: etag, by }: CalendarOptions & EventWrite,
  ): Promise<void> {
    const { name } = before;
    const held = { etag, ...(signal && { signal }) };
    const make = (): Promise<void> =>
      after === undefined ? objects.remove(name, held) : objects.replace(name, after, held);
    if (settings.copies === undefined || by === undefined) return await make();
    const etagAfter = async (): Promise<string | undefined> => (await objects.get(name))?.etag;
    await settings.copies.changing({ before, after, by, make, etagAfter });
  }

  return {
    check: (options) => objects.check(options),
    about: async (options) => {
      const { name, timeZone } = await objects.facts(options);
      const own = timeZone === undefined ? undefined : knownZone(timeZone);
      return { name, timeZone: own?.name ?? machineZone() };
    },
    list,
    find: async (eventId, timeZone, options = {}) => {
      const { object, key: occurrenceKey } = await stored(eventId, options);
      return await described(object, occurrenceKey, zoneOf(timeZone));
    },
    preview: maker.preview,
    create: maker.create,
    previewUpdate: async (eventId, changes, options) => {
      const reader = zoneOf(options.timeZone);
      const { object, key: occurrenceKey } = await stored(eventId, options);
      const before = await described(object, occurrenceKey, reader);
      const context = { reader, scope: options.scope, now: clock() };
      const changed = changeText(object.text, occurrenceKey, changes, context);
      const { event: after } = await described(
        { ...object, text: changed.text },
        changed.key,
        reader,
      );
      return { before, after };
    },
    previewRemoval: async (eventId, options) => {
      const reader = zoneOf(options.timeZone);
      const { object, key: occurrenceKey } = await stored(eventId, options);
      const before = await described(object, occurrenceKey, reader);
      removeFromText(object.text, occurrenceKey, { reader, scope: options.scope, now: clock() });
      return before;
    },
    update: async (eventId, changes, options) => {
      const reader = zoneOf(options.timeZone);
      const { object, key: occurrenceKey } = await stored(eventId, options);
      if (object.etag !== options.version) throw changedMeanwhile();
      const context = { reader, scope: options.scope, now: clock() };
      const changed = changeText(object.text, occurrenceKey, changes, context);
      // The result is read before the write, so that a failure changes nothing.
      const { event } = await described({ ...object, text: changed.text }, changed.key, reader);
      await write(object, changed.text, options);
      return event;
    },
    remove: async (eventId, options) => {
      const reader = zoneOf(options.timeZone);
      const { object, key: occurrenceKey } = await stored(eventId, options);
      if (object.etag !== options.version) throw changedMeanwhile();
      const context = { reader, scope: options.scope, now: clock() };
      const left = removeFromText(object.text, occurrenceKey, context);
      await write(object, left, options);
    },
    keepsMore: async (principal, bytes) =>
      (await settings.copies?.hasRoom(principal, bytes)) ?? true,
  };
}

function changedMeanwhile(): ToolError {
  return new ToolError(
    "conflict",
    "The event was changed after the user was asked. Nothing was changed.",
    { hint: "Call again. The user is asked about the event as it is now." },
  );
}
