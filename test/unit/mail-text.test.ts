import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { identify } from "../../src/ingest/pipeline/email-id.ts";
import { extractSummary } from "../../src/ingest/summary/extract-summary.ts";
import { dateOf, envelopeOf, scanHeaders } from "../../src/ingest/mime/headers.ts";
import { readHtml } from "../../src/ingest/html/html-text.ts";
import { parseMessage } from "../../src/ingest/mime/parse-message.ts";
import { richerText } from "../../src/ingest/text/readable-text.ts";
import { tidy } from "../../src/ingest/text/tidy-text.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");
const htmlText = (html: string): string => readHtml(html).text;

describe("the identity of a message", () => {
  it("is the same for LF and CRLF and any trailing blank lines [mail.idempotent]", async () => {
    const forms = [
      "A: b\n\nx\ny\n",
      "A: b\r\n\r\nx\r\ny\r\n",
      "A: b\r\n\r\nx\ny",
      "A: b\n\nx\ny\n\n\r\n\n",
    ];
    const ids = await Promise.all(forms.map(async (form) => (await identify(bytes(form))).emailId));
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^em_[a-z2-7]{26}$/);
  });

  // Stored messages of all installations have this id. Another rule would give each of them a second one.
  it("is 26 base32 characters of the SHA-256 over its lines with CRLF, without trailing blank ones", async () => {
    const { emailId, rawSha256 } = await identify(bytes("A: b\n\nx\ny\n\n"));
    const base32 = "abcdefghijklmnopqrstuvwxyz234567";
    const bits = [...createHash("sha256").update("A: b\r\n\r\nx\r\ny").digest()]
      .map((byte) => byte.toString(2).padStart(8, "0"))
      .join("");
    const characters = Array.from(
      { length: 26 },
      (_, index) => base32[Number.parseInt(bits.slice(index * 5, index * 5 + 5), 2)],
    );
    expect(emailId).toBe(`em_${characters.join("")}`);
    expect(rawSha256).toBe(createHash("sha256").update("A: b\n\nx\ny\n\n").digest("hex"));
  });

  it("differs if a byte or an inner line end differs", async () => {
    const forms = ["A: b\n\nx\ny", "A: b\n\nx\nY", "A: b\n\nx\n\ny", "A: b\n\nx\ry"];
    const ids = await Promise.all(forms.map(async (form) => (await identify(bytes(form))).emailId));
    expect(new Set(ids).size).toBe(forms.length);
  });

  it("does not depend on the slices of a large message", async () => {
    const line = `${"x".repeat(1022)}\n`;
    const lf = line.repeat(2_500);
    const [one, two] = await Promise.all([
      identify(bytes(lf)),
      identify(bytes(lf.replaceAll("\n", "\r\n"))),
    ]);
    expect(one.emailId).toBe(two.emailId);
    expect(one.rawSha256).not.toBe(two.rawSha256);
  });
});

describe("headers", () => {
  const envelope = (head: string) =>
    envelopeOf(scanHeaders(bytes(`${head}\r\n\r\nbody`)), new Date("2026-01-01T00:00:00Z"));

  it.each([
    ["From: Ann <ann@example.org>", { name: "Ann", address: "ann@example.org" }],
    ["From: root", { address: "root" }],
    ["From: Ann <ann>", { name: "Ann", address: "ann" }],
    ["From: =?utf-8?q?J=C3=BCrgen?= <j@example.org>", { name: "Jürgen", address: "j@example.org" }],
    ["From: J\xfcrgen <j@example.org>", { name: "Jürgen", address: "j@example.org" }],
    ["Sender: s@example.org", { address: "s@example.org" }],
    ["Subject: nobody", { address: "" }],
  ])("reads the sender of %j", (head, sender) => {
    expect(envelope(head).from).toEqual({ ...sender, source: "header" });
  });

  it("keep every recipient of a long list with prefixes, and the first of nested groups", () => {
    const recipients = Array.from({ length: 500 }, (_, at) => `<smtp:person${at}@example.org>`);
    expect(envelope(`To: ${recipients.join(",")}`).to).toHaveLength(500);
    const groups = `${"g: a@example.org;".repeat(60)} (${"x".repeat(2_900)})`;
    expect(envelope(`To: ${groups}, z@example.org`).to.at(-1)?.address).toBe("z@example.org");
    const nested = `To: a@example.org, ${"group: b@example.org, ".repeat(2_000)}`;
    expect(
      envelope(nested)
        .to.map(({ address }) => address)
        .slice(0, 3),
    ).toEqual(["a@example.org", "b@example.org", "b@example.org"]);
  });

  it("are read in order with repetitions, without their line ends", () => {
    const headers = scanHeaders(bytes("A: 1\r\r\nB: 2\n\t3\r\na: \r4\r\n\r\nA: 5"));
    expect([...headers]).toEqual([
      ["a", ["1", "4"]],
      ["b", ["2\t3"]],
    ]);
  });

  it("are not read beyond a realistic number", () => {
    const values = scanHeaders(bytes(`A: 1\n${"b:\n".repeat(5_000)}C: 2\n`));
    expect(values.get("a")).toEqual(["1"]);
    expect(values.get("b")).toHaveLength(1_999);
    expect(values.get("c")).toBeUndefined();
  });

  it("leaves control and invisible characters out of a subject", () => {
    const head = "Subject: =?utf-8?q?a=00b=E2=80=AEc=E2=80=8Bd=0D=0Ae?=\r\n f";
    expect(envelope(head).subject).toBe("abcd e f");
  });

  it.each([
    ["Tue, 1 Jul 2003 10:52:37 +0200", "2003-07-01T08:52:37.000Z"],
    ["1 Jul 03 10:52 PDT", "2003-07-01T17:52:00.000Z"],
    ["Tue,  1 Jul 2003 10:52:37 (local) -0000", "2003-07-01T10:52:37.000Z"],
    ["Tue Jul  1 10:52:37 2003", "2003-07-01T10:52:37.000Z"],
    ["2003-07-01T10:52:37+02:00", "2003-07-01T08:52:37.000Z"],
  ])("reads the date %j", (header, iso) => {
    expect(dateOf(header, new Date())?.toISOString()).toBe(iso);
  });

  it.each(["yesterday", "1", "", "Tue, 1 Jul 2103 10:52:37 +0200"])(
    "rejects an implausible date such as %j",
    (header) => {
      expect(dateOf(header, new Date("2026-01-01T00:00:00Z"))).toBeUndefined();
    },
  );
});

describe("HTML as text", () => {
  it("keeps links, and shows one whose text is its address once", () => {
    expect(
      htmlText(
        '<p><a href="https://a.example/x">Pay</a> or <a href="https://b.example">https://b.example</a>',
      ),
    ).toBe("Pay [https://a.example/x] or https://b.example");
  });

  it("drops links without a target and scripts", () => {
    const links = ["javascript:alert(1)", " DATA:text/html,x", "cid:part@a.example"];
    const html = links.map((link) => `<a href="${link}">word</a>`).join(" ");
    expect(htmlText(html)).toBe("word word word");
  });

  it("keeps the link of a picture after its description", () => {
    const picture = '<a href="https://a.example/x"><img src="x" alt="Pay now"></a>';
    expect(htmlText(`<h1>${picture}</h1>`)).toBe("[Pay now] [https://a.example/x]");
  });

  it("separates blocks of a folding page or a figure", () => {
    const html =
      "One<details><summary>Two</summary>Three</details><figure>Four<figcaption>Five</figcaption></figure>";
    expect(htmlText(html)).toBe(
      "One\nTwo\n[Closed section, seen after a click:]\nThree\n[End of the closed section]\nFour\nFive",
    );
  });

  it("keeps the rows of a data table as lines", () => {
    const table =
      "<table><tr><th>Item<th>Price<tr><td>Tea<td>3 €<tr><td><p>Milk</p><td>2 €</table>";
    expect(tidy(htmlText(table))).toBe("Item | Price\nTea | 3 €\nMilk | 2 €");
  });

  it("reads a layout table as paragraphs", () => {
    const table =
      "<table><tr><td><table><tr><td>Hello</table><td><table><tr><td>World</table></table>";
    expect(tidy(htmlText(table))).toBe("Hello\nWorld");
  });

  it.each([
    ['<div style="display:none">no</div>'],
    ['<span style="color:red; DISPLAY : none !important">no</span>'],
    ['<span style="visibility:hidden">no</span>'],
    ['<span style="font-size:0px">no</span>'],
    ["<p hidden>no</p>"],
    ["<title>no</title>"],
    ["<style>no</style>"],
    ["<script>no</script>"],
    ["<noframes>no</noframes>"],
    ["<datalist><option>no</option></datalist>"],
    ["<!-- no -->"],
    ['<table><tr style="display:none"><td>no</table>'],
    ['<img style="display:none" alt="no">'],
  ])("leaves out invisible elements: %s", (html) => {
    expect(tidy(htmlText(`<body>yes${html}</body>`))).toBe("yes");
  });

  it.each([
    ['<div style="max-height:0;overflow:hidden">no</div>'],
    ['<div style="position:absolute; left:-9999px">no</div>'],
    ['<div style="height:0;overflow:hidden">no</div>'],
    ['<p style="text-indent:-9999px">no</p>'],
    ['<span style="font-size:1px">no</span>'],
    ['<p style="visibility:collapse">no</p>'],
    ['<span style="opacity:0">no</span>'],
    ['<span style="mso-hide:all">no</span>'],
    ['<span style="color:#FFF">no</span>'],
    [
      '<div bgcolor="#000080"><font color="navy"><span style="color:rgb(0, 0, 128)">no</span></font></div>',
    ],
    ['<span style="background-color:black;color:#000">no</span>'],
    [
      '<style>@media x { p { color: red } } /* { */ .a, #pre { display:none }</style><div class="b a">no</div>',
    ],
    ['<div style="font-size:0;visibility:hidden"><b>no</b></div>'],
    ["<table><tr><td hidden>no</td></tr></table>"],
    ["<style>.a { visibility: hidden }</style><p class=a>no</p>"],
    ["<style>p.a, #b { font-size: 0 }</style><p id=b>no <b>no</b></p>"],
    ["<style>.a { color: transparent }</style><p class=a>no</p>"],
    ['<p style="font:0/0 a">no</p>'],
    ['<p style="font:bold 0px Arial">no</p>'],
    ['<p style="color:rgba(0, 0, 0, 0)">no</p>'],
    ['<p style="color:#ffffff00">no</p>'],
    ['<p style="display:/* x */none">no</p>'],
    ['<p style="position:absolute;clip:rect(0, 0, 0, 0)">no</p>'],
    ['<p style="position:absolute;clip-path:inset(50%)">no</p>'],
    ['<p style="transform:scale(0)">no</p>'],
  ])("leaves out and counts hidden text: %s", (html) => {
    const { text, invisible } = readHtml(`<body>yes${html}</body>`);
    expect(tidy(text)).toBe("yes");
    expect(invisible).toBe(1);
  });

  it.each([
    // The markup that newsletter generators write around every column.
    ['<td style="font-size:0px"><div style="font-size:13px">small</div></td>'],
    ['<div style="visibility:hidden"><b style="visibility:visible">small</b></div>'],
    // A button that Outlook gets in another form.
    ['<a style="background-color:#556270;color:#ffffff;mso-hide:all">small</a>'],
    ['<table><td bgcolor="#336699"><a style="color:white">small</a></td></table>'],
    ['<table background="a.png" bgcolor="#123"><tr><td style="color:#fff">small</td></tr></table>'],
    ['<style>.dark { background: black }</style><p class="dark" style="color:#fff">small</p>'],
    ['<style>@media (max-width: 9px) { .a { display:none } }</style><p class="a">small</p>'],
    ['<p style="color:#ccc">small</p>'],
    ['<td style="font-size:0px"><div style="font:600 13px/20px Arial">small</div></td>'],
    ['<td style="font:0/0 a"><div style="font:13px Arial">small</div></td>'],
    ['<p style="color:rgb(0, 0, 0)">small</p>'],
    ['<p style="color:rgb(255, 90, 0)">small</p>'],
    ['<p style="color:rgba(0, 0, 0, 0.8)">small</p>'],
    [
      "<style>.a { font-size: 0 } .b { font-size: 13px }</style><p class=a><b class=b>small</b></p>",
    ],
    ["<style>.a { visibility: hidden } .a { visibility: visible }</style><p class=a>small</p>"],
    ['<style>.a { color: transparent }</style><p class="a" style="color:black">small</p>'],
    ['<p style="height:0">small</p>'],
  ])("keeps text that only seems hidden: %s", (html) => {
    expect(readHtml(html)).toEqual({ text: "small", invisible: 0 });
  });

  it("ignores pictures and padding when it counts passages", () => {
    const html =
      '<div style="display:none">&zwnj;&nbsp;&zwnj;</div><img style="display:none" src="x"><p>yes</p>';
    expect(readHtml(html)).toEqual({ text: "yes", invisible: 0 });
  });

  it("counts the removed passages in the message's text", async () => {
    const html =
      '<p>yes</p><p hidden>one</p><div style="display:none">two <p hidden>of it</p></div>';
    const message = `Content-Type: text/html\n\n${html}`;
    const { text } = await parseMessage(bytes(message), new Date());
    expect(Buffer.from(text).toString()).toBe("yes\n\n[2 invisible passages were removed]");
    expect(extractSummary(Buffer.from(text).toString())).toBe("yes");
  });

  it("keeps small but visible text", () => {
    expect(htmlText('<span style="font-size:0.8em">small</span>')).toBe("small");
  });

  it("handles a hundred thousand open elements", () => {
    expect(htmlText(`${"<div>".repeat(100_000)}deep`)).toBeTypeOf("string");
  });
});

describe("the richer part", () => {
  const html = `<p>${"Your order of three blue lamps will come on Friday. ".repeat(5)}</p>`;

  it.each([
    ["an empty text part", " \n", "Your order"],
    [
      "a text part that sends the reader away",
      "View this email in your browser: https://x.example",
      "Your order",
    ],
    ["a much shorter text part", "Your order", "Your order of three blue lamps"],
    ["a whole text part", "Three blue lamps will come on Friday. ".repeat(5), "Three blue"],
    [
      "a text part with another word",
      "Your order of two lamps will come. ".repeat(5),
      "Your order of three",
    ],
  ])("of %s and its HTML", (_what, text, start) => {
    expect(richerText(text, html).text).toMatch(new RegExp(`^${start}`));
  });

  it("is the HTML if the text only points to it, however short the HTML is", () => {
    const short = "<p>Three blue lamps, on Friday</p>";
    expect(richerText("View online: blue lamps", short).from).toBe("html");
    expect(richerText("Three lamps, on Friday", short).from).toBe("plain");
  });

  it("is the text if the HTML only adds links", () => {
    const links = `<a href="https://a.example/${"x".repeat(2_000)}">Three lamps</a>`;
    expect(richerText("Three lamps", links)).toMatchObject({ from: "plain", text: "Three lamps" });
  });
});

describe("an extract", () => {
  it("is the new text: without greeting, signature, history and links", () => {
    const text = [
      "Hi Bob,",
      "",
      "the lamp is broken. Please send another (https://shop.example/lamp?id=1).",
      "",
      "-- ",
      "Ann, Example Inc.",
      "On Mon, 1 Jun 2026 at 10:00, Bob <bob@example.org> wrote:",
      "> Here is your lamp.",
    ].join("\n");
    expect(extractSummary(text)).toBe("the lamp is broken. Please send another.");
  });

  it("is of the quoted mail if there is no new text", () => {
    const text =
      "---------- Forwarded message ---------\nFrom: Ann <a@example.org>\nSubject: Lamp\n\nThe lamp is broken.";
    expect(extractSummary(text)).toBe("Forwarded message The lamp is broken.");
  });

  it.each([
    "word ".repeat(200),
    "x".repeat(1_000),
    "漢字".repeat(400),
    "One sentence here. ".repeat(40),
  ])("has at most 280 characters", (text) => {
    expect(extractSummary(text).length).toBeLessThanOrEqual(280);
    expect(extractSummary(text).length).toBeGreaterThan(160);
  });

  it("keeps a Japanese text", () => {
    expect(
      extractSummary("お世話になっております。\nランプが壊れました。新しいものを送ってください。"),
    ).toContain("ランプが壊れました");
  });
});
