import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, describe, expect, inject, it } from "vitest";
import { encodeEventId } from "../../src/ports/calendar/event-id.ts";
import type { CalendarServer } from "../servers/calendar-server.ts";
import { makeCalendar } from "../servers/caldav.ts";
import { connectHere } from "./clients.ts";
import { type Home, newHome, operatorSecret } from "./home.ts";
import { runHere } from "./program.ts";

const servers = inject("calendarServers");
const objectName = "their own.ics";

/** The user's own event, with properties that no tool knows. */
const original = (): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Someone//Else//EN",
    "BEGIN:VEVENT",
    `UID:${randomUUID()}@example.org`,
    "DTSTAMP:20261101T000000Z",
    "DTSTART:20261124T090000Z",
    "DTEND:20261124T100000Z",
    "SUMMARY:Dentist\\, upper floor",
    "X-COLOR:teal",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ].join("\r\n");

async function setUp(t: TestContext, server: CalendarServer) {
  const calendar = await makeCalendar(server);
  const home = newHome(t, calendar.settings);
  const client = await connectHere(home, "v2 pinned", { elicitation: "approve" });
  await calendar.put(objectName, original());
  const stored = await calendar.get(objectName);
  return { calendar, home, client, stored, eventId: encodeEventId(objectName, undefined) };
}

interface Listed {
  sentence: string;
  key?: string;
  undo: { undoId: string };
}

async function newest(home: Home): Promise<Listed> {
  const { stdout } = await runHere(home, ["undo", "list", "--json"]);
  return JSON.parse(stdout.split("\n")[0] ?? "") as Listed;
}

const undo = (home: Home, undoId: string) =>
  runHere(home, ["undo", undoId, "--secret-stdin"], { input: `${operatorSecret}\n` });

const change = { title: "Something else", start: "2026-11-25T09:00:00Z", timeZone: "UTC" };

describe.concurrent.each(["radicale", "cyrus"] as const)("undo of events over %s", (name) => {
  const server = servers[name];

  it.skipIf(server === undefined)(
    "restores a changed event byte for byte, and can be undone itself [undo.events]",
    async (t) => {
      const { calendar, home, client, stored, eventId } = await setUp(t, server!);
      expect((await client.call("update_event", { eventId, ...change })).isError).toBe(false);
      const changed = await calendar.get(objectName);
      expect(changed).toContain("Something else");
      // The sentence is in the audit record, which is written a moment after the answer.
      await t.expect.poll(async () => (await newest(home)).sentence).toContain("changed the event");
      const listed = await newest(home);
      expect(listed.key).toBeUndefined();
      expect(await undo(home, listed.undo.undoId)).toMatchObject({
        code: 0,
        stdout: 'Restored the event "Dentist, upper floor".\n',
      });
      expect(await calendar.get(objectName)).toBe(stored);
      const again = await undo(home, listed.undo.undoId);
      expect(again.stderr).toContain("That change of the event is already undone.");
      await undo(home, (await newest(home)).undo.undoId);
      expect(await calendar.get(objectName)).toBe(changed);
    },
  );

  it.skipIf(server === undefined)(
    "brings a deleted event back under its name, and removes it again",
    async (t) => {
      const { calendar, home, client, stored, eventId } = await setUp(t, server!);
      expect((await client.call("delete_event", { eventId })).isError).toBe(false);
      expect(await calendar.objectNames()).toEqual([]);
      expect((await undo(home, (await newest(home)).undo.undoId)).code).toBe(0);
      expect(await calendar.get(objectName)).toBe(stored);
      const removed = await undo(home, (await newest(home)).undo.undoId);
      expect(removed.stdout).toBe('Removed the event "Dentist, upper floor".\n');
      expect(await calendar.objectNames()).toEqual([]);
    },
  );

  // The list named such an event by the encoded name of its object.
  it.skipIf(server === undefined)(
    "keeps the name of its object out of the list after a crash",
    async (t) => {
      const { home, client, eventId } = await setUp(t, server!);
      await client.call("delete_event", { eventId });
      await t.expect.poll(async () => (await newest(home)).sentence).toContain("deleted the event");
      await home.sql("UPDATE audit SET sentence = NULL WHERE type = 'finished'");
      t.expect((await newest(home)).sentence).toBe("deleted an event");
    },
  );

  it.skipIf(server === undefined)(
    "keeps the version that it replaces, also one of the user",
    async (t) => {
      const { calendar, home, client, stored, eventId } = await setUp(t, server!);
      await client.call("delete_event", { eventId });
      const { undoId } = (await newest(home)).undo;
      const later = stored.replace("Dentist", "Newer");
      await calendar.put(objectName, later);
      await undo(home, undoId);
      // The undo replaced the version that was shown, and that version can be restored.
      expect(await calendar.get(objectName)).toContain("Dentist");
      await undo(home, (await newest(home)).undo.undoId);
      expect(await calendar.get(objectName)).toContain("Newer");
    },
  );

  it.skipIf(server === undefined)(
    "refuses an undo if the calendar is not configured",
    async (t) => {
      const { home, client, eventId } = await setUp(t, server!);
      await client.call("delete_event", { eventId });
      const { undoId } = (await newest(home)).undo;
      rmSync(join(home.dir, ".env"));
      const ended = await undo(home, undoId);
      expect(ended.stderr).toContain("The calendar is not configured. Nothing was undone.");
    },
  );
});
