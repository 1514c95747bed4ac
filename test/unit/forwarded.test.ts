import { describe, expect, it } from "vitest";
import { forwardedIn, partForward } from "../../src/ingest/text/forwarded.ts";
import { parseMessage } from "../../src/ingest/mime/parse-message.ts";
import { forwardStyles } from "../fixtures/forward-styles.ts";

const receivedAt = new Date("2026-03-10T12:00:00Z");
const forwarder = { subject: "Fwd: The order", zone: "+0200", receivedAt };
const ann = { name: "Ann Lee", address: "ann@shop.example" };

/** 14:25 on 2 March 2026 in the zone that each style names, or in the forwarder's. */
const sent = new Date("2026-03-02T12:25:00Z");

async function parsed(lines: readonly string[]) {
  return (await parseMessage(Buffer.from(lines.join("\r\n")), receivedAt)).forwarded;
}

describe("a forwarded message", () => {
  it.each(forwardStyles)("is read as $client writes it in $language, as text", (style) => {
    const { text, prefix } = style;
    const subject = `${prefix} The order`;
    const found = forwardedIn(text.trim(), { ...forwarder, subject });
    expect(found?.from).toEqual(ann);
    expect(found?.subject).toBe("The order");
    expect(Math.abs((found?.date?.getTime() ?? 0) - sent.getTime())).toBeLessThan(60_000);
  });

  // The whole forwarded content was lost from the summary.
  it("is read below a head that Yahoo wrote on a line of its own, without blanks", () => {
    const text = [
      "See below.",
      "",
      "   ----- Forwarded Message -----",
      "  From: Ann Lee <ann@shop.example>To: me@example.org <me@example.org>Sent: Monday, March 2, 2026 at 02:25:00 PM GMT+2Subject: The order",
      " It is ready.",
    ].join("\n");
    expect(forwardedIn(text, forwarder)).toEqual({ from: ann, subject: "The order", date: sent });
    expect(partForward(text, "Fwd: The order")).toMatchObject({
      note: "See below.",
      message: "It is ready.",
    });
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

  /** A message of Ann's, attached. */
  const attaching = (type: string, subject: string, body: string, encoding?: "base64") => {
    const inner = [
      "From: Ann Lee <ann@shop.example>",
      "Date: Mon, 02 Mar 2026 14:25:00 +0200",
      `Subject: ${subject}`,
      "",
      body,
    ].join("\r\n");
    return parsed([
      "From: owner@example.org",
      `Subject: Fwd: ${subject}`,
      "Content-Type: multipart/mixed; boundary=b",
      "",
      "--b",
      `Content-Type: ${type}`,
      `Content-Transfer-Encoding: ${encoding ?? "8bit"}`,
      "",
      encoding === undefined ? inner : Buffer.from(inner).toString(encoding),
      "--b--",
    ]);
  };

  it("is the one attached message, even if only its name shows that it is one", async () => {
    const order = { from: ann, subject: "The order", date: sent };
    const shipped = ["The order", "It has shipped."] as const;
    expect(await attaching("message/rfc822", ...shipped)).toEqual(order);
    const named = 'application/octet-stream; name="The order.eml"';
    expect(await attaching(named, ...shipped, "base64")).toEqual(order);
  });

  const head = (from: string, subject: string): string =>
    `---------- Forwarded message ---------\nFrom: ${from}\nDate: Mon, Mar 2, 2026 at 2:25 PM\nSubject: ${subject}\nTo: <bob@example.org>\n`;

  it("is the outermost of several", () => {
    const text = `FYI\n\n${head("Ann Lee <ann@shop.example>", "Fwd: old")}\n${head("Zoe <zoe@example.net>", "old")}\nText`;
    expect(forwardedIn(text, forwarder)).toEqual({ from: ann, subject: "Fwd: old", date: sent });
  });

  it("is the outermost of several, from any programs", () => {
    const outlook =
      "________________________________\nFrom: Ann Lee <ann@shop.example>\nSent: Monday, March 2, 2026 2:25 PM\nTo: Bob <bob@example.org>\nSubject: Fwd: old\n";
    const text = `FYI\n\n${outlook}\nSee below.\n\n${head("Zoe <zoe@example.net>", "old")}\nText`;
    const fw = { ...forwarder, subject: "FW: Fwd: old" };
    expect(forwardedIn(text, fw)).toEqual({ from: ann, subject: "Fwd: old", date: sent });
    const gmail = `${head("Ann Lee <ann@shop.example>", "FW: old")}\n${outlook.replace(/ann@shop/, "zoe@shop")}`;
    expect(forwardedIn(gmail, forwarder)?.from).toEqual(ann);
    // The owner's own answer may begin with Outlook's headers under such a subject. The text below them is not his.
    expect(forwardedIn(text, { ...forwarder, subject: "Look at this" })).toBeUndefined();
  });

  it("is the outermost if it is attached and forwards another one itself", async () => {
    const body = head("Zoe <zoe@example.net>", "old");
    const found = await attaching("message/rfc822", "Fwd: old", body);
    expect(found).toEqual({ from: ann, subject: "Fwd: old", date: sent });
  });

  it("is not found below an invalid head, even with a valid one further down", () => {
    const text = `---------- Forwarded message ---------\nnothing of a head\n\n${head("Zoe <zoe@example.net>", "old")}`;
    expect(forwardedIn(text, forwarder)).toBeUndefined();
  });

  it("is not found in a reply that quotes one, nor in one by Outlook", () => {
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

  it("accepts headers that are folded, bold or in another order", () => {
    const text =
      "-------- Original Message --------\n*Subject:* The\n  order\n*Date:* Mon, 2 Mar 2026 14:25:00 +0200\n*From:* Ann Lee\n<ann@shop.example>\n\nText: more";
    expect(forwardedIn(text, forwarder)).toEqual({ from: ann, subject: "The order", date: sent });
  });
});

const annHead = (...lines: readonly string[]): string =>
  [...lines, "", "It has shipped."].join("\n");
const at = (time: string): Date => new Date(`2026-03-02T${time}Z`);
const fromAnn = "From: Ann Lee <ann@shop.example>";

describe("a message forwarded by another program or in another form", () => {
  it.each<[form: string, subject: string, text: string, sent: Date]>([
    [
      "Outlook on a telephone with its advertisement and addresses twice",
      "FW: The order",
      annHead(
        "See below.",
        "",
        "Sent from Outlook for iOS<https://aka.ms/o0ukef>",
        "________________________________",
        "From: Ann Lee <ann@shop.example<mailto:ann@shop.example>>",
        "Sent: Monday, March 2, 2026 2:25 PM",
        "To: Bob <bob@example.org<mailto:bob@example.org>>",
        "Subject: The order",
      ),
      at("12:25"),
    ],
    [
      "Outlook with its addresses in brackets",
      "FW: The order",
      annHead(
        "-----Original Message-----",
        "From: Ann Lee [mailto:ann@shop.example]",
        "Sent: 02 March 2026 14:25",
        "To: Bob",
        "Subject: The order",
      ),
      at("12:25"),
    ],
    [
      "Samsung's, whose year has two digits",
      "Fwd: The order",
      annHead(
        "-------- Ursprüngliche Nachricht --------",
        "Von: Ann Lee <ann@shop.example>",
        "Datum: 02.03.26 14:25 (GMT+01:00)",
        "An: Bob <bob@example.org>",
        "Betreff: The order",
      ),
      at("13:25"),
    ],
    [
      "Samsung's on one line",
      "Fwd: The order",
      annHead(
        `-------- Original message --------${fromAnn} Date: 3/2/26  2:25 PM  (GMT-05:00) To: Bob <bob@example.org> Subject: The order `,
      ),
      at("19:25"),
    ],
    [
      "Proton's sentence",
      "Fw: The order",
      annHead(
        "-------- Original Message --------",
        "On Mar 2, 2026, 2:25 PM, Ann Lee < ann@shop.example> wrote:",
      ),
      at("12:25"),
    ],
    [
      "Zoho's, with its mark below the head too",
      "Fwd: The order",
      annHead(
        "============ Forwarded message ============",
        fromAnn,
        'To: "Bob"<bob@example.org>',
        "Date: Mon, 02 Mar 2026 14:25:00 +0100",
        "Subject: The order",
        "============ Forwarded message ============",
      ),
      at("13:25"),
    ],
    [
      "GMX's, which begins with the date and announces nothing",
      "Fw: The order",
      annHead(
        "Gesendet: Montag, 02. März 2026 um 14:25 Uhr",
        'Von: "Ann Lee" <ann@shop.example>',
        "An: bob@example.org",
        "Betreff: The order",
      ),
      at("12:25"),
    ],
    [
      "Roundcube's in German",
      "Fwd: The order",
      annHead(
        "-------- Originalnachricht --------",
        "Betreff: The order",
        "Datum: 2026-03-02 14:25",
        "Absender: Ann Lee <ann@shop.example>",
        "Empfänger: bob@example.org",
      ),
      at("12:25"),
    ],
    [
      "Mutt's, whose subject is its own",
      "[ann@shop.example: The order]",
      annHead(
        "----- Forwarded message from Ann Lee <ann@shop.example> -----",
        "",
        "Date: Mon, 2 Mar 2026 14:25:00 +0100",
        fromAnn,
        "To: bob@example.org",
        "Subject: The order",
      ),
      at("13:25"),
    ],
    [
      "QQ's",
      "转发：The order",
      annHead(
        "------------------ 原始邮件 ------------------",
        '发件人: "Ann Lee" <ann@shop.example>;',
        "发送时间: 2026年3月2日(星期一) 下午2:25",
        '收件人: "bob"<bob@example.org>;',
        "主题: The order",
      ),
      at("12:25"),
    ],
    [
      "Gmail's with an owner's own subject",
      "You asked for this",
      annHead(
        "---------- Forwarded message ---------",
        fromAnn,
        "Date: Mon, 2 Mar 2026 at 14:25",
        "Subject: The order",
        "To: <bob@example.org>",
      ),
      at("12:25"),
    ],
    [
      "a head without an empty line behind it",
      "Fw: The order",
      [
        "----- Forwarded Message -----",
        fromAnn,
        "To: bob@example.org",
        "Sent: Monday, March 2, 2026 at 02:25:00 PM GMT+1",
        "Subject: The order",
        "Hello",
      ].join("\n"),
      at("13:25"),
    ],
  ])("is read: %s", (_form, subject, text, date) => {
    const found = forwardedIn(text, { ...forwarder, subject });
    expect(found).toEqual({ from: ann, subject: "The order", date });
  });

  it("has a subject and a sender that a program wrapped", () => {
    const text = `---------- Forwarded message ---------\nFrom: A Very Long Name of a Person Who Writes From Somewhere\n<ann@shop.example>\nDate: Mon, Mar 2, 2026 at 2:25 PM\nSubject: The order, with a subject that is so long that the program\nwraps it\nTo: Bob <bob@example.org>\n\nBody: here`;
    expect(forwardedIn(text, forwarder)).toMatchObject({
      from: { address: "ann@shop.example" },
      subject: "The order, with a subject that is so long that the program wraps it",
    });
  });

  it.each([
    [
      "Lee, Ann </O=EXCHANGELABS/OU=EXCHANGE/CN=RECIPIENTS/CN=ANN>",
      { name: "Lee, Ann", address: "" },
    ],
    [
      "'Ann Lee' via Team <t@example.org>",
      { name: "'Ann Lee' via Team", address: "t@example.org" },
    ],
    ["'Ann Lee' <ann@shop.example>", ann],
  ])("has the sender %s", (from, person) => {
    const text = annHead(
      "-----Original Message-----",
      `From: ${from}`,
      "Sent: 2 March 2026 14:25",
      "To: Bob",
      "Subject: x",
    );
    expect(forwardedIn(text, forwarder)?.from).toEqual(person);
  });

  it("is not found if the person only answers between the lines", () => {
    const text =
      "Thanks, inline.\n\nOn Mon, Mar 2, 2026 at 2:25 PM Ann Lee <ann@shop.example> wrote:\n> Hello\n\nok";
    expect(forwardedIn(text, forwarder)).toBeUndefined();
  });
});
