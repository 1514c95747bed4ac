import { createDigestDays } from "../../adapters/libsql/chat/digest-days.ts";
import {
  dateToWall,
  ianaZone,
  machineZone,
  type TimeZone,
  utcToWall,
  utcZone,
  wallToUtc,
} from "../../core/shared/time-zone.ts";
import type { EventTime } from "../../ports/calendar/calendar.ts";
import type { MailNotices } from "../../ports/mail/mail-notices.ts";
import { digestEntries, type DigestSettings } from "../../channels/telegram/digest.ts";
import { mergeBusy } from "../../tools/calendar/merge-busy.ts";
import type { Stores } from "./open/open-stores.ts";

/** Requests and changes that are counted. */
const mostCounted = 1_000;

/** Creates the digest's facts from the stores, without a model. */
export function digestSettings(
  at: number,
  stores: Stores,
  notices: Pick<MailNotices, "arrivedSince">,
  zone: TimeZone = ianaZone(machineZone()) ?? utcZone,
): DigestSettings {
  const { calendar, tickets, recentChanges, database } = stores;

  async function busyTimes(from: Date, to: Date): Promise<string[] | undefined> {
    if (calendar === undefined) return [];
    try {
      const { events } = await calendar.list({ from, to, timeZone: zone.name });
      const busy = mergeBusy(
        events.filter(({ blocks }) => blocks).map(({ time }) => time),
        zone,
      );
      return busy.map((time) => formatEventTime(time, { from, to }, zone));
    } catch {
      return undefined;
    }
  }

  return {
    days: createDigestDays(database),
    at,
    zone,
    facts: async ({ yesterday, today, tomorrow, since }, principal) => {
      const of = principal === undefined ? {} : { principal };
      const [mails, busy, waiting, changes] = await Promise.all([
        notices.arrivedSince(since, digestEntries),
        busyTimes(today, tomorrow),
        tickets.list({ statuses: ["pending"], ...of, limit: mostCounted }),
        recentChanges.newest({ from: yesterday, ...of, limit: mostCounted }),
      ]);
      const unasked = changes.filter(
        ({ at: changedAt, undoes, wasAsked }) =>
          changedAt < today && undoes === undefined && wasAsked !== true,
      );
      const shown = <Each>(all: readonly Each[]) => ({
        newest: all.slice(0, digestEntries),
        total: all.length,
      });
      return {
        mails,
        busy,
        waiting: shown(waiting),
        changes: shown(unasked),
      };
    },
  };
}

/** Formats a busy time within one day: `09:00-10:30`, or `all day`. */
function formatEventTime(time: EventTime, day: { from: Date; to: Date }, zone: TimeZone): string {
  const instant = (date: string): number => wallToUtc(dateToWall(date) ?? 0, zone);
  const [start, end] = time.allDay
    ? [instant(time.start), instant(time.end)]
    : [time.start.getTime(), time.end.getTime()];
  const from = Math.max(start, day.from.getTime());
  const to = Math.min(end, day.to.getTime());
  if (from === day.from.getTime() && to === day.to.getTime()) return "all day";
  const clock = (at: number): string => new Date(utcToWall(at, zone)).toISOString().slice(11, 16);
  return `${clock(from)}-${to === day.to.getTime() ? "24:00" : clock(to)}`;
}
