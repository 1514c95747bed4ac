import type { Config } from "../../config.ts";
import type { Log } from "../../core/shared/log.ts";
import type { Calendar } from "../../ports/calendar/calendar.ts";
import type { EventLedger } from "../../ports/calendar/event-ledger.ts";

/** Opens the calendar without a connection. tsdav, ical.js and the rest are loaded at the first request. */
export function openCalendar(
  { name, ...server }: NonNullable<Config["calendar"]>,
  { log, ...own }: { ledger: EventLedger; key: Uint8Array; log: Log },
): Calendar {
  let loading: Promise<Calendar> | undefined;
  const calendar = (): Promise<Calendar> =>
    (loading ??= Promise.all([
      import("../../adapters/caldav/collection.ts"),
      import("../../calendar/create-calendar.ts"),
    ]).then(([{ createCollection }, { createCalendar }]) =>
      createCalendar({ objects: createCollection({ ...server, calendar: name, log }), ...own }),
    ));
  return {
    check: async (options) => await (await calendar()).check(options),
    about: async (options) => await (await calendar()).about(options),
    list: async (...args) => await (await calendar()).list(...args),
    find: async (...args) => await (await calendar()).find(...args),
    preview: async (...args) => await (await calendar()).preview(...args),
    create: async (...args) => await (await calendar()).create(...args),
    previewUpdate: async (...args) => await (await calendar()).previewUpdate(...args),
    update: async (...args) => await (await calendar()).update(...args),
    remove: async (...args) => await (await calendar()).remove(...args),
  };
}
