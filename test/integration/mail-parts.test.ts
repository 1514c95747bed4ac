import { describe, expect, it } from "vitest";
import { attachmentText } from "../../src/ingest/text/attachment-text.ts";
import { parseMessage } from "../../src/ingest/mime/parse-message.ts";

async function read(type: string, body: string) {
  const head = `From: a@b.example\r\nSubject: parts\r\nContent-Type: ${type}\r\n\r\n`;
  const { text, attachments } = await parseMessage(Buffer.from(head + body), new Date());
  return { text: Buffer.from(text).toString(), attachments };
}

const part = (head: string, body: string): string => `--b\r\n${head}\r\n\r\n${body}\r\n`;
const hello = part("Content-Type: text/plain", "Hello");
const mixed = (...parts: string[]) => read("multipart/mixed; boundary=b", `${parts.join("")}--b--`);

describe("the parts of a message are read with it", () => {
  it("an invitation, as plain facts", async () => {
    const invitation = [
      "BEGIN:VCALENDAR",
      "METHOD:REQUEST",
      "BEGIN:VEVENT",
      "SUMMARY:Lunch",
      "DTSTART:20260302T123000Z",
      "END:VEVENT",
      "END:VCALENDAR",
    ].join("\r\n");
    const facts = "Hello\n\nInvitation\nWhat: Lunch\nStart: 2026-03-02 12:30 UTC";
    const calendar = part("Content-Type: text/calendar; method=REQUEST; charset=utf-8", invitation);
    const beside = await read("multipart/alternative; boundary=b", `${hello}${calendar}--b--`);
    expect(beside.text).toBe(facts);
    expect((await mixed(hello, calendar)).text).toBe(facts);
  });

  it.each([
    ["message/delivery-status", "Status: 5.1.1\r\nDiagnostic-Code: smtp; no such user"],
    ["message/disposition-notification", "Disposition: manual-action/MDN-sent; displayed"],
    ["message/feedback-report", "Feedback-Type: abuse"],
    ["text/rfc822-headers", "Subject: what came back"],
    // RFC 6533: about addresses with other letters than English ones.
    ["message/global-delivery-status", "Status: 5.1.1"],
    ["message/global-disposition-notification", "Disposition: displayed"],
    ["message/global-headers", "Subject: what came back"],
  ])("a report of type %s", async (type, report) => {
    const { text, attachments } = await mixed(hello, part(`Content-Type: ${type}`, report));
    expect(text).toBe(`Hello\n\n${report.replaceAll("\r\n", "\n")}`);
    expect(attachments).toMatchObject([{ mediaType: type }]);
    const alone = await attachmentText(attachments[0]!.content, type, undefined);
    expect(Buffer.from(alone!).toString()).toBe(report.replaceAll("\r\n", "\n"));
  });

  it("a message, and a nested one, each an attachment of its container", async () => {
    const inner = "From: Zoe <z@c.example>\r\nSubject: inner\r\n\r\nDeep words.";
    const outer = `From: Ann <ann@b.example>\r\nDate: Mon, 2 Mar 2026 14:25:00 +0000\r\nSubject: outer\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\nContent-Type: text/html\r\n\r\n<p>Words.</p><p hidden>Hidden.</p>\r\n--c\r\nContent-Type: message/rfc822\r\n\r\n${inner}\r\n--c--`;
    const { text, attachments } = await mixed(hello, part("Content-Type: message/rfc822", outer));
    const mark = "---------- Attached message ----------";
    expect(text).toBe(
      [
        "Hello",
        `${mark}\nFrom: Ann <ann@b.example>\nDate: 2026-03-02T14:25:00.000Z\nSubject: outer`,
        "Words.",
        "[1 invisible passage was removed]",
        `${mark}\nFrom: Zoe <z@c.example>\nSubject: inner`,
        "Deep words.",
      ].join("\n\n"),
    );
    expect(attachments).toMatchObject([{ mediaType: "message/rfc822" }]);
  });

  it("and of many messages five, with the number of the others", async () => {
    const one = (name: string) =>
      part("Content-Type: message/rfc822", `Subject: ${name}\r\n\r\nWords of ${name}.`);
    const { text, attachments } = await mixed(..."abcdefg".split("").map(one));
    expect(text.match(/Words of ./g)?.join()).toMatch(/Words of a,.*,Words of e$/);
    expect(text).toMatch(/e\.\n\n\[2 more attached messages are not shown here\.\]$/);
    expect(attachments).toHaveLength(7);
    expect((await mixed(..."abcdef".split("").map(one))).text).toMatch(/\[1 more .* is not shown/);
    expect((await mixed(..."abcde".split("").map(one))).text).toMatch(/Words of e\.$/);
  });
});

describe("a text that is not read in full says so at its end", () => {
  const cutAt = /\[Cut here: \d+ more bytes are in the raw message only\.\]\s*$/;
  /** Tags of more megabytes than are read, around few words. */
  const page = `<p title="${"x".repeat(1_000)}">word</p>\r\n`.repeat(3_500);

  it("for a page that is mostly tags", async () => {
    const { text } = await read("text/html", page);
    expect(text).toMatch(/^word\n/);
    expect(text.length).toBeLessThan(100_000);
    expect(text).toMatch(cutAt);
  });

  it("for such a page in an attached message", async () => {
    const inner = `Subject: inner\r\nContent-Type: text/html\r\n\r\n${page}`;
    const { text } = await mixed(hello, part("Content-Type: message/rfc822", inner));
    expect(text).toMatch(/^Hello\n/);
    expect(text).toMatch(cutAt);
  });

  it("for text outside of parts", async () => {
    const { text } = await read(
      "multipart/mixed; boundary=absent",
      "Words of nobody's part.\r\n".repeat(150_000),
    );
    expect(text).toMatch(/^Words of nobody's part\./);
    expect(text).toMatch(cutAt);
  });
});

describe("the parts of a message", () => {
  const file = 'Content-Disposition: attachment; filename="a (1); b.txt"; filename*0*=; size=1';

  it.each([
    [
      "a boundary in sections",
      'multipart/mixed; boundary*0="first "; boundary*1=second',
      "first second",
    ],
    ["comments", "multipart/mixed (two (nested) ones); boundary=b (the boundary)", "b"],
    [
      "a boundary of thousands of characters",
      `multipart/mixed; boundary="${"b".repeat(5_000)}"`,
      "b".repeat(5_000),
    ],
    ["a repeated boundary", "multipart/mixed; boundary=b; boundary=c", "b"],
    ["a boundary that ends with blanks", 'multipart/mixed; boundary="b  "', "b  "],
  ])("are found with %s", async (_what, type, boundary) => {
    const body = `--${boundary}\r\n\r\nHello\r\n--${boundary}\r\n${file}\r\n\r\nx\r\n--${boundary}--\r\n`;
    const { text, attachments } = await read(type, body);
    expect(text).toBe("Hello");
    expect(attachments).toMatchObject([{ name: "a (1); b.txt", bytes: 2 }]);
  });

  it("are one page if one of them is HTML alone, so that its hidden text is noted", async () => {
    const { text } = await mixed(
      part("Content-Type: text/plain", "First <words>\r\n  and a list"),
      part(
        "Content-Type: text/html",
        '<p>Second</p><p style="display:none">hidden words of a stranger</p>',
      ),
    );
    expect(text).toMatch(
      /^First <words>\n {2}and a list\n+Second\n\n\[1 invisible passage was removed/,
    );
    expect(text).not.toContain("stranger");
  });
});
