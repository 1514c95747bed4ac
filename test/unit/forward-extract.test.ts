import { describe, expect, it } from "vitest";
import { parseMessage } from "../../src/ingest/mime/parse-message.ts";
import { forwardStyles } from "../fixtures/forward-styles.ts";

const receivedAt = new Date("2026-03-10T12:00:00Z");

/** What a search shows of a forward with this note above it. */
async function extractOf(lines: readonly string[]): Promise<string> {
  return (await parseMessage(Buffer.from(lines.join("\r\n")), receivedAt)).extract;
}

const encoded = (subject: string): string =>
  `Subject: =?utf-8?B?${Buffer.from(subject).toString("base64")}?=`;

describe("the extract of a forward", () => {
  it.each(forwardStyles)(
    "begins with the message and ends with the note, as $client writes it in $language [mail.forward-extract]",
    async ({ text, html, prefix }) => {
      const note = "Please put this with the invoices of the kitchen.";
      const top = ["From: owner@example.org", encoded(`${prefix} The order`)];
      const expected = `It has shipped. [Note: ${note}]`;
      const plain = [...top, "Content-Type: text/plain; charset=utf-8", "", note, "", text];
      expect(await extractOf(plain)).toBe(expected);
      if (html === undefined) return;
      const page = `<html><body><div>${note}</div>${html}</body></html>`;
      expect(await extractOf([...top, "Content-Type: text/html; charset=utf-8", "", page])).toBe(
        expected,
      );
    },
  );

  const gmail = (message: string, note = ""): string[] => [
    "From: owner@example.org",
    "Subject: Fwd: The order",
    "",
    note,
    "",
    "---------- Forwarded message ---------",
    "From: Ann Lee <ann@shop.example>",
    "Date: Mon, Mar 2, 2026 at 2:25 PM",
    "Subject: The order",
    "To: <owner@example.org>",
    "",
    message,
  ];

  it("has space for a long message's note, and for a long note's message [mail.forward-extract]", async () => {
    const long = "The lamp was shipped today. ".repeat(60);
    const extract = await extractOf(gmail(long, "For the archive."));
    expect(extract).toMatch(/^The lamp was shipped today\..* \[Note: For the archive\.\]$/);
    expect(extract.length).toBeLessThanOrEqual(280);
    const noted = await extractOf(gmail(long, "I asked them about it. ".repeat(60)));
    expect(noted).toMatch(/^The lamp was shipped today\..* \[Note: I asked them about it\..*\]$/);
    expect(noted.length).toBeLessThanOrEqual(280);
    expect(await extractOf(gmail("It has shipped.", "I asked them about it. ".repeat(60)))).toMatch(
      /^It has shipped\. \[Note: I asked .{180,}\]$/,
    );
  });

  it("may have only a message, or only a note", async () => {
    expect(await extractOf(gmail("It has shipped."))).toBe("It has shipped.");
    expect(await extractOf(gmail("", "See the picture."))).toBe("See the picture.");
  });

  it("begins with the innermost of several forwards", async () => {
    const inner = gmail("The lamp has shipped.", "Is this yours?").slice(2).join("\r\n");
    expect(await extractOf(gmail(inner, "For the archive."))).toBe(
      "The lamp has shipped. [Note: Is this yours?] [Note: For the archive.]",
    );
  });

  const attaching = (subject: string, ...parts: readonly string[]): string[] => [
    "From: owner@example.org",
    `Subject: ${subject}`,
    "Content-Type: multipart/mixed; boundary=b",
    "",
    ...parts.flatMap((part) => ["--b", part]),
    "--b--",
  ];
  const attached =
    "Content-Type: message/rfc822\r\n\r\nFrom: Ann <ann@shop.example>\r\nSubject: The order\r\n\r\nIt has shipped.";

  it.each(["Fwd: The order", "You asked for this"])(
    "begins with the attached message, under the subject %s [mail.forward-extract]",
    async (subject) => {
      const note = "Content-Type: text/plain\r\n\r\nFor the archive.";
      expect(await extractOf(attaching(subject, note, attached))).toBe(
        "It has shipped. [Note: For the archive.]",
      );
    },
  );

  it("is of the report for a returned message", async () => {
    const note = "Content-Type: text/plain\r\n\r\nYour message could not be delivered.";
    const report = "Content-Type: message/delivery-status\r\n\r\nStatus: 5.1.1";
    expect(await extractOf(attaching("Failure", note, report, attached))).toMatch(
      /^Your message could not be delivered\./,
    );
  });

  it("is of the reply for an answered forward", async () => {
    const [from = "", , ...rest] = gmail("It has shipped.", "Thank you, that was quick.");
    expect(await extractOf([from, "Subject: Re: Fwd: The order", ...rest])).toBe(
      "Thank you, that was quick.",
    );
  });
});
