import { randomUUID } from "node:crypto";
import { type TestContext, describe, expect, inject, it, vi } from "vitest";
import { encodeEventId } from "../../src/ports/calendar/event-id.ts";
import { makeCalendar } from "../servers/caldav.ts";
import { approvalOf } from "./answer.ts";
import { connectHere } from "./clients.ts";
import { newHome } from "./home.ts";
import { decideAtTerminal, runHere } from "./program.ts";
import { homeWithBot } from "./telegram-home.ts";
import { runAtTerminal, shownFingerprint } from "./terminal.ts";

const { radicale } = inject("calendarServers");

function meeting(people: readonly string[]): string {
  const event = [
    `UID:${randomUUID()}@example.org`,
    "DTSTAMP:20261101T000000Z",
    "DTSTART:20261124T090000Z",
    "DTEND:20261124T100000Z",
    "SUMMARY:Planning",
    "ORGANIZER;CN=Me:mailto:me@example.org",
    ...people.map((address) => `ATTENDEE;PARTSTAT=ACCEPTED;CN="A: B":mailto:${address}`),
  ];
  const lines = ["VERSION:2.0", "PRODID:-//a//b//EN", "BEGIN:VEVENT", ...event, "END:VEVENT"];
  return ["BEGIN:VCALENDAR", ...lines, "END:VCALENDAR", ""].join("\r\n");
}

async function setUp(t: TestContext, people: readonly string[]) {
  const calendar = await makeCalendar(radicale!);
  await calendar.put("meeting.ics", meeting(people));
  const home = newHome(t, calendar.settings);
  const client = await connectHere(home, "v2 pinned", { elicitation: "decline" });
  return { home, client, eventId: encodeEventId("meeting.ics", undefined) };
}

// CalDAV servers send messages to the attendees of an event that changes (RFC 6638), and no request said so.
describe.skipIf(radicale === undefined)("a request about an event with invited people", () => {
  it("names them to the person, and to no client", async (t) => {
    const { home, client, eventId } = await setUp(t, ["canary@example.org", "eve@example.org"]);
    const moved = { eventId, start: "2026-11-24T12:00:00Z" };
    const answers = [
      await client.call("update_event", moved),
      await client.call("delete_event", { eventId }),
    ];
    for (const answer of answers) {
      const { stdout } = await runHere(home, ["approvals", "show", approvalOf(answer).id]);
      expect(stdout).toMatch(
        /^ {2}people invited +me@example\.org, canary@example\.org, eve@example\.org; the calendar server may notify them$/m,
      );
    }
    const dialogs = client.dialogs.map(({ message }) => message);
    expect(JSON.stringify([answers, dialogs])).not.toContain("canary");
    for (const message of dialogs)
      expect(message).toMatch(/its title, with the invited people, is shown by `.+ approvals`/);
  });

  it("still points to them after its title was shown", async (t) => {
    const { home, client, eventId } = await setUp(t, ["canary@example.org"]);
    const range = { start: "2026-11-24", end: "2026-11-25" };
    const { approval } = (await client.call("get_events_details", range)).output as {
      approval: { id: string };
    };
    await decideAtTerminal(home, "approve", approval.id);
    await t.expect
      .poll(async () => (await client.call("get_events_details", range)).output)
      .toMatchObject({ withheld: 0 });
    await client.call("delete_event", { eventId });
    const message = client.dialogs.at(-1)?.message;
    expect(message).toContain('Delete the event "Planning" on Tue 24 Nov 2026');
    expect(message).toMatch(/the list of invited people is shown by `.+ approvals`/);
    expect(message).not.toContain("canary");
  });

  it("is shorter for an event of one person", async (t) => {
    const { home, client, eventId } = await setUp(t, []);
    const { id } = approvalOf(await client.call("delete_event", { eventId }));
    const { stdout } = await runHere(home, ["approvals", "show", id]);
    expect(stdout).toContain('Delete the event "Planning"');
    expect(stdout).not.toContain("invited");
  });
});

// An undo changed the event again, and no channel said that the server may write to the attendees once more.
describe.skipIf(radicale === undefined)(
  "the undo of a change to an event with invited people",
  () => {
    async function changed(t: TestContext) {
      const calendar = await makeCalendar(radicale!);
      await calendar.put("meeting.ics", meeting(["canary@example.org"]));
      const { home, ...chat } = await homeWithBot(t, calendar.settings);
      const client = await connectHere(home, "v2 pinned", { elicitation: "approve" });
      const eventId = encodeEventId("meeting.ics", undefined);
      const change = () => client.call("update_event", { eventId, title: "Moved" });
      return { calendar, home, client, change, ...chat };
    }

    it("names them in a terminal", async (t) => {
      const { home, change } = await changed(t);
      await change();
      const list = async () => (await runHere(home, ["undo", "list", "--json"])).stdout;
      await t.expect.poll(list).toContain("un_");
      const { undo } = JSON.parse(await list()) as { undo: { undoId: string } };
      const typing = (screen: string) => `${shownFingerprint(screen)}\r`;
      const { stdout } = await runAtTerminal(home, ["undo", undo.undoId], typing);
      // The line is longer than the terminal is wide.
      t.expect(stdout.replaceAll(/\r?\n {4}/g, "")).toMatch(
        /people invited +me@example\.org, canary@example\.org; the calendar server may notify them/,
      );
    });

    it("names them in Telegram, where a second press undoes it", async (t) => {
      const { calendar, client, change, message, bot } = await changed(t);
      await client.call("list_files", {});
      await vi.waitFor(() => expect(bot.calls).toContain("getUpdates"), 30_000);
      await change();
      const report = await message(/changed the event/);
      t.expect(await bot.press(report, "Undo")).toBe(
        "Nothing was undone yet. Invited: me@example.org, canary@example.org. The calendar server may notify them. To undo the change, press Undo again.",
      );
      t.expect(await calendar.get("meeting.ics")).toContain("Moved");
      await t.expect
        .poll(() => bot.press(report, "Undo"), { timeout: 20_000, interval: 500 })
        .toBe('Undone: restored the event "Planning".');
      t.expect(await calendar.get("meeting.ics")).toContain("Planning");
    });
  },
);
