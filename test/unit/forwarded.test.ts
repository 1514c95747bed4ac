import { describe, expect, it } from "vitest";
import { forwardDate } from "../../src/ingest/forward-date.ts";
import { forwardedIn } from "../../src/ingest/forwarded.ts";
import { parseMessage } from "../../src/ingest/parse-message.ts";
import { forwardStyles } from "../fixtures/forward-styles.ts";

const receivedAt = new Date("2026-03-10T12:00:00Z");
const forwarder = { subject: "Fwd: The order", zone: "+0200", receivedAt };
const ann = { name: "Ann Lee", address: "ann@shop.example" };

/** 14:25 on 2 March 2026 in the zone that each style names, or in the forwarder's. */
const sent = new Date("2026-03-02T12:25:00Z");

async function parsed(lines: readonly string[]) {
  return (await parseMessage(Buffer.from(lines.join("\r\n")), receivedAt)).forwarded;
}

describe("a message passed on", () => {
  it.each(forwardStyles)("is read as $client writes it in $language, as text", (style) => {
    const { text, prefix } = style;
    const subject = `${prefix} The order`;
    const found = forwardedIn(text.trim(), { ...forwarder, subject });
    expect(found?.from).toEqual(ann);
    expect(found?.subject).toBe("The order");
    expect(Math.abs((found?.date?.getTime() ?? 0) - sent.getTime())).toBeLessThan(60_000);
  });

  it.each(forwardStyles.filter(({ html }) => html !== undefined))(
    "is read as $client writes it in $language, as HTML",
    async ({ html, prefix }) => {
      const found = await parsed([
        "From: owner@example.org",
        "Date: Tue, 10 Mar 2026 11:00:00 +0200",
        `Subject: =?utf-8?B?${Buffer.from(`${prefix} The order`).toString("base64")}?=`,
        "Content-Type: text/html; charset=utf-8",
        "",
        `<html><body><div>See below.</div>${html}</body></html>`,
      ]);
      expect(found?.from).toEqual(ann);
      expect(found?.subject).toBe("The order");
      expect(found?.date).toEqual(sent);
    },
  );

  it("is the one attached message", async () => {
    const found = await parsed([
      "From: owner@example.org",
      "Subject: Fwd: The order",
      "Content-Type: multipart/mixed; boundary=b",
      "",
      "--b",
      "Content-Type: message/rfc822",
      "",
      "From: Ann Lee <ann@shop.example>",
      "Date: Mon, 02 Mar 2026 14:25:00 +0200",
      "Subject: The order",
      "",
      "It has shipped.",
      "--b--",
    ]);
    expect(found).toEqual({ from: ann, subject: "The order", date: sent });
  });

  const head = (from: string, subject: string): string =>
    `---------- Forwarded message ---------\nFrom: ${from}\nDate: Mon, Mar 2, 2026 at 2:25 PM\nSubject: ${subject}\nTo: <bob@example.org>\n`;

  it("is the outermost of several", () => {
    const text = `FYI\n\n${head("Ann Lee <ann@shop.example>", "Fwd: old")}\n${head("Zoe <zoe@example.net>", "old")}\nText`;
    expect(forwardedIn(text, forwarder)).toEqual({ from: ann, subject: "Fwd: old", date: sent });
  });

  it("is none where its head is broken, also when a whole one stands further down", () => {
    const text = `---------- Forwarded message ---------\nnothing of a head\n\n${head("Zoe <zoe@example.net>", "old")}`;
    expect(forwardedIn(text, forwarder)).toBeUndefined();
  });

  it("is none in an answer that quotes one, nor in one that Outlook wrote", () => {
    const subject = "Re: Fwd: The order";
    expect(
      forwardedIn(head("Ann <ann@shop.example>", "x"), { ...forwarder, subject }),
    ).toBeUndefined();
    const outlook =
      "Thanks!\n\n-----Original Message-----\nFrom: Ann <ann@shop.example>\nSent: Monday, March 2, 2026 2:25 PM\nTo: Bob\nSubject: x\n";
    expect(forwardedIn(outlook, { ...forwarder, subject: "The order" })).toBeUndefined();
  });

  it.each([
    ["John [mailto:john@example.org]", { name: "John", address: "john@example.org" }],
    ['"Doe, John" <john@example.org>', { name: "Doe, John", address: "john@example.org" }],
    ["<john@example.org>", { address: "john@example.org" }],
    ["john@example.org", { address: "john@example.org" }],
    ["Doe, John", { name: "Doe, John", address: "" }],
    ["list@x.example on behalf of J <j@example.org>", { name: "J", address: "j@example.org" }],
  ])("takes its sender from %s", (from, person) => {
    expect(forwardedIn(head(from, "x"), forwarder)?.from).toEqual(person);
  });

  it("takes headers that are folded, bold or in another order", () => {
    const text =
      "-------- Original Message --------\n*Subject:* The\n  order\n*Date:* Mon, 2 Mar 2026 14:25:00 +0200\n*From:* Ann Lee\n<ann@shop.example>\n\nText: more";
    expect(forwardedIn(text, forwarder)).toEqual({ from: ann, subject: "The order", date: sent });
  });
});

describe("the date of a message passed on", () => {
  const zone = "+0100";
  it.each([
    ["02.03.2026 14:25", "2026-03-02T13:25:00Z"],
    ["02/03/2026 4:05 PM", "2026-02-03T15:05:00Z"],
    ["28/02/2026 4:05 PM", "2026-02-28T15:05:00Z"],
    ["On Monday, March 2nd, 2026 at 12:05 AM", "2026-03-01T23:05:00Z"],
    ["2026年3月2日 下午2:25", "2026-03-02T13:25:00Z"],
    ["2026/03/02 (月) 14:25", "2026-03-02T13:25:00Z"],
    ["lundi 2 mars 2026 à 14h25", "2026-03-02T13:25:00Z"],
    ["March 2, 2026 at 2:25:08 PM GMT+3", "2026-03-02T11:25:08Z"],
    ["2. März 2026 um 14:25:08 MEZ", "2026-03-02T13:25:08Z"],
  ])("%s is read", (text, iso) => {
    expect(forwardDate(text, zone, receivedAt)).toEqual(new Date(iso));
  });

  it.each(["", "yesterday", "99.99.2026 10:00", "Mon, Mar 2, 2036 at 2:25 PM", "2 of 2026"])(
    "%j is none",
    (text) => {
      expect(forwardDate(text, zone, receivedAt)).toBeUndefined();
    },
  );
});
