import { describe, expect, it } from "vitest";
import { attachmentText } from "../../src/ingest/text/attachment-text.ts";
import { authenticateStep } from "../../src/ingest/pipeline/authenticate-step.ts";
import { identify } from "../../src/ingest/pipeline/email-id.ts";
import { parseMessage } from "../../src/ingest/mime/parse-message.ts";
import { createQuarantine } from "../../src/ingest/pipeline/quarantine.ts";
import type { ToAuthenticate } from "../../src/ports/mail/mail-authenticator.ts";
import { createFakeObjects } from "../fakes/objects.ts";

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

async function read(message: Uint8Array) {
  const { envelope, text, attachments } = await parseMessage(message, new Date());
  return {
    from: envelope.from.address,
    subject: envelope.subject,
    text: Buffer.from(text).toString(),
    names: attachments.map(({ name }) => name),
    contents: attachments.map(({ content }) => Buffer.from(content).toString("latin1")),
  };
}

// The headers were read as text, so sender and subject were missing.
describe("a message that begins with blank lines", () => {
  const message = "From: ann@example.org\r\nSubject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\r\n\r\nHello\r\n";
  const whole = { from: "ann@example.org", subject: "Grüße", text: "Hello", names: [] };

  it.each([
    ["one", "\r\n"],
    ["two of another system", "\n\n"],
    ["some with blanks", " \r\n\t \r\n\r\n"],
    ["one before a mailbox file's line", "\nFrom ann@example.org Mon Mar  2 14:25:00 2026\n"],
  ])("has its headers after %s", async (_what, top) => {
    expect(await read(latin1(top + message))).toMatchObject(whole);
  });

  it("has them with CR line ends", async () => {
    expect(await read(latin1(`\n\n${message}`.replace(/\r?\n/g, "\r")))).toMatchObject(whole);
  });

  it("has its parts, and so does an attached one", async () => {
    const parts = [
      "Content-Type: multipart/mixed; boundary=b",
      "From: bob@example.org",
      "",
      "--b",
      "",
      "See below.",
      "--b",
      "Content-Type: message/rfc822",
      "",
      "",
      `Content-Type: text/plain; charset=utf-7\r\n${message}`,
      "--b",
      "Content-Disposition: attachment; filename=a.txt",
      "",
      "a",
      "--b--",
      "",
    ];
    const found = await read(latin1(`\r\n${parts.join("\r\n").replace("Hello", "Gr+APwA3w-e")}`));
    expect(found).toMatchObject({ from: "bob@example.org", names: [undefined, "a.txt"] });
    expect(found.text).toBe(
      "See below.\n\n---------- Attached message ----------\nFrom: ann@example.org\nSubject: Grüße\n\nGrüße",
    );
  });

  it.each([
    ["words", "\r\nHello\r\nthere\r\n", "Hello\nthere"],
    ["two paragraphs", "\r\nHello\r\n\r\nthere\r\n", "Hello\n\nthere"],
    ["a word and a colon", "\r\nWarning: the disk is full\r\n", "Warning: the disk is full"],
    ["more blank lines than anybody leaves", `${"\n".repeat(2_000)}Subject: x\n`, "Subject: x"],
  ])("has no headers if %s follow", async (_what, given, text) => {
    expect(await read(latin1(given))).toMatchObject({ from: "", subject: "", text });
  });

  it("is identified by its original bytes", async () => {
    const [one, other] = await Promise.all([
      identify(latin1(`\r\n${message}`)),
      identify(latin1(message)),
    ]);
    expect(one.emailId).not.toBe(other.emailId);
  });

  it("shows the same headers to a person and to the sender check", async () => {
    const raw = latin1(`\r\n\n${message}`);
    const arrival = { intake: "smtp" } as const;
    const never = () => Promise.resolve(false);
    expect(await createQuarantine(["@home.example"], never)(raw, arrival)).toEqual({
      reason: "sender",
      from: "ann@example.org",
      subject: "Grüße",
    });
    expect(await createQuarantine(["@example.org"], never)(raw, arrival)).toBeUndefined();
    const question = `\r\nFrom: forwarding-noreply@google.com\r\nSubject: (#123456789) x\r\n\r\nhi`;
    expect(await createQuarantine(undefined, never)(latin1(question), arrival)).toMatchObject({
      confirmation: { provider: "Gmail", code: "123456789" },
    });
    const asked: ToAuthenticate[] = [];
    const step = authenticateStep({
      objects: createFakeObjects(),
      authenticator: {
        authenticate: (given) => {
          asked.push(given);
          return Promise.resolve({ authentication: { from: "aligned" } });
        },
        close: () => Promise.resolve(),
      },
      trustedHost: undefined,
      isRelay: () => false,
    });
    const mail = {
      emailId: "em_x",
      claim: "mine",
      step: "authenticate",
      attempts: 1,
      rawSha256: "x",
      rawBytes: raw.length,
      receivedAt: new Date(),
      raw,
    };
    expect(await step.run(mail)).toEqual({ raw, authentication: { from: "aligned" } });
    expect(asked).toMatchObject([{ author: "ann@example.org", raw: latin1(message) }]);
  });
});

const file = (...head: string[]): Buffer =>
  latin1(["From: a@b.example", ...head, "", "x", ""].join("\r\n"));

/** Returns the attachment names of a message that is a file. They are the same if the file is one of several parts. */
async function namesOf(...head: string[]): Promise<(string | undefined)[]> {
  const top = ["Content-Type: multipart/mixed; boundary=b", "", "--b", ...head, "", "x", "--b--"];
  const inner = await read(file(...top));
  expect((await read(file(...head))).names).toEqual(inner.names);
  return inner.names;
}

// The letters of the text became U+FFFD.
describe("the name of an attachment in raw bytes", () => {
  const utf8 = Buffer.from("Grüße – ½.pdf").toString("latin1");

  it.each([
    ["Latin-1", 'attachment; filename="Gr\xfc\xdfe.pdf"', "Grüße.pdf"],
    ["windows-1252", "attachment; filename=\x93Angebot\x94\x80.pdf", "“Angebot”€.pdf"],
    ["UTF-8", `attachment; filename="${utf8}"`, "Grüße – ½.pdf"],
    ["Latin-1 on a line of its own", 'attachment;\r\n\tfilename="Gr\xfc\xdfe.pdf"', "Grüße.pdf"],
    ["Latin-1 beside encoded words", 'attachment; filename="\xe4 =?utf-8?Q?=C3=B6?="', "ä ö"],
  ])("is read as %s", async (_what, disposition, name) => {
    const type = "Content-Type: application/pdf";
    expect(await namesOf(type, `Content-Disposition: ${disposition}`)).toEqual([name]);
  });

  it("is read in Content-Type, and in Content-Description of a message", async () => {
    expect(await namesOf('Content-Type: application/pdf; name="Gr\xfc\xdfe.pdf"')).toEqual([
      "Grüße.pdf",
    ]);
    const described = ["Content-Type: message/rfc822", "Content-Description: Gr\xfc\xdfe"];
    expect(await namesOf(...described)).toEqual(["Grüße"]);
  });

  it("is read even if the part itself is rewritten before parsing", async () => {
    const head = [
      'Content-Disposition: attachment; filename="Gr\xfc\xdfe.txt"',
      "Content-Type: text/plain; charset=utf-8",
    ];
    const message = file(...head).toString("latin1") + "line of a large file\r\n".repeat(5_000);
    expect((await read(latin1(message))).names).toEqual(["Grüße.txt"]);
  });

  it("leaves the other parts and their text unchanged", async () => {
    const message = file(
      "Content-Type: multipart/mixed; boundary=b",
      "",
      "--b",
      "Content-Type: text/plain; charset=iso-8859-1",
      "X-Odd: \xff",
      "",
      "Gr\xfc\xdfe",
      "--b",
      "Content-Type: application/octet-stream",
      'Content-Disposition: attachment; filename="\xfc"',
      "",
      "\xff\xfe\x00",
      "--b--",
    );
    expect(await read(message)).toMatchObject({
      text: "Grüße",
      names: ["ü"],
      contents: ["\xff\xfe\x00\n"],
    });
  });
});

// The empty one was taken for the name, and the file had none.
describe("an extended name that is empty", () => {
  const good = 'filename="report.pdf"';

  it.each([
    ["behind the good one", `${good}; filename*=`],
    ["before the good one", `filename*=; ${good}`],
    ["with a character set", `${good}; filename*=UTF-8''`],
    ["in quotation marks", `filename*=""; ${good}`],
    ["of blanks", `filename*=utf-8'en'%20; ${good}`],
    ["in sections", `filename*0*=UTF-8''; ${good}; filename*1=""`],
    ["on a line of its own", `\r\n ${good};\r\n FILENAME* = `],
  ])("%s is ignored", async (_what, disposition) => {
    const type = "Content-Type: application/pdf";
    const names = await namesOf(type, `Content-Disposition: attachment; ${disposition}`);
    expect(names).toEqual(["report.pdf"]);
  });

  it("leaves the name that Content-Type has", async () => {
    const type = 'Content-Type: application/pdf; name*=""; name=report.pdf; charset=x';
    expect(await namesOf(type, "Content-Disposition: attachment")).toEqual(["report.pdf"]);
    const other = "Content-Type: application/pdf; name=other.pdf";
    const both = "Content-Disposition: attachment; filename*=; filename=report.pdf";
    expect(await namesOf(other, both)).toEqual(["report.pdf"]);
  });

  it("keeps the following header", async () => {
    const disposition = `Content-Disposition: attachment; ${good}; filename*=`;
    const message = file(disposition, "Content-Type: application/pdf");
    const { attachments } = await parseMessage(message, new Date());
    expect(attachments).toMatchObject([{ name: "report.pdf", mediaType: "application/pdf" }]);
  });

  it.each([
    ["is one beside the plain one", `${good}; filename*=UTF-8''%E2%82%AC.pdf`, "€.pdf"],
    ["begins with an empty section", `filename*0*=iso-8859-1''; filename*1*=%FC`, "ü"],
    ["only stands within another", `filename="a; filename*=; b.pdf"`, "a; filename*=; b.pdf"],
    [
      "only stands behind an escaped mark",
      `filename="a\\"; filename*=; b.pdf"`,
      'a"; filename*=; b.pdf',
    ],
  ])("is not detected if it %s", async (_what, disposition, name) => {
    const type = "Content-Type: application/pdf";
    const names = await namesOf(type, `Content-Disposition: attachment; ${disposition}`);
    expect(names).toEqual([name]);
  });
});

// People saw `$B$3$s$K$A$O(B`.
describe("undeclared ISO-2022-JP", () => {
  const hello = "\x1b$B$3$s$K$A$O\x1b(B";
  const kana = "\x1b(I:]\x1b(B";

  it.each([
    ["no character set", []],
    ["ASCII", ["Content-Type: text/plain; charset=us-ascii"]],
    ["UTF-8", ["Content-Type: text/plain; charset=UTF-8"]],
    ["Latin-1", ["Content-Type: text/plain; charset=iso-8859-1"]],
  ])("is read in a text with %s", async (_what, type) => {
    const head = ["From: a@b.example", ...type];
    const plain = latin1([...head, "", `Hi ${hello},`, "bye", ""].join("\r\n"));
    expect((await read(plain)).text).toBe("Hi こんにちは,\nbye");
    const encoded = latin1(hello).toString("base64");
    const base64 = [...head, "Content-Transfer-Encoding: base64", "", encoded, ""].join("\r\n");
    expect((await read(latin1(base64))).text).toBe("こんにちは");
  });

  it("is read in an HTML page and in an attached text", async () => {
    const page = `From: a@b.example\r\nContent-Type: text/html\r\n\r\n<p>${hello}</p>`;
    expect((await read(latin1(page))).text).toBe("こんにちは");
    const notes = latin1(`${hello}\r\n`);
    for (const charset of [undefined, "us-ascii", "iso-2022-jp"]) {
      const text = await attachmentText(notes, "text/plain", "a.txt", charset);
      expect(Buffer.from(text!).toString()).toBe("こんにちは");
    }
  });

  it("is read in subject, names and file names", async () => {
    // Both characters have the bytes of what ends a name in quotation marks.
    const quote = '\x1b$B!<"\x1b(B';
    const message = file(
      `Subject: Re: ${hello} \x1b(J~\x1b(B`,
      `To: "${quote}" <${"c@d.example"}>, ${hello} <e@f.example>`,
      "Content-Type: application/pdf",
      `Content-Disposition: attachment; filename="${hello}${quote}.pdf"`,
    );
    const { envelope } = await parseMessage(message, new Date());
    const found = await read(message);
    expect(found.subject).toMatch(/^Re: こんにちは [~‾]$/);
    expect(envelope.to).toMatchObject([
      { address: "c@d.example" },
      { name: "こんにちは", address: "e@f.example" },
    ]);
    expect(found.names[0]).toMatch(/^こんにちは.+\.pdf$/);
  });

  it("is not detected if other letters are next to its escapes", async () => {
    const subject = Buffer.from("Subject: Grüße \x1b$B\r\n\r\nx");
    expect((await read(subject)).subject).toBe("Grüße $B");
  });

  it("with half-width letters is read", async () => {
    expect((await read(latin1(`A: b\r\n\r\n${kana}`))).text).toBe("ｺﾝ");
  });

  it.each([
    ["colours of a terminal", "\x1b[31mred\x1b[0m\x1b(B done", "[31mred[0m(B done"],
    ["Korean", "\x1b$)C\x0eGQ\x0f", "$)CGQ"],
  ])("is not detected in %s", async (_what, body, text) => {
    expect((await read(latin1(`A: b\r\n\r\n${body}\r\n`))).text).toBe(text);
  });
});
