import { describe, expect, it } from "vitest";
import { digestSettings } from "../../src/app/compose/digest-settings.ts";
import type { Stores } from "../../src/app/compose/open/open-stores.ts";
import { utcZone } from "../../src/core/shared/time-zone.ts";
import type { EventTime } from "../../src/ports/calendar/calendar.ts";

const day = {
  yesterday: new Date("2026-11-22T00:00:00Z"),
  today: new Date("2026-11-23T00:00:00Z"),
  tomorrow: new Date("2026-11-24T00:00:00Z"),
  since: new Date("2026-11-22T07:00:00Z"),
};

/** Stores without mail, requests and changes, whose calendar has these events. */
function storesWith(
  list: () => Promise<{ events: readonly { blocks: boolean; time: EventTime }[] }>,
) {
  const none = () => Promise.resolve([]);
  return {
    tickets: { list: none },
    recentChanges: { newest: none },
    calendar: { list },
    database: {},
  } as unknown as Stores;
}

const notices = { arrivedSince: () => Promise.resolve({ newest: [], total: 0 }) };

const timed = (start: string, end: string) => ({
  blocks: true,
  time: {
    allDay: false as const,
    start: new Date(`2026-11-${start}:00Z`),
    end: new Date(`2026-11-${end}:00Z`),
  },
});

describe("the busy times of a digest", () => {
  it("are merged, within the day, and without events marked as free", async () => {
    const events = [
      timed("23T09:00", "23T10:00"),
      timed("23T09:30", "23T10:30"),
      { ...timed("23T12:00", "23T13:00"), blocks: false },
      timed("23T22:00", "24T02:00"),
    ];
    const stores = storesWith(() => Promise.resolve({ events }));
    const { busy } = await digestSettings(420, stores, notices, utcZone).facts(day, undefined);
    expect(busy).toEqual(["09:00-10:30", "22:00-24:00"]);
  });

  it("name a whole day, and are unknown if the calendar cannot be read", async () => {
    const time = { allDay: true as const, start: "2026-11-22", end: "2026-11-25" };
    const whole = storesWith(() => Promise.resolve({ events: [{ blocks: true, time }] }));
    expect((await digestSettings(420, whole, notices, utcZone).facts(day, undefined)).busy).toEqual(
      ["all day"],
    );
    const broken = storesWith(() => Promise.reject(new Error("no connection")));
    expect(
      (await digestSettings(420, broken, notices, utcZone).facts(day, undefined)).busy,
    ).toBeUndefined();
  });
});
