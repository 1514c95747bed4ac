import { describe, expect, it } from "vitest";
import { parseMessage } from "../../src/ingest/mime/parse-message.ts";

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

async function read(message: Uint8Array) {
  const { text, attachments } = await parseMessage(message, new Date());
  return {
    text: Buffer.from(text).toString(),
    contents: attachments.map(({ content }) => Buffer.from(content).toString("latin1")),
  };
}

// The footer was decoded as if it were base64: garbage behind the text, or bytes that are no characters within it.
describe("a text after base64", () => {
  /** The form in which Mailman adds a footer. */
  const footer = [
    "_______________________________________________",
    "Discuss mailing list",
    "Discuss@lists.example.org",
    "https://lists.example.org/mailman/listinfo/discuss",
  ];

  const message = (type: string, body: string, behind: readonly string[]): Buffer =>
    latin1(
      [
        "From: a@b.example",
        `Content-Type: ${type}`,
        "Content-Transfer-Encoding: base64",
        "",
        (
          Buffer.from(body)
            .toString("base64")
            .match(/.{1,76}/g) ?? []
        ).join("\r\n"),
        ...behind,
        "",
      ].join("\r\n"),
    );

  it.each([0, 1, 2])("is read after any padding (%i)", async (more) => {
    const body = `${"Grüße aus Köln. ".repeat(20)}${"x".repeat(more)}.`;
    for (const space of [[], [""], ["", ""]]) {
      const given = message("text/plain; charset=utf-8", body, [...space, ...footer]);
      expect((await read(given)).text).toBe(`${body}\n${footer.join("\n")}`);
    }
  });

  it("is read in its own character set", async () => {
    const body = Buffer.from("Gr\xfc\xdfe", "latin1").toString("base64");
    const head = "From: a@b.example\r\nContent-Type: text/plain; charset=iso-8859-1\r\n";
    const top = latin1(`${head}Content-Transfer-Encoding: base64\r\n\r\n${body}\r\n`);
    const given = Buffer.concat([top, Buffer.from("--\r\nListe für Gäste\r\n")]);
    expect((await read(given)).text).toBe("Grüße\n--\nListe für Gäste");
  });

  it("that begins with a single word is read after the end of base64", async () => {
    const given = message("text/plain", "Some words", ["Unsubscribe", "by mail to us"]);
    expect((await read(given)).text).toBe("Some words\nUnsubscribe\nby mail to us");
  });

  it("is read if it begins in the last line of base64", async () => {
    const given = message("text/plain", "yötä vaan", []).toString("latin1").trimEnd();
    expect((await read(latin1(`${given} ignored by others\r\n`))).text).toBe(
      "yötä vaan\nignored by others",
    );
    expect((await read(latin1(`${given} ${btoa(" a")}\r\n`))).text).toBe("yötä vaan a");
  });

  it("is read below an HTML page, which stays unchanged", async () => {
    const page = "<p>Gr&uuml;&szlig;e</p><p>Ann</p>";
    const given = message("text/html; charset=utf-8", page, ["--", "A <b@c.example>", "List & co"]);
    expect((await read(given)).text).toBe("Grüße\n\nAnn\n\n--\nA <b@c.example>\nList & co");
  });

  it("is read below a page if it is an HTML fragment", async () => {
    const given = message("text/html", "<p>Hello</p>", ["<p>List &amp; co</p>", "<p>Bye</p>"]);
    expect((await read(given)).text).toBe("Hello\n\nList & co\n\nBye");
  });

  it("is read within parts, and is not part of a file", async () => {
    const content = Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 7) % 256));
    for (const copies of [1, 200]) {
      const large = Buffer.concat(Array(copies).fill(content) as Buffer[]);
      const lines = (large.toString("base64").match(/.{1,76}/g) ?? []).join("\r\n");
      const given = latin1(
        [
          "From: a@b.example",
          "Content-Type: multipart/mixed; boundary=b",
          "",
          "--b",
          "Content-Transfer-Encoding: base64",
          "",
          Buffer.from("Hello").toString("base64"),
          ...footer,
          "--b",
          "Content-Type: application/x-some; name=a.bin",
          "Content-Transfer-Encoding: base64",
          "",
          lines,
          ...footer,
          "--b--",
          "",
        ].join("\r\n"),
      );
      const found = await read(given);
      expect(found.text).toBe(`Hello\n${footer.join("\n")}`);
      expect(found.contents[0] === large.toString("latin1")).toBe(true);
    }
  });

  it.each([
    ["a stray sign in a line", "R3LDvMOfZSBhdXMg\r\nS8O2!bG4u", "Grüße aus Köln."],
    ["the last padding lost", "R3LDvMOfZQ==\r\nIGF1cw==\r\nIEvDtmxuLi4", "Grüße aus Köln.."],
    ["lines that are padded", "R3LDvMOfZQ==\r\nIGF1cw==\r\nIEvDtmxuLg==", "Grüße aus Köln."],
    ["lines that are moved in", "  R3LDvMOfZSBhdXMg\r\n  S8O2bG4u", "Grüße aus Köln."],
    ["an empty line within", "R3LDvMOfZSBhdXMg\r\n\r\nS8O2bG4u", "Grüße aus Köln."],
    ["signs of a quotation", "> R3LDvMOfZSBhdXMg\r\n> S8O2bG4u", "Grüße aus Köln."],
    ["no padding at its end", "R3LDvMOfZSBhdXM", "Grüße aus"],
  ])("is not found in base64 with %s", async (_what, body, text) => {
    const head = "From: a@b.example\r\nContent-Type: text/plain; charset=utf-8\r\n";
    const given = latin1(`${head}Content-Transfer-Encoding: base64\r\n\r\n${body}\r\n`);
    expect((await read(given)).text).toBe(text);
  });

  it("is not found if long lines of base64 follow the words", async () => {
    const body = "0123456789 ".repeat(40);
    const lines =
      Buffer.from(body)
        .toString("base64")
        .match(/.{1,76}/g) ?? [];
    const given = message("text/plain", "", [lines[0]!, "some words!", ...lines.slice(1)]);
    expect((await read(given)).text).not.toContain("some words!");
  });

  it("does not block other work if it is very long, or base64 is one line", async () => {
    const before = process.cpuUsage();
    await read(message("text/plain", "Some words", ["no base64\r\n".repeat(500_000)]));
    const one = Buffer.alloc(4_000_000, "words ").toString("base64");
    const head = "From: a@b.example\r\nContent-Transfer-Encoding: base64\r\n\r\n";
    const { text } = await read(latin1(`${head}${one}\r\n${footer.join("\r\n")}\r\n`));
    expect(text.startsWith("words words")).toBe(true);
    // Processor time, which other work on this machine does not change. Microseconds.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(10_000);
  });
});
