import fc from "fast-check";
import { describe, it } from "vitest";
import { readQuery } from "../../src/adapters/libsql/search/search-query.ts";
import { termsOf, clausesOf } from "../../src/adapters/libsql/search/search-expression.ts";
import { ftsExpression } from "../../src/adapters/libsql/search/search-text.ts";
import { hitPatterns } from "../../src/adapters/libsql/search/snippet.ts";
import { foldedCase } from "../../src/adapters/libsql/search/folding.ts";
import { readCalendarFile } from "../../src/calendar/event.ts";
import { oneLine } from "../../src/core/shared/text/clean-text.ts";
import { likelyTokens } from "../../src/core/shared/tokens.ts";
import { readHtml } from "../../src/ingest/html/html-text.ts";
import { calendarFacts } from "../../src/ingest/text/calendar-facts.ts";
import { documentText } from "../../src/ingest/text/document-text.ts";
import { extractSummary } from "../../src/ingest/summary/extract-summary.ts";
import { forwardedIn } from "../../src/ingest/text/forwarded.ts";
import { envelopeOf, scanHeaders } from "../../src/ingest/mime/headers.ts";
import { mailLimits } from "../../src/ingest/pipeline/limits.ts";
import { answerMessages } from "../../src/channels/telegram/answer-text.ts";
import { cleanSummary } from "../../src/ingest/summary/model-summary.ts";
import { partHistory } from "../../src/ingest/text/quoted-history.ts";
import { tidy } from "../../src/ingest/text/tidy-text.ts";
import { fitText } from "../../src/tools/email/fit-text.ts";
import { docxOf } from "../fixtures/documents.ts";
import { takesLess } from "../fixtures/growth.ts";
import { numRuns, pumped, seed, words } from "../fixtures/pumped.ts";

const html = [
  ...words,
  "<p>",
  "</p>",
  "<table>",
  "<td>",
  "<b",
  "<!--",
  "-->",
  "<style>",
  "</style>",
  "&amp;",
  "&#1;",
  "&",
];
const styles = [
  ...'a b .c #d * > ~ , : ; { } ( ) [x] & % 1 0 -9px url( calc( var(--a) --a: /* */ "'.split(" "),
  " ",
  "@media (min-width:1px){",
  "@supports not (a:b){",
  "@container (width>1px){",
  "@layer a.b,",
  "@layer{",
  "@scope (a){",
  "@keyframes a{1%{opacity:0}}",
  "@import url(data:text/css,",
  ":lang(x)",
  ":not(",
  ":is(a)",
  "animation:a 1s infinite,",
  "color:rgb(from #000 r g b / 0);",
  "clip-path:path(",
  "transform:scale(0) ",
];
const docx = [
  "<w:p>",
  "</w:p>",
  "<w:t>",
  "</w:t>",
  "<w:t xml:space='preserve'>",
  "</w:tc>",
  "</w:tr>",
  "<w:tab/>",
  "<w:br",
  " | ",
  " ",
  "a",
  "&amp;",
  "&",
  "<",
  ">",
];
const ics = [
  ...words,
  "BEGIN:VCALENDAR\r\n",
  "BEGIN:VEVENT\r\n",
  "END:VEVENT\r\n",
  "UID:a\r\n",
  "DTSTART:20260101T000000Z\r\n",
  "DTSTART;TZID=x:20260101T000000\r\n",
  ";TZID=",
  "RDATE:",
  "20260101T000000Z,",
  "RRULE:FREQ=DAILY;BYDAY=MO\r\n",
  "BEGIN:VALARM\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\n",
  "BEGIN:VTIMEZONE\r\nTZID:x\r\n",
  "BEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nEND:STANDARD\r\n",
  "END:VTIMEZONE\r\n",
  "BEGIN:VEVENT\r\nUID:a\r\nRECURRENCE-ID:20260101T000000Z\r\nDTSTART:20260102T000000Z\r\nEND:VEVENT\r\n",
  "SUMMARY:",
  "\r\n ",
  "ATTENDEE;CN=",
];
const headers = [
  ...words,
  "From: ",
  "To: ",
  "Subject: ",
  "Date: ",
  "Received: ",
  "\n ",
  "=?utf-8?q?",
  "?=",
  "=?utf-8?b?w7w=?=",
  "<a@b.c>",
  "+0100",
  "(c)",
  "Mon, ",
];
const history = [
  ...words,
  "From: a\n",
  "Sent: b\n",
  "To: c\n",
  "Subject: d\n",
  "> ",
  "On Mon wrote:\n",
  "---------- Forwarded message ---------\n",
  "Le lun. a écrit :\n",
  "Am 1.2.2026 schrieb a:\n",
  "-----Original Message-----\n",
];
const query = [...words, "from:", "OR", "-", "{", "}", "before:2026-01-01 ", "“", "to:("];

const receivedAt = new Date("2026-03-10T12:00:00Z");
const forwarder = { subject: "Fwd: x", zone: "+0100", receivedAt };

/** A thread that answers people has 50 ms, and the thread that parses mail its deadline of two seconds for 1 MB. */
const onMain = 50;
const inWorker = 250;

const readers: readonly [string, readonly string[], number, (text: string) => unknown, number][] = [
  [
    "headers of a message",
    headers,
    30_000,
    (text) => envelopeOf(scanHeaders(Buffer.from(text)), receivedAt),
    inWorker,
  ],
  [
    "headers of a refused message",
    headers,
    mailLimits.brokenHeaderBytes,
    (text) => envelopeOf(scanHeaders(Buffer.from(text)), receivedAt),
    onMain,
  ],
  ["a text", words, 200_000, tidy, inWorker],
  [
    "a page without its tags",
    html,
    100_000,
    (text) => tidy(text.replace(/<[^<>]*>/g, " ")),
    inWorker,
  ],
  [
    "a page's styles",
    styles,
    30_000,
    (text) =>
      readHtml(
        `<style>${text}</style><p class=c lang=x style='${text}'>a</p>${"<p>a</p>".repeat(50)}`,
      ),
    inWorker,
  ],
  ["a Word document", docx, 200_000, (text) => documentText(docxOf(text)), inWorker],
  ["an invitation", ics, 100_000, calendarFacts, inWorker],
  ["a history", history, 100_000, partHistory, inWorker],
  ["a forwarded message", history, 100_000, (text) => forwardedIn(text, forwarder), inWorker],
  ["a summary", history, 100_000, extractSummary, inWorker],
  [
    "a model's summary",
    [...words, ".", "-", "www.", "a.com/", "<think>"],
    8_000,
    cleanSummary,
    onMain,
  ],
  [
    "a model's answer in Telegram",
    [...words, ".", "-", "+", "://"],
    40_000,
    answerMessages,
    onMain,
  ],
  [
    "a calendar file",
    ics,
    2_000_000,
    (text) => {
      try {
        return readCalendarFile(`BEGIN:VCALENDAR\r\n${text}\r\nEND:VCALENDAR`);
      } catch (error) {
        return String(error);
      }
    },
    onMain,
  ],
  [
    "a query",
    query,
    1_000,
    (text) => {
      const { expression } = readQuery(text, receivedAt);
      const fts = expression && ftsExpression(expression);
      return [fts, hitPatterns(termsOf(clausesOf(expression)))];
    },
    onMain,
  ],
  ["a name", words, mailLimits.nameCharacters, foldedCase, onMain],
  ["one line", words, 20_000, (text) => oneLine(text, 200), onMain],
  ["the tokens of an answer", words, 50_000, likelyTokens, onMain],
  ["a text that is to fit", words, 2_000, (text) => fitText(text, 700), onMain],
];

describe("parsing untrusted text", () => {
  it.each(readers)(
    "%s stays within the time limit of its thread",
    { timeout: 120_000 },
    (_, pieces, size, read, most) => {
      fc.assert(
        fc.property(pumped(pieces, size), (text) => takesLess(most, () => read(text))),
        { seed, numRuns },
      );
    },
  );
});
