import type { Config } from "../../../config.ts";
import type { Log } from "../../../core/shared/log.ts";
import type { Calendar } from "../../../ports/calendar/calendar.ts";
import type { CalendarObjects } from "../../../ports/calendar/calendar-objects.ts";
import type { EventCopies } from "../../../ports/calendar/event-copies.ts";
import type { EventLedger } from "../../../ports/calendar/event-ledger.ts";

export interface OpenedCalendar {
  calendar: Calendar;
  /** The stored objects, for undo. */
  objects: Pick<CalendarObjects, "get" | "create" | "replace" | "remove">;
  /** Describes a calendar file for people. */
  describe(text: string): Promise<{ title: string; summary: string; invited: readonly string[] }>;
}

/** Opens the calendar without a connection. tsdav, ical.js and the rest are loaded at the first request. */
export function openCalendar(
  { name, ...server }: NonNullable<Config["calendar"]>,
  { log, ...own }: { ledger: EventLedger; key: Uint8Array; copies: EventCopies; log: Log },
): OpenedCalendar {
  let loading: Promise<{ calendar: Calendar; objects: CalendarObjects }> | undefined;
  const loaded = (): NonNullable<typeof loading> =>
    (loading ??= Promise.all([
      import("../../../adapters/caldav/collection.ts"),
      import("../../../calendar/create-calendar.ts"),
    ]).then(([{ createCollection }, { createCalendar }]) => {
      const objects = createCollection({ ...server, calendar: name, log });
      return { objects, calendar: createCalendar({ objects, ...own }) };
    }));
  const calendar = async (): Promise<Calendar> => (await loaded()).calendar;
  const objects = async (): Promise<CalendarObjects> => (await loaded()).objects;
  return {
    calendar: {
      check: async (options) => await (await calendar()).check(options),
      about: async (options) => await (await calendar()).about(options),
      list: async (...args) => await (await calendar()).list(...args),
      find: async (...args) => await (await calendar()).find(...args),
      preview: async (...args) => await (await calendar()).preview(...args),
      create: async (...args) => await (await calendar()).create(...args),
      previewUpdate: async (...args) => await (await calendar()).previewUpdate(...args),
      previewRemoval: async (...args) => await (await calendar()).previewRemoval(...args),
      update: async (...args) => await (await calendar()).update(...args),
      remove: async (...args) => await (await calendar()).remove(...args),
      keepsMore: async (...args) => await (await calendar()).keepsMore(...args),
    },
    objects: {
      get: async (...args) => await (await objects()).get(...args),
      create: async (...args) => await (await objects()).create(...args),
      replace: async (...args) => await (await objects()).replace(...args),
      remove: async (...args) => await (await objects()).remove(...args),
    },
    describe: async (text) => {
      const [{ describeFile }, { zoneOf }] = await Promise.all([
        import("../../../calendar/describe-file.ts"),
        import("../../../calendar/zone-of.ts"),
      ]);
      return describeFile(text, zoneOf((await (await calendar()).about()).timeZone));
    },
  };
}
