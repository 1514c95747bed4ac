import { randomUUID } from "node:crypto";
import { type TestContext, describe, expect, inject, it, vi } from "vitest";
import { z } from "zod";
import { encodeEventId } from "../../src/ports/calendar/event-id.ts";
import { makeCalendar } from "../servers/caldav.ts";
import { afterRun, approvalOf } from "./answer.ts";
import { type ClientKind, connect, connectHere, type Reaction } from "./clients.ts";
import { newHome, newestTicket } from "./home.ts";
import { decideAtTerminal, runHere } from "./program.ts";

const { radicale } = inject("calendarServers");
const week = {
  start: "2026-11-23",
  end: "2026-11-30",
  timeZone: "Europe/Berlin",
};
const details = z.object({
  events: z.array(z.object({ id: z.string(), title: z.string(), origin: z.string() })),
  withheld: z.number(),
  approval: z.object({ id: z.string(), status: z.string(), expiresAt: z.string() }).optional(),
});

/** The user's own event on Tuesday, with a title that no client may see before it is approved. */
const theirs = (): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Someone//Else//EN",
    "BEGIN:VEVENT",
    `UID:${randomUUID()}@example.org`,
    "DTSTAMP:20261101T000000Z",
    "DTSTART:20261124T090000Z",
    "DTEND:20261124T100000Z",
    "SUMMARY:canary surgery",
    "X-COLOR:teal",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ].join("\r\n");

async function setUp(t: TestContext, kind: ClientKind, elicitation?: Reaction) {
  const calendar = await makeCalendar(radicale!);
  const home = newHome(t, calendar.settings);
  const client = await connectHere(home, kind, elicitation ? { elicitation } : {});
  const everything: string[] = [];
  const call = async (name: string, args: Record<string, unknown>) => {
    const answer = await client.call(name, args);
    everything.push(JSON.stringify(answer));
    return answer;
  };
  return { calendar, home, client, call, everything };
}

const standup = {
  title: "Standup",
  start: "2026-11-23T09:00:00+01:00",
  end: "2026-11-23T10:00:00+01:00",
  timeZone: "Europe/Berlin",
};

describe.skipIf(radicale === undefined).concurrent("times of the calendar", () => {
  it("may omit the offset if timeZone is given, and a dialog shows both zones [calendar.both-zones]", async (t) => {
    const { home, calendar, call } = await setUp(t, "v2 legacy");
    // Intl calls this zone Asia/Calcutta, a name that people there gave up.
    home.env["TZ"] = "Asia/Kolkata";
    const client = await connect(home, "v2 legacy", { elicitation: "approve" });
    const timeZone = "America/New_York";
    const times = { start: "2026-11-24T18:00", end: "2026-11-24T19:00:00", timeZone };
    const made = await client.call("create_event", { title: "Call", ...times });
    t.expect(made.output).toMatchObject({ start: "2026-11-24T18:00:00-05:00" });
    const [name = ""] = await calendar.objectNames();
    t.expect(await calendar.get(name)).toContain("DTSTART;TZID=America/New_York:20261124T180000");
    const eventId = String(made.output?.["id"]);
    t.expect(eventId.length).toBeLessThanOrEqual(40);
    const later = { start: "2026-11-24T20:00", timeZone };
    const moved = await client.call("update_event", { eventId, ...later });
    t.expect(moved.output).toMatchObject({ end: "2026-11-24T21:00:00-05:00" });
    await client.call("delete_event", { eventId });
    for (const { message } of client.dialogs) {
      // A renaming repeated both titles, and a move repeated both times.
      t.expect(message.match(/"?Call"?/g), message).toHaveLength(1);
      t.expect(message.match(/for you/g), message).toHaveLength(1);
      const [first = "", second = ""] = message.split("\n");
      t.expect(first).toMatch(/\(America\/New_York\)$/);
      t.expect(second).toMatch(/^for you: \w+ 25 Nov 2026, .+ \(Asia\/Kolkata\); request \S+$/);
      // Claude Code cuts each line to the window, and the new time of a move was behind the cut.
      const weighty = first.replace(/ \([^)]+\)$/, "");
      t.expect(Math.max(weighty.length, second.length), message).toBeLessThanOrEqual(76);
    }
    t.expect(client.dialogs).toHaveLength(3);
    await calendar.put("theirs.ics", theirs());
    const own = { start: "2026-11-24T03:00", end: "2026-11-24T06:00", timeZone };
    await client.call("get_events_details", own);
    t.expect(client.dialogs[3]?.message).toMatch(
      /^Show the assistant 1 event of yours with titles, Tue 24 Nov 2026, 03:00 to 06:00 \(America\/New_York\)\nfor you: Tue 24 Nov 2026, 13:30 to 16:30 \(Asia\/Kolkata\); request /,
    );
    for (const tool of ["get_events_availability", "get_events_details"]) {
      t.expect((await call(tool, times)).isError, tool).toBe(false);
      const bare = await call(tool, { start: "2026-11-24T18:00", end: "2026-11-25" });
      t.expect(bare.text).toContain("timeZone is missing");
    }
    t.expect((await call("get_events_availability", times)).text).toContain(
      "Others are not covered.",
    );
  });
});

describe
  .skipIf(radicale === undefined)
  .concurrent("the calendar through an official client", () => {
    // The machine that tests run on may be in any zone.
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const forYou = own === "UTC" ? "for you: Mon 23 Nov 2026, 08:00 to 09:00 (UTC)\n" : "";
    for (const kind of ["v1", "v2 auto"] as const) {
      it(`creates, changes and deletes an event after approval in the dialog (${kind})`, async (t) => {
        const { client, call, calendar } = await setUp(t, kind, "approve");
        const made = await call("create_event", standup);
        expect(made.output).toMatchObject({
          title: "Standup",
          start: "2026-11-23T09:00:00+01:00",
          end: "2026-11-23T10:00:00+01:00",
          allDay: false,
          origin: "assistant",
        });
        const headlines = () => client.dialogs.map(({ message }) => message.split("\n")[0]);
        expect(headlines()).toEqual([
          'Add the event "Standup" on Mon 23 Nov 2026, 09:00 to 10:00 (Europe/Berlin)',
        ]);
        const [, ...below] = client.dialogs[0]?.message.split("\n") ?? [];
        const told = below
          .slice(0, -1)
          .join("\n")
          .replace(/(?:; )?request \S+/, "");
        expect(told).toMatch(/^(?:for you: .+\n)?at the same time: nothing[;\n] ?calendar: .+$/);
        expect(told.startsWith(forYou)).toBe(true);
        const eventId = made.output?.["id"];
        const start = "2026-11-23T11:00:00+01:00";
        const changed = await call("update_event", {
          eventId,
          start,
          timeZone: "Europe/Berlin",
        });
        expect(changed.output).toMatchObject({ start, end: "2026-11-23T12:00:00+01:00" });
        expect(headlines()[1]).toBe(
          'Move the event "Standup" on Mon 23 Nov 2026 from 09:00-10:00 to 11:00-12:00 (Europe/Berlin)',
        );
        const shown = await call("get_events_details", week);
        expect(details.parse(shown.output)).toMatchObject({
          events: [{ id: eventId, title: "Standup" }],
          withheld: 0,
        });
        expect((await call("delete_event", { eventId })).output).toEqual({
          id: eventId,
          deleted: true,
        });
        expect(headlines()[2]).toMatch(
          /^Delete the event "Standup" on Mon 23 Nov 2026, 1\d:00 to 1\d:00 \(.+\)$/,
        );
        expect(await calendar.objectNames()).toEqual([]);
      });
    }

    it("shows the user's own events only after approval of this range and number [calendar.details]", async (t) => {
      const { calendar, home, call, everything } = await setUp(t, "v2 legacy");
      await calendar.put("theirs.ics", theirs());
      const busy = await call("get_events_availability", week);
      expect(busy.output).toMatchObject({
        busy: [
          { start: "2026-11-24T10:00:00+01:00", end: "2026-11-24T11:00:00+01:00", allDay: false },
        ],
        covers: Array.of(calendar.name),
      });
      const withheld = details.parse((await call("get_events_details", week)).output);
      expect(withheld).toMatchObject({ events: [], withheld: 1, approval: { status: "pending" } });
      expect(everything.join()).not.toContain("canary");
      const approved = await decideAtTerminal(home, "approve", withheld.approval?.id ?? "");
      expect(approved.stdout).toContain("Approved");
      // The running server may be reading at this moment. In that case the events come with a later call.
      const shown = await vi.waitFor(async () => {
        const answer = await call("get_events_details", week);
        expect(details.parse(answer.output)).toMatchObject({
          events: [{ title: "canary surgery", origin: "user" }],
          withheld: 0,
        });
        return answer;
      }, 30_000);
      expect(shown.text).toMatch(/\[untrusted [\s\S]*canary surgery/);
    });

    it("shows no more after an approval if a new event was added", async (t) => {
      const { calendar, home, call, everything } = await setUp(t, "v2 legacy");
      await calendar.put("theirs.ics", theirs());
      const { approval } = details.parse((await call("get_events_details", week)).output);
      await calendar.put("more.ics", theirs());
      const approvalId = approval?.id ?? "";
      await decideAtTerminal(home, "approve", approvalId);
      // Either this call runs it, or the server has already run it.
      await call("get_events_details", week);
      await t.expect
        .poll(async () => (await call("check_approval", { approvalId })).output)
        .toMatchObject({ status: "failed", error: { kind: "conflict" } });
      expect(everything.join()).not.toContain("canary");
    });

    it("returns the assistant's own events after a denial, and nothing of the others", async (t) => {
      const { calendar, home, call, everything } = await setUp(t, "v2 legacy");
      await calendar.put("theirs.ics", theirs());
      const { approval } = details.parse((await call("get_events_details", week)).output);
      await decideAtTerminal(home, "deny", approval?.id ?? "");
      const answer = await call("get_events_details", week);
      expect(details.parse(answer.output)).toMatchObject({
        events: [],
        withheld: 1,
        approval: { status: "denied" },
      });
      expect(everything.join()).not.toContain("canary");
    });

    it("recognises a denial for the same time in another spelling [tickets.denied-target]", async (t) => {
      const { home, call } = await setUp(t, "v2 legacy");
      const { id } = approvalOf(await call("create_event", standup));
      await decideAtTerminal(home, "deny", id);
      const spellings = [
        "2026-11-23T08:00:00Z",
        "2026-11-23t08:00:00z",
        "2026-11-23T09:00:00.4+01:00",
        "2026-11-23T09:00+0100",
      ];
      for (const start of spellings) {
        const { error } = await call("create_event", { ...standup, title: "Again", start });
        t.expect(error, start).toMatchObject({ kind: "denied", approval: { id } });
      }
    });

    it("changes a user's event with facts that only the person sees", async (t) => {
      const { calendar, home, client, call, everything } = await setUp(t, "v2 pinned", "decline");
      await calendar.put("theirs.ics", theirs());
      const eventId = encodeEventId("theirs.ics", undefined);
      const args = { eventId, title: "Doctor" };
      const asked = await call("update_event", args);
      const { id } = approvalOf(asked);
      expect(everything.join() + client.dialogs.map(({ message }) => message).join()).not.toContain(
        "canary",
      );
      const shown = await runHere(home, ["approvals", "show", id]);
      expect(shown.stdout).toMatch(
        /^Rename the event "canary surgery" to "Doctor" on Tue 24 Nov 2026, .+$/m,
      );
      expect(client.dialogs[0]?.message).toMatch(
        /^Rename an event of yours to "Doctor" on Tue 24 Nov 2026, .+\n.*request \S+\nits title is shown by `.+ approvals`\n/,
      );
      await decideAtTerminal(home, "approve", id);
      const changed = await afterRun(() => call("update_event", args));
      expect(changed.output).toMatchObject({ title: "Doctor", origin: "user" });
      expect(await calendar.get("theirs.ics")).toContain("X-COLOR:teal");
      const removal = approvalOf(await call("delete_event", { eventId }));
      await decideAtTerminal(home, "approve", removal.id);
      await afterRun(() => call("delete_event", { eventId }));
      await client.close();
      const { stdout } = await runHere(home, ["activity"]);
      // The page's lines named events by their ids.
      expect(stdout).not.toContain(eventId);
      expect(stdout).toContain('asked to rename the event "canary surgery" to "Doctor" on Tue 24');
      expect(stdout).toContain('approved at the terminal: delete the event "Doctor" on Tue 24');
      expect(stdout).toContain('deleted the event "Doctor"');
      expect(everything.join()).not.toContain("canary");
    });

    // The text of check_approval had the title, which the result keeps for the record only.
    it("keeps the title of a user's deleted event from its client", async (t) => {
      const { calendar, home, call, everything } = await setUp(t, "v2 legacy");
      await calendar.put("theirs.ics", theirs());
      const eventId = encodeEventId("theirs.ics", undefined);
      const { id: approvalId } = approvalOf(await call("delete_event", { eventId }));
      await decideAtTerminal(home, "approve", approvalId);
      await t.expect
        .poll(async () => (await call("check_approval", { approvalId })).output)
        .toMatchObject({ status: "done" });
      expect(everything.join()).not.toContain("canary");
    });

    // A client could find out a title by guessing if the words differed.
    it("hides in the dialog whether a title is the user's present one [effect.dialog-facts]", async (t) => {
      const { calendar, client, call } = await setUp(t, "v2 pinned", "decline");
      await calendar.put("theirs.ics", theirs());
      const eventId = encodeEventId("theirs.ics", undefined);
      await call("update_event", { eventId, title: "canary surgery" });
      await call("update_event", { eventId, title: "another giving" });
      await call("delete_event", { eventId });
      const [right, wrong, removal] = client.dialogs.map(({ message }) => message.split("\n")[0]);
      // Both titles have 14 characters and lose their middle here.
      expect(right?.replace(/"can[^"]+"/, "TITLE")).toBe(wrong?.replace(/"an[^"]+"/, "TITLE"));
      expect(removal).toMatch(/^Delete an event of yours on Tue 24 Nov 2026, .+\)$/);
      expect(client.dialogs[2]?.message).toMatch(/\nits title is shown by `.+ approvals`\n/);
    });

    // A dialog about an event that the assistant had just listed showed no title.
    it("names a user's event in the dialog if its title was shown after approval [elicitation.three-lines]", async (t) => {
      const { calendar, client, call } = await setUp(t, "v2 pinned", "approve");
      await calendar.put("theirs.ics", theirs());
      await call("get_events_details", week);
      const eventId = encodeEventId("theirs.ics", undefined);
      await call("update_event", { eventId, title: "Doctor" });
      await call("delete_event", { eventId });
      const [, renamed, removed] = client.dialogs.map(({ message }) => message);
      expect(renamed).toContain(
        '\nin full: Rename the event "canary surgery" to "Doctor" on Tue 24',
      );
      expect(renamed).not.toContain("its title");
      // The new title was in no list.
      expect(removed).toMatch(/^Delete an event of yours on Tue 24 Nov/);
    });

    it("creates one event from two calls with one idempotency key, across two servers", async (t) => {
      const { home, call, calendar } = await setUp(t, "v2 pinned", "approve");
      const args = { ...standup, idempotencyKey: "trip" };
      const first = await call("create_event", args);
      const other = await connectHere(home, "v1", { elicitation: "approve" });
      const second = await other.call("create_event", args);
      expect(second.output).toEqual(first.output);
      expect(await calendar.objectNames()).toHaveLength(1);
      expect(await newestTicket(home)).not.toBe("");
    });

    it("reports an invalid call before an approval request", async (t) => {
      const { call, home } = await setUp(t, "v2 legacy");
      const wrong: Record<string, unknown>[] = [
        { ...standup, start: "2026-11-23T09:00:00", timeZone: undefined },
        { ...standup, start: "2026-03-29T02:30" },
        { ...standup, end: standup.start },
        { ...standup, timeZone: "Mars/Olympus" },
        { ...standup, recurrence: "FREQ=SOMETIMES" },
        { ...standup, allDay: true },
      ];
      for (const args of wrong) {
        const answer = await call("create_event", args);
        expect(answer.error, JSON.stringify(args)).toMatchObject({ kind: "invalid_input" });
      }
      const missing = await call("delete_event", { eventId: "ev_nonsense" });
      expect(missing.error?.kind).toBe("not_found");
      const long = await call("get_events_availability", {
        start: "2026-01-01",
        end: "2027-06-01",
      });
      expect(long.error?.kind).toBe("invalid_input");
      expect(await home.sql("SELECT 1 FROM tickets")).toEqual([]);
    });
  });
