import { describe, expect, it } from "vitest";
import { parseMessage } from "../../src/ingest/mime/parse-message.ts";
import { forwardStyles } from "../fixtures/forward-styles.ts";

const receivedAt = new Date("2026-03-10T12:00:00Z");

/** Returns the summary of a forward with this note above it, as a search shows it. */
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

  const outlook = (subject: string, to: string, text = "It has shipped, and comes tomorrow.") => [
    "From: owner@example.org",
    `To: ${to}`,
    encoded(subject),
    "Content-Type: text/plain; charset=utf-8",
    "",
    "Please put this with the invoices.",
    "",
    "________________________________",
    "From: Ann Lee <ann@shop.example>",
    "Sent: Monday, March 2, 2026 2:25 PM",
    "To: Bob <bob@example.org>",
    "Subject: The order",
    "",
    text,
  ];

  // The owner's note was all that a search showed of it.
  it("begins with the message if its subject was written anew, unless it is a reply [mail.forward-extract]", async () => {
    const note = "Please put this with the invoices.";
    expect(await extractOf(outlook("For the accountant", "archive@in.example"))).toBe(
      `It has shipped, and comes tomorrow. [Note: ${note}]`,
    );
    for (const to of ["ann@shop.example", "x@in.example, Ann Lee <al@shop.example>"])
      expect(await extractOf(outlook("For the accountant", to)), to).toBe(note);
    expect(await extractOf(outlook("Vá: The order", "archive@in.example"))).toBe(note);
  });

  it.each([
    ["Apple Mail", "> ", "> "],
    ["an iPhone", "", "> "],
  ])("ends with a note below it, as %s quotes it [mail.forward-extract]", async (_, mark, head) => {
    const lines = [
      "From: owner@example.org",
      "Subject: Fwd: The order",
      "",
      "For the archive.",
      "",
      `${mark}Begin forwarded message:`,
      mark,
      `${head}From: Ann Lee <ann@shop.example>`,
      `${head}Subject: The order`,
      `${head}Date: March 2, 2026 at 2:25:08 PM GMT+2`,
      `${head}To: Bob <bob@example.org>`,
      head,
    ];
    const message = [...lines, "> It has", "shipped."];
    expect(await extractOf([...message, "", "With the invoices, please."])).toMatch(
      /^It has.* \[Note: For the archive\. With the invoices, please\.\]$/,
    );
    expect(await extractOf([...lines, "> It has shipped.", "", "Keep it."])).toBe(
      "It has shipped. [Note: For the archive. Keep it.]",
    );
  });

  it("takes no forwarded answer for a note, below the line that it quotes", async () => {
    const text = "> When will it come?\r\n\r\nIt has shipped.";
    expect(await extractOf(gmail(text, "For the archive."))).toBe(
      "When will it come? It has shipped. [Note: For the archive.]",
    );
  });

  it.each([
    ["Italian", "I:", "Da:", "Inviato:", "lunedì 2 marzo 2026 14:25", "A:", "Oggetto:"],
    ["Dutch", "FW:", "Van:", "Verzonden:", "maandag 2 maart 2026 14:25", "Aan:", "Onderwerp:"],
    ["Polish", "PD:", "Od:", "Wysłano:", "poniedziałek, 2 marca 2026 14:25", "Do:", "Temat:"],
    ["Swedish", "VB:", "Från:", "Skickat:", "den 2 mars 2026 14:25", "Till:", "Ämne:"],
    ["Danish", "VS:", "Fra:", "Sendt:", "2. marts 2026 14:25", "Til:", "Emne:"],
  ])("begins with the message in %s", async (_, prefix, from, sent, date, to, subject) => {
    const head = [
      `${from} Ann <ann@shop.example>`,
      `${sent} ${date}`,
      `${to} Bob`,
      `${subject} The order`,
    ];
    const top = ["From: owner@example.org", encoded(`${prefix} The order`)];
    const plain = "Content-Type: text/plain; charset=utf-8";
    const raw = [...top, plain, "", "For the archive.", "", ...head, "", "It has shipped."];
    expect(await extractOf(raw)).toBe("It has shipped. [Note: For the archive.]");
    const { forwarded } = await parseMessage(Buffer.from(raw.join("\r\n")), receivedAt);
    expect(forwarded).toMatchObject({
      from: { address: "ann@shop.example" },
      subject: "The order",
      date: new Date("2026-03-02T14:25:00Z"),
    });
  });

  it("is the whole text if that is a greeting alone", async () => {
    expect(await extractOf(["Subject: x", "", "Hello from James about the invoice."])).toBe(
      "Hello from James about the invoice.",
    );
  });
});
