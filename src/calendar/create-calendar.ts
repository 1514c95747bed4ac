import { machineZone, type TimeZone } from "../core/shared/time-zone.ts";
import { ToolError } from "../core/tool/tool-error.ts";
import type {
  Calendar,
  CalendarOptions,
  EventList,
  EventRange,
  FoundEvent,
} from "../ports/calendar/calendar.ts";
import type { CalendarObject, CalendarObjects } from "../ports/calendar/calendar-objects.ts";
import type { EventLedger } from "../ports/calendar/event-ledger.ts";
import { changeText, removeFromText } from "./change-event.ts";
import { decodeEventId, idOfObject } from "../ports/calendar/event-id.ts";
import { repeats } from "./expand.ts";
import { expandAll } from "./expand-all.ts";
import { knownZone } from "./file-zones.ts";
import { fileOf, findOccurrence, noSuchEvent, toEvent } from "./find-event.ts";
import { createMaker } from "./make-event.ts";
import { ownUids } from "./origin.ts";
import { zoneOf } from "./zone-of.ts";

/** What one answer may hold; more is `truncated`. */
const maxOccurrences = 5_000;

/** Names that are remembered; a calendar with more is read anew for each. */
const maxNames = 50_000;

export interface CalendarSettings {
  objects: CalendarObjects;
  ledger: EventLedger;
  /** For the MAC in UIDs. */
  key: Uint8Array;
  clock?: () => Date;
}

/** The calendar that tools speak to: expansion, ids, origin and patching over the bare objects of a collection. */
export function createCalendar(settings: CalendarSettings): Calendar {
  const { objects, ledger, key } = settings;
  const clock = settings.clock ?? (() => new Date());
  const maker = createMaker({ objects, ledger, key, clock });

  async function list(range: EventRange, options: CalendarOptions = {}): Promise<EventList> {
    const reader = zoneOf(range.timeZone);
    const window = { from: range.from.getTime(), to: range.to.getTime(), reader };
    const stored = await objects.between(range.from, range.to, options);
    const { found, truncated, skipped } = await expandAll(stored, window, {
      // Enough of one kind of event must not fill the memory; what is left out is said.
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

  /** Names that were seen, by their id; an id says the same for ever, so that nothing here gets old. */
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
    };
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
    update: async (eventId, changes, options) => {
      const reader = zoneOf(options.timeZone);
      const { object, key: occurrenceKey } = await stored(eventId, options);
      if (object.etag !== options.version) throw changedMeanwhile();
      const context = { reader, scope: options.scope, now: clock() };
      const changed = changeText(object.text, occurrenceKey, changes, context);
      // Before the change: what fails here has changed nothing, and nothing is left to fail after it.
      const { event } = await described({ ...object, text: changed.text }, changed.key, reader);
      const { signal, version: etag } = options;
      await objects.replace(object.name, changed.text, { etag, ...(signal && { signal }) });
      return event;
    },
    remove: async (eventId, options) => {
      const reader = zoneOf(options.timeZone);
      const { object, key: occurrenceKey } = await stored(eventId, options);
      if (object.etag !== options.version) throw changedMeanwhile();
      const context = { reader, scope: options.scope, now: clock() };
      const left = removeFromText(object.text, occurrenceKey, context);
      const { signal, version: etag } = options;
      const held = { etag, ...(signal && { signal }) };
      if (left === undefined) await objects.remove(object.name, held);
      else await objects.replace(object.name, left, held);
    },
  };
}

function changedMeanwhile(): ToolError {
  return new ToolError(
    "conflict",
    "The event was changed by somebody else since the user was asked. Nothing was changed.",
    { hint: "Call again: the user is asked about the event as it is now." },
  );
}
