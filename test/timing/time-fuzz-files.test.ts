import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readQuery } from "../../src/adapters/libsql/search/search-query.ts";
import { clausesOf, termsOf } from "../../src/adapters/libsql/search/search-expression.ts";
import { hitPatterns, snippetOf } from "../../src/adapters/libsql/search/snippet.ts";
import { expandAll } from "../../src/calendar/recurrence/expand-all.ts";
import { ianaZone } from "../../src/core/shared/time-zone.ts";
import { attachmentText } from "../../src/ingest/text/attachment-text.ts";
import { mboxMessages } from "../../src/intake/mbox.ts";
import { temporaryDirectory } from "../fakes/temporary-directory.ts";
import { odfOf, pdfOf, pptxOf, tnefOf, xlsxOf } from "../fixtures/documents.ts";
import { longestTurn, takesLessAwaited } from "../fixtures/growth.ts";
import { numRuns, pumped, seed, words } from "../fixtures/pumped.ts";

const tags = (...names: string[]): string[] => [
  ...words,
  ...names.flatMap((name) => [`<${name}>`, `<${name}/>`, `</${name}>`, `<${name} a="`]),
  "&amp;",
  "&#x1F600;",
];
const sheet = [
  ...tags("row", "c", "v", "is", "t", "f", "cols", "mergeCell"),
  '<c t="s"><v>0</v></c>',
  '<c r="XFD1048576"><v>1</v></c>',
  '<row hidden="1">',
  '<col min="1" max="16384" hidden="1"/>',
];
const rtf = [
  ...words,
  "{",
  "}",
  "\\par ",
  "\\'e4",
  "\\u8364?",
  "\\uc9",
  "\\bin9 ",
  "\\*\\x ",
  "\\v ",
  "\\ansicpg1251",
  "\\fonttbl",
  "\\cell ",
  "\\row ",
  "\\fs1 ",
];
const page = [
  ...words,
  "(",
  ") Tj ",
  "T* ",
  "[",
  "] TJ ",
  "BT ",
  "ET ",
  "/F1 9 Tf ",
  "q ",
  "Q ",
  "<41>",
  "BI ",
  "ID ",
  "EI ",
];
const mbox = [
  ...words,
  "\nFrom a Mon Jan  5 09:00:00 2026\n",
  "From ",
  ">From ",
  "Mon Jan 5 ",
  "09:00 ",
  "2026 ",
  "+0100 ",
  "(x)",
  "Content-Length: 9\n",
];

const office = "application/vnd.openxmlformats-officedocument";
const outlook = "application/ms-tnef";
const inWorker = 400;

const files: readonly [string, readonly string[], number, string, (text: string) => Uint8Array][] =
  [
    [
      "a sheet",
      sheet,
      100_000,
      `${office}.spreadsheetml.sheet`,
      (text) => xlsxOf([text], { strings: text, styles: text }),
    ],
    [
      "a slide",
      tags("a:p", "a:t", "a:r", "a:br"),
      100_000,
      `${office}.presentationml.presentation`,
      (text) => pptxOf(["", text]),
    ],
    [
      "an OpenDocument text",
      tags("text:p", "text:s", "text:span", "style:style"),
      100_000,
      "application/vnd.oasis.opendocument.text",
      (text) => odfOf(text, text),
    ],
    ["an RTF document", rtf, 100_000, "application/rtf", (text) => Buffer.from(`{\\rtf1 ${text}`)],
    ["the page of a PDF", page, 20_000, "application/pdf", (text) => pdfOf(text)],
    [
      "a file of Outlook",
      rtf,
      50_000,
      outlook,
      (text) => tnefOf(Buffer.from(text), [[text.slice(0, 99), text]]),
    ],
  ];

describe("reading an untrusted file", () => {
  it.each(files)(
    "%s stays within the time limit of its thread",
    { timeout: 120_000 },
    async (_, pieces, size, type, make) => {
      await fc.assert(
        fc.asyncProperty(pumped(pieces, size), async (text) => {
          const content = make(text);
          const read = () => attachmentText(content, type, undefined).catch(() => undefined);
          return await takesLessAwaited(inWorker, read);
        }),
        { seed, numRuns: numRuns / 3 },
      );
    },
  );

  it(
    "an mbox archive takes no longer than a message of that size",
    { timeout: 120_000 },
    async () => {
      const path = join(temporaryDirectory(), "archive");
      await fc.assert(
        fc.asyncProperty(pumped(mbox, 100_000), async (text) => {
          writeFileSync(path, `From a Mon Jan  5 09:00:00 2026\n${text}`);
          const read = async (): Promise<void> => {
            for await (const _message of mboxMessages(path, 1_000_000));
          };
          return await takesLessAwaited(inWorker, read);
        }),
        { seed, numRuns: numRuns / 3 },
      );
    },
  );
});

describe("the thread that answers calls", () => {
  it(
    "finds the snippet of any text in turns of less than 50 ms",
    { timeout: 120_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(pumped(words, 300_000), pumped(words, 200), async (text, query) => {
          const { expression } = readQuery(query, new Date(0));
          const patterns = hitPatterns(termsOf(clausesOf(expression)));
          const { ms } = await longestTurn(
            () => snippetOf(text, patterns, { left: 2_500_000 }),
            50,
          );
          return ms < 50;
        }),
        { seed, numRuns: numRuns / 3 },
      );
    },
  );

  const moment = "DTSTART:20260101T100000Z\r\n";
  const event = (inside: string): string =>
    `BEGIN:VEVENT\r\nUID:a\r\n${moment}${inside}END:VEVENT\r\n`;
  const many = (text: string): string => text.repeat(Math.ceil(7_000_000 / text.length));
  const calendars: Readonly<Record<string, () => string>> = {
    alarms: () => event(many("BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\n")),
    "short lines": () => event(many("A\n")),
    folds: () => event(`DESCRIPTION:${many("\r\n a")}\r\n`),
    overrides: () =>
      event("RRULE:FREQ=DAILY\r\n") + many(event("RECURRENCE-ID:20260101T100000Z\r\n")),
    events: () => many(event("")),
    "escaped characters": () => event(`SUMMARY:${many("\\n\\,")}\r\n`),
    observances: () =>
      `BEGIN:VTIMEZONE\r\nTZID:x\r\n${many("BEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nEND:STANDARD\r\n")}END:VTIMEZONE\r\n${event("").replace("START:20260101T100000Z", "START;TZID=x:20260101T100000")}`,
    "parameters of a start": () => event("").replace("DTSTART", `DTSTART${many(';A="b"')}`),
    "parameters of a UID": () => event("").replace("UID", `UID${many(';A="b"')}`),
  };

  // One event of 7 MB with many short lines kept all calls waiting for two seconds.
  it.each(Object.entries(calendars))(
    "lists an event with megabytes of %s in turns of less than 50 ms",
    async (_what, make) => {
      const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${make()}END:VCALENDAR\r\n`;
      const good = `BEGIN:VCALENDAR\r\n${event("")}END:VCALENDAR\r\n`.replace("UID:a", "UID:good");
      const window = {
        from: Date.UTC(2026, 0),
        to: Date.UTC(2026, 1),
        reader: ianaZone("Europe/Berlin")!,
      };
      const list = () =>
        expandAll(
          // A new object each time, because read ones are remembered.
          [text, good].map((each, at) => ({ name: `${at}.ics`, etag: "1", text: each })),
          window,
          { most: 1_000, mostOfSeries: 1_000, signal: undefined },
        );
      const { ms, result } = await longestTurn(list, 50);
      expect(ms).toBeLessThan(50);
      expect(result.found.map(({ name }) => name)).toContain("1.ics");
      expect(result.found.length + result.skipped).toBe(2);
    },
  );
});
