import { describe, inject } from "vitest";
import { createCollection } from "../../src/adapters/caldav/collection.ts";
import { createCalendar } from "../../src/calendar/create-calendar.ts";
import { Secret } from "../../src/core/secret.ts";
import { createFakeCalendarObjects } from "../fakes/calendar-objects.ts";
import { createFakeEventLedger } from "../fakes/event-ledger.ts";
import { quietLog } from "../fakes/quiet-log.ts";
import { makeCalendar } from "../servers/caldav.ts";
import type { CalendarServer } from "../servers/calendar-servers.ts";
import { calendarContract } from "./calendar.ts";

const key = new Uint8Array(32).fill(7);

calendarContract("the fake", async () => {
  const objects = createFakeCalendarObjects();
  return {
    calendar: createCalendar({ objects, ledger: createFakeEventLedger(), key }),
    name: "Assistant",
    put: async (name, text) => objects.put(name, text),
    get: async (name) => objects.kept.get(name)?.text ?? "",
    objectNames: async () => [...objects.kept.keys()],
  };
});

const { radicale, cyrus } = inject("calendarServers");
real("Radicale", radicale);
real("Cyrus", cyrus);

/** Every test has a calendar of its own, beside the others on the same account. */
function real(name: string, server: CalendarServer | undefined): void {
  describe.skipIf(server === undefined)(`on ${name}`, () => {
    calendarContract(name, async () => {
      const own = await makeCalendar(server!);
      const objects = createCollection({
        url: server!.url,
        username: "alice",
        auth: { kind: "basic", password: new Secret("secret") },
        calendar: own.name,
        allowedHosts: [],
        log: quietLog,
      });
      return {
        ...own,
        calendar: createCalendar({ objects, ledger: createFakeEventLedger(), key }),
      };
    });
  });
}
