import { describe, expect, it } from "vitest";
import { longestTurn } from "../fixtures/growth.ts";
import { answerDav, davItem } from "../servers/odd-caldav.ts";
import { from, setUpCollection, to } from "../integration/caldav-world.ts";

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("\r", "&#13;");
const inCdata = (text: string): string => `<![CDATA[${text}]]>`;

function calendar(uid: string, description: string): string {
  const event = `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:20261110T100000Z\r\nDESCRIPTION:${description}\r\nEND:VEVENT`;
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${event}\r\nEND:VCALENDAR`;
}

/** Opens a collection on a server that returns these files. */
async function collectionOf(texts: readonly string[], written: (text: string) => string) {
  const { server, collection } = await setUpCollection();
  await collection.facts();
  const answer = texts
    .map((text, at) =>
      davItem(
        `/home/assistant/${at}.ics`,
        `<d:getetag>"${at}"</d:getetag><c:calendar-data>${written(text)}</c:calendar-data>`,
      ),
    )
    .join("");
  let tag = 0;
  server.odd = ({ method, url }, response) => {
    if (method === "REPORT") answerDav(response, answer);
    // Another range, because the response is cached.
    else if (url === "/home/assistant/")
      answerDav(response, davItem(url, `<cs:getctag>${(tag += 1)}</cs:getctag>`));
    else return false;
    return true;
  };
  return collection;
}

const long = `a & b < c ${"words, ".repeat(500_000)}`;
const lists: Readonly<Record<string, readonly string[]>> = {
  "thousands of events": Array.from({ length: 9_000 }, (_, at) =>
    calendar(`e${at}`, `event ${at}`),
  ),
  "a long event among short ones": [
    calendar("a", "first"),
    calendar("b", long),
    calendar("c", "last"),
    calendar("d", long),
  ],
  "an event whose text ends its resource": [
    calendar("a", "</d:response></d:multistatus>"),
    calendar("b", `]] </c:calendar-data> ${"words, ".repeat(30_000)}`),
    calendar("c", "&amp; &#65; <!-- text"),
  ],
};

describe.each([
  ["escaped", escaped],
  ["in CDATA", inCdata],
])("calendar files that are %s", (_form, written) => {
  // The XML of a whole response was parsed in one step, which kept calls waiting for 300 ms and more.
  it.each(Object.entries(lists))(
    "are read unchanged, in turns of less than 50 ms: %s",
    async (_what, texts) => {
      const collection = await collectionOf(texts, written);
      // The server and its response are in this process too.
      await collection.between(from, to);
      const { ms, result } = await longestTurn(() => collection.between(from, to), 50);
      expect(result.map(({ name }) => name)).toEqual(texts.map((_, at) => `${at}.ics`));
      expect(result.every(({ text }, at) => text.trim() === texts[at])).toBe(true);
      expect(result[0]?.etag).toBe('"0"');
      expect(ms).toBeLessThan(50);
    },
  );
});
