import { strToU8, zipSync } from "fflate";
import { afterAll, describe, expect, it } from "vitest";
import { attachmentText } from "../../src/ingest/text/attachment-text.ts";
import { parseMessage } from "../../src/ingest/mime/parse-message.ts";
import { documentText } from "../../src/ingest/text/document-text.ts";
import { createParser } from "../../src/ingest/mime/parser.ts";
import { mailLimits } from "../../src/ingest/pipeline/limits.ts";
import { pdfText } from "../../src/ingest/text/pdf-text.ts";
import { growthBy4 } from "../fixtures/growth.ts";
import { docxOf, pdfOf } from "../fixtures/documents.ts";

async function read(content: Uint8Array | string, mediaType: string, name?: string) {
  const text = await attachmentText(Buffer.from(content), mediaType, name);
  return text === undefined ? undefined : Buffer.from(text).toString();
}

const invitation = [
  "BEGIN:VCALENDAR",
  "METHOD:REQUEST",
  "BEGIN:VTIMEZONE",
  "BEGIN:STANDARD",
  "DTSTART:16010101T030000",
  "END:STANDARD",
  "END:VTIMEZONE",
  "BEGIN:VEVENT",
  "SUMMARY:Lunch\\, all of",
  "  us",
  "DTSTART;TZID=Europe/Berlin:20260302T123000",
  "DTEND:20260302T123000Z",
  "RRULE:FREQ=WEEKLY;COUNT=3",
  "LOCATION:Room 1",
  "ORGANIZER;CN=Ann Lee:mailto:ann@shop.example",
  'ATTENDEE;CN="Doe, Bob";PARTSTAT=NEEDS-ACTION:mailto:bob@example.org',
  "DESCRIPTION:Bring\\nfood.",
  "BEGIN:VALARM",
  "DESCRIPTION:alarm",
  "END:VALARM",
  "END:VEVENT",
  "END:VCALENDAR",
].join("\r\n");

describe("the text of an attachment", () => {
  it("of a PDF is that of its pages", async () => {
    expect(await read(pdfOf("The first page", "And more"), "application/pdf")).toBe(
      "The first page\n\nAnd more",
    );
  });

  // Each page was searched from the first one, so that the time grew with the square of their number.
  it("of a PDF with very many pages ends with their number", async () => {
    const pages = Array.from({ length: 2_007 }, (_, at) => `Page ${at}`);
    expect(await read(pdfOf(...pages), "application/pdf")).toMatch(
      /Page 1999\n\n\[Left out: 7 more pages are in the raw message only\.\]$/,
    );
  });

  // The whole page was read, which took longer than an attachment may take.
  it("of a PDF with a page that is too long is the beginning of the page", async () => {
    const text = await pdfText(pdfOf(`${"word ".repeat(20)}) Tj T* (`.repeat(30_000)));
    expect(text).toMatch(/^word word /);
    expect(text.length).toBeGreaterThanOrEqual(mailLimits.textBytes);
    expect(text.length).toBeLessThan(2_500_000);
  });

  it("of a Word document is its paragraphs and tables, without deleted text", async () => {
    const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`;
    const body = `${paragraph("Tea &amp; cake &#x2764;")}<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t xml:space="preserve">a</w:t><w:tab/><w:t>b</w:t></w:r></w:p><w:tbl><w:tr>${cell("1")}${cell("2")}</w:tr></w:tbl>`;
    expect(await read(docxOf(body), "application/octet-stream", "a.DOCX")).toBe(
      "Tea & cake ❤\na\tb\n1 | 2",
    );
  });

  // A document of 12 kB took three minutes: each cell trimmed all the text before it.
  it.each([
    ["cells", "<w:tc><w:p/></w:tc>"],
    ["cells behind blanks", '<w:t xml:space="preserve">  </w:t></w:p></w:tc>'],
    ["rows", "<w:tr><w:tc></w:tc></w:tr>"],
    ["words", "<w:p><w:t>a</w:t></w:p><w:tc></w:tc></w:tr>"],
    ["references", "<w:t>&amp;&</w:t>"],
    ["open tags", "<w:t "],
  ])("of a Word document with many %s takes linear time", (_, unit) => {
    expect(growthBy4((size) => docxOf(unit.repeat(size)), documentText, 8_000)).toBeLessThan(8);
  });

  // A directory of 65 000 entries for one part unpacked it as often.
  it("of a Word document uses the first of several parts with one name", () => {
    const part = (text: string) => strToU8(`<w:p><w:t>${text}</w:t></w:p>`);
    const files = { "word/document.xml": part("first"), "word/documenx.xml": part("second") };
    const archive = Buffer.from(zipSync(files)).toString("latin1");
    const twice = archive.replaceAll("documenx", "document");
    expect(documentText(Buffer.from(twice, "latin1"))).toBe("first");
  });

  it.each([
    ["REQUEST", "Invitation"],
    ["CANCEL", "Cancelled"],
    ["REPLY", "Answer to an invitation"],
    ["COUNTER", "Another time is proposed"],
    ["DECLINECOUNTER", "The proposed time is declined"],
    ["PUBLISH", "Event"],
    ["X-OTHER", "Event"],
  ])("of a calendar begins with the request of its method %s", async (method, asked) => {
    const calendar = invitation.replace(/^METHOD:.*$/m, `METHOD:${method}`);
    expect(await read(calendar, "text/calendar")).toMatch(new RegExp(`^${asked}\nWhat: Lunch`));
  });

  it("of a long calendar counts the omitted events and attendees", async () => {
    const people = Array.from({ length: 23 }, (_, index) => `ATTENDEE:mailto:p${index}@b.example`);
    const event = ["BEGIN:VEVENT", "SUMMARY:Lunch", ...people, "END:VEVENT"];
    const events = Array.from({ length: 52 }, () => event.join("\r\n"));
    const text = await read(["BEGIN:VCALENDAR", ...events].join("\r\n"), "text/calendar");
    expect(text).toMatch(/p19@b\.example\n.*\b3 more/);
    expect(text).toMatch(/\n\n\[2 more events\]$/);
  });

  it.each([
    ["PDF", pdfOf("words"), "application/pdf", "a.PDF"],
    [
      "DOCX",
      docxOf("<w:p><w:r><w:t>words</w:t></w:r></w:p>"),
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "a.docx",
    ],
    ["CSV", "words", "text/csv", "a.csv"],
    ["HTML", "<p>words</p>", "text/html", "a.html"],
    ["ICS", invitation, "text/calendar", "a.ics"],
  ])(
    "is read from a %s by its type alone, and by its name alone",
    async (_, content, type, name) => {
      const texts = [
        await read(content, type),
        await read(content, "application/octet-stream", name),
      ];
      for (const text of texts) expect(text).toMatch(/^(?:words$|Invitation\nWhat: Lunch)/);
    },
  );

  it("of a Word document names a part that is too large", async () => {
    const file = zipSync({
      "word/document.xml": strToU8("<w:p><w:r><w:t>Tea</w:t></w:r></w:p>"),
      "word/comments.xml": strToU8("a".repeat(40_000_000)),
    });
    expect(await read(file, "application/octet-stream", "a.docx")).toBe(
      "Tea\n\n[Left out: the comments of this document are too large to be read here.]",
    );
  });

  it("of an invitation is its facts", async () => {
    expect(await read(invitation, "text/calendar")).toBe(
      [
        "Invitation",
        "What: Lunch, all of us",
        "Start: 2026-03-02 12:30 Europe/Berlin",
        "End: 2026-03-02 12:30 UTC",
        "Repeats: FREQ=WEEKLY, COUNT=3",
        "Where: Room 1",
        "Organizer: Ann Lee <ann@shop.example>",
        "Attendee: Doe, Bob <bob@example.org> (needs-action)",
        "",
        "Bring\nfood.",
      ].join("\n"),
    );
  });

  it.each([
    ["a,b\r\n1,2", "text/csv", "t.csv", "a,b\n1,2"],
    ["<p>Hello <b>you</b></p>", "text/html", undefined, "Hello you"],
    [Buffer.from([0xff, 0xfe, 0x68, 0, 0x69, 0]), "text/plain", undefined, "hi"],
    [Buffer.from("Gr\xfc\xdfe", "latin1"), "text/plain", undefined, "Grüße"],
    [
      "Subject: x\nFrom: a@b.example\n\ninner",
      "message/rfc822",
      undefined,
      expect.stringContaining("inner"),
    ],
    [Buffer.from([1, 0, 2, 0]), "text/plain", "a.txt", undefined],
    ["\x89PNG", "image/png", "a.png", undefined],
    ["  ", "text/plain", undefined, undefined],
  ])("of %j as %s is read", async (content, type, name, expected) => {
    expect(await read(content, type, name)).toEqual(expected);
  });

  it.each([3_000_000, 10_000_000])(
    "that is too long is cut with a note of the amount: %i",
    async (bytes) => {
      const text = await read("word ".repeat(bytes / 5), "text/plain");
      expect(text!.length).toBeLessThan(2_000_200);
      // The last blank is nothing.
      expect(text).toContain(`[Cut here: ${bytes - 1 - 2_000_000} more bytes`);
    },
  );

  it("of a page reports hidden text, even if the page is the whole mail", async () => {
    const page = "<p>Hello</p><p hidden>Pay at once</p>";
    const text = "Hello\n\n[1 invisible passage was removed]";
    expect(await read(page, "text/html")).toBe(text);
    const mail = `Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\nContent-Disposition: attachment\n\n${page}\n--b--`;
    expect(Buffer.from((await parseMessage(Buffer.from(mail), new Date())).text).toString()).toBe(
      text,
    );
  });
});

describe("a malicious attachment", () => {
  const parser = createParser({ threads: 1 });
  const textOf = async (attachment: { content: Uint8Array; mediaType: string }) =>
    (await parser.attachmentTexts([attachment]).next()).value ?? undefined;
  afterAll(() => parser.close());

  it.each([
    ["an empty PDF", new Uint8Array(), "application/pdf"],
    ["half of a PDF", pdfOf("text").slice(0, 200), "application/pdf"],
    ["a PDF that is none", Buffer.from("%PDF-1.7 not really"), "application/pdf"],
    ["a zip that is none", Buffer.from("PK\x03\x04 no"), "application/msword; name=a.docx"],
    [
      "a Word document that unpacks to far more than it is",
      zipSync({ "word/document.xml": strToU8("a".repeat(40_000_000)) }),
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ],
  ])("as %s has no text, and the next one is read", async (_, content, mediaType) => {
    expect(await textOf({ content, mediaType })).toBeUndefined();
    const next = { content: Buffer.from("next"), mediaType: "text/plain" };
    expect(Buffer.from((await textOf(next))!).toString()).toBe("next");
  });
});
