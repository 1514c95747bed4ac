import { expect, it } from "vitest";
import { z } from "zod";
import { answerDav, davItem, startOddServer } from "../servers/odd-caldav.ts";
import { connectHere } from "./clients.ts";
import { newHome } from "./home.ts";
import { runHere } from "./program.ts";

const week = { start: "2026-11-23", end: "2026-11-30", timeZone: "Europe/Berlin" };
const details = z.object({ events: z.array(z.object({ id: z.string() })).min(2) });

const event = (uid: string): string =>
  [
    "BEGIN:VEVENT",
    `UID:${uid}`,
    "DTSTAMP:20261101T000000Z",
    "DTSTART:20261124T090000Z",
    "DTEND:20261124T100000Z",
    `SUMMARY:${uid}`,
    "END:VEVENT",
  ].join("\r\n");
const object = ["BEGIN:VCALENDAR", "VERSION:2.0", event("one"), event("two"), "END:VCALENDAR"].join(
  "\r\n",
);

// The user was asked about a deletion that then failed. It would have taken the other event along.
it("an object with several events is refused without a request", async (t) => {
  const server = await startOddServer();
  const changes: string[] = [];
  server.odd = ({ method = "", url = "" }, response) => {
    if (method === "PUT" || method === "DELETE") changes.push(method);
    if (method === "GET" && url.endsWith("a.ics")) {
      response.writeHead(200, { etag: '"1"' }).end(object);
    } else if (method === "REPORT") {
      const props = `<d:getetag>"1"</d:getetag><c:calendar-data>${object}</c:calendar-data>`;
      answerDav(response, davItem("/home/assistant/a.ics", props));
    } else return false;
    return true;
  };
  const home = newHome(t, {
    CALDAV_URL: server.url,
    CALDAV_USERNAME: "alice",
    CALDAV_PASSWORD: "secret",
    CALDAV_CALENDAR: "Assistant",
  });
  home.later(() => server.close());
  const client = await connectHere(home, "v2 legacy", { elicitation: "approve" });
  const listed = details.parse((await client.call("get_events_details", week)).output);
  const asked = client.dialogs.length;
  for (const [tool, more] of [
    ["delete_event", {}],
    ["update_event", { title: "x" }],
  ] as const) {
    const answer = await client.call(tool, { eventId: listed.events[0]?.id, ...more });
    expect(answer.text, tool).toContain("together with other events. Nothing was changed.");
  }
  expect(client.dialogs).toHaveLength(asked);
  expect(changes).toEqual([]);
});

// A shared calendar without the right to write was reported as working.
it.for([
  ["<d:read/>", true],
  ["<d:read/></d:privilege><d:privilege><d:write-content/>", false],
  ["<d:read/></d:privilege><d:privilege><d:all/>", false],
] as const)(
  "the doctor says whether events can be changed with %s",
  async ([privilege, isLimited], t) => {
    const server = await startOddServer();
    t.onTestFinished(() => server.close());
    server.odd = ({ url }, response, body) => {
      if (!body.includes("current-user-privilege-set")) return false;
      const set = `<d:privilege>${privilege}</d:privilege>`;
      const prop = `<d:current-user-privilege-set>${set}</d:current-user-privilege-set>`;
      answerDav(response, davItem(String(url), prop));
      return true;
    };
    const home = newHome(t, {
      CALDAV_URL: server.url,
      CALDAV_USERNAME: "alice",
      CALDAV_PASSWORD: "secret",
      CALDAV_CALENDAR: "Assistant",
    });
    const { code, stdout } = await runHere(home, ["doctor"]);
    const limit = " This account can only read the calendar, so events cannot be created, ";
    expect({ code, isLimited: stdout.includes(`\ncalendar: works.${limit}`) }).toEqual({
      code: 0,
      isLimited,
    });
  },
);
