import { describe, expect, it } from "vitest";
import { attachmentText } from "../../src/ingest/text/attachment-text.ts";
import { parseMessage } from "../../src/ingest/mime/parse-message.ts";

async function read(head: readonly string[], body: Uint8Array | string) {
  const top = ["From: a@b.example", "Subject: odd", ...head, "", ""].join("\r\n");
  const message = Buffer.concat([Buffer.from(top), Buffer.from(body)]);
  const { text, extract, attachments, hidden } = await parseMessage(message, new Date(), true);
  return { text: Buffer.from(text).toString(), extract, attachments, hidden };
}

function number(value: number, bytes: 2 | 4): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
}

function attribute(id: number, type: number, content: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from([1]),
    number(id, 2),
    number(type, 2),
    number(content.length, 4),
    content,
    number(0, 2),
  ]);
}

function outlookFile(codePage: number, ...attributes: Uint8Array[]): Buffer {
  const head = [number(0x223e9f78, 4), number(1, 2)];
  const page = attribute(0x9007, 6, Buffer.concat([number(codePage, 4), number(0, 4)]));
  return Buffer.concat([...head, page, ...attributes]);
}

/** Makes a property whose value is bytes or a text. */
function property(id: number, type: number, content: Uint8Array): Buffer {
  const padding = Buffer.alloc((4 - (content.length % 4)) % 4);
  const size = [number(1, 4), number(content.length, 4)];
  return Buffer.concat([number(type, 2), number(id, 2), ...size, content, padding]);
}

function properties(...all: readonly Uint8Array[]): Buffer {
  return attribute(0x9003, 6, Buffer.concat([number(all.length, 4), ...all]));
}

const packed = ["Content-Type: application/ms-tnef; name=winmail.dat"];
const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);

describe("a message that Outlook packed into winmail.dat", () => {
  // The text ends with a NUL, so it counted as no text at all: the message was empty, and no search found it.
  it("is read from its attribute for plain text, in the file's code page", async () => {
    const file = outlookFile(
      1251,
      attribute(0x800c, 2, Buffer.concat([cyrillic, Buffer.alloc(1)])),
    );
    const { text, extract } = await read(packed, file);
    expect(text).toMatch(/^Привет\n/);
    expect(extract).toContain("Привет");
    const shown = await attachmentText(file, "application/ms-tnef", "winmail.dat");
    expect(Buffer.from(shown ?? []).toString()).toBe("Привет");
  });

  it.each([
    ["a plain text", 1251, properties(property(0x1000, 0x1e, cyrillic)), "Привет"],
    [
      "a page in its own code page",
      1252,
      properties(
        property(0x1013, 0x102, Buffer.concat([Buffer.from("<p>"), cyrillic])),
        Buffer.concat([number(3, 2), number(0x3fde, 2), number(1251, 4)]),
      ),
      "Привет",
    ],
    [
      "a page that declares its character set",
      1252,
      properties(
        property(
          0x1013,
          0x102,
          Buffer.concat([Buffer.from("<meta charset=windows-1251><p>"), cyrillic]),
        ),
      ),
      "Привет",
    ],
    [
      "a Japanese plain text",
      932,
      properties(property(0x1000, 0x1e, Buffer.from([0x93, 0xfa, 0x96, 0x7b]))),
      "日本",
    ],
    ["a text of an ISO set", 28_592, properties(property(0x1000, 0x1e, Buffer.from([0xb1]))), "ą"],
  ])("is read as %s among its properties", async (_, page, list, expected) => {
    expect((await read(packed, outlookFile(page, list))).text).toMatch(
      new RegExp(`^${expected}\n`),
    );
  });

  it("hides its sign-in codes", async () => {
    const said = "Your one-time passcode is 402918. It expires in 10 minutes.\0";
    const file = outlookFile(1252, attribute(0x800c, 2, Buffer.from(said)));
    const { text, extract, hidden } = await read(packed, file);
    expect(`${text} ${extract}`).not.toContain("402918");
    expect(hidden?.count).toBe(1);
  });

  it("stays an attachment beside a text", async () => {
    const file = outlookFile(1252, attribute(0x800c, 2, Buffer.from("packed\0")));
    const { text } = await read(
      ["Content-Type: multipart/mixed; boundary=b"],
      `--b\r\n\r\nown text\r\n--b\r\n${packed[0]}\r\nContent-Transfer-Encoding: base64\r\n\r\n${file.toString("base64")}\r\n--b--`,
    );
    expect(text).toMatch(/^own text\n\n\[Outlook/);
    expect(text).not.toContain("packed\n");
  });
});

describe("a page that only itself declares its character set", () => {
  const page = (head: string, content: readonly number[]): Buffer =>
    Buffer.concat([Buffer.from(`${head}<p>`), Buffer.from(content)]);
  const japanese = [0x93, 0xfa, 0x96, 0x7b];

  it.each([
    ["<meta charset=shift_jis>", japanese, "日本"],
    [
      '<head><META http-equiv="Content-Type" content="text/html; charset=Shift_JIS">',
      japanese,
      "日本",
    ],
    ["<meta name=x charset='koi8-r'/>", [0xd0, 0xd2, 0xc9], "при"],
    ['<?xml version="1.0" encoding="koi8-r"?><html>', [0xd0, 0xd2, 0xc9], "при"],
    // UTF-8 is never a coincidence, and UTF-16 could not even be declared this way.
    ["<meta charset=koi8-r>", [...Buffer.from("für")], "für"],
    ["<meta charset=utf-16>", [...Buffer.from("für")], "für"],
    ["<meta charset=nonsense>", [0x66, 0xfc, 0x72], "für"],
  ])("is read with %s", async (head, content, expected) => {
    const html = page(head, content);
    expect((await read(["Content-Type: text/html"], html)).text).toBe(expected);
    const attached = await attachmentText(html, "text/html", "a.html");
    expect(Buffer.from(attached ?? []).toString()).toBe(expected);
  });

  it("is read in the message's character set if it names one", async () => {
    const html = page("<meta charset=shift_jis>", [0xd0, 0xd2, 0xc9]);
    expect((await read(["Content-Type: text/html; charset=koi8-r"], html)).text).toBe("при");
  });
});

describe("character sets of which Node's decoder lacks a part", () => {
  it.each([
    // A common misspelling, and one of 8 822 syllables that became a letter and a lost character.
    ["euc-kr", [0x8c, 0x63, 0xb9, 0xe6], "똠방"],
    ["ks_c_5601-1987", [0x8c, 0x63], "똠"],
    ["x-windows-949", [0x8c, 0x63], "똠"],
    ["big5", [0x9d, 0xf6, 0xa4, 0xa4], "喺中"],
    ["big5-hkscs", [0x9d, 0xf6], "喺"],
  ])("are decoded whole, as %s", async (charset, bytes, expected) => {
    const head = [`Content-Type: text/plain; charset=${charset}`];
    expect((await read(head, Buffer.from(bytes))).text).toBe(expected);
  });
});

describe("parts of programs that write their own MIME", () => {
  it("keep the parentheses of a name without quotation marks", async () => {
    const { attachments } = await read(
      ["Content-Type: multipart/mixed; boundary=b"],
      "--b\r\n\r\nHello\r\n--b\r\nContent-Type: application/pdf; name=Annual report (final).pdf\r\nContent-Disposition: attachment; filename=Annual report (final).pdf; size=4\r\n\r\nabcd\r\n--b--",
    );
    expect(attachments.map(({ name }) => name)).toEqual(["Annual report (final).pdf"]);
  });

  it("lose a comment after another value", async () => {
    const { text } = await read(
      ["Content-Type: text/plain; charset=koi8-r (Russian)"],
      Buffer.from([0xd0]),
    );
    expect(text).toBe("п");
  });

  it("show the text of a message that is an RTF document", async () => {
    const { text } = await read(
      ["Content-Type: text/rtf"],
      "{\\rtf1\\ansi Das Angebot gilt f\\'fcr 30 Tage.}",
    );
    expect(text).toBe("Das Angebot gilt für 30 Tage.");
    expect((await read(["Content-Type: text/rtf"], "no RTF")).text).toBe("no RTF");
  });
});
