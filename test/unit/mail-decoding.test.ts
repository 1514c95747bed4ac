import { describe, expect, it } from "vitest";
import { parseMessage } from "../../src/ingest/mime/parse-message.ts";

async function read(head: readonly string[], body: Uint8Array | string) {
  const top = ["From: a@b.example", ...head, "", ""].join("\r\n");
  const message = Buffer.concat([Buffer.from(top), Buffer.from(body)]);
  const { envelope, text, attachments } = await parseMessage(message, new Date());
  return { envelope, text: Buffer.from(text).toString(), attachments };
}

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

/** Encodes as uuencode does: 45 bytes per line, after a character that counts them. */
function uuencoded(name: string, content: Uint8Array): string {
  const symbol = (value: number): string => String.fromCharCode(value === 0 ? 0x60 : value + 0x20);
  const lines: string[] = [];
  for (let at = 0; at < content.length; at += 45) {
    const piece = content.subarray(at, at + 45);
    let line = symbol(piece.length);
    for (let index = 0; index < piece.length; index += 3) {
      const [a = 0, b = 0, c = 0] = piece.subarray(index, index + 3);
      const value = (a << 16) | (b << 8) | c;
      line += [18, 12, 6, 0].map((shift) => symbol((value >> shift) & 0x3f)).join("");
    }
    lines.push(line);
  }
  return [`begin 644 ${name}`, ...lines, "`", "end"].join("\r\n");
}

describe("the text of a message", () => {
  it.each([
    ["utf-7", latin1("Gr+APwA3w-e +2D3eAA-"), "Grüße 😀"],
    ["unicode-1-1-utf-7", latin1("Hi Mom -+Jjo--!"), "Hi Mom -☺-!"],
    ["x-mac-ce", Buffer.from([0x92, 0x87]), "íá"],
    ["x-mac-romanian", Buffer.from([0xaf]), "Ş"],
    ["windows-1252", Buffer.from([0x93, 0x80, 0x94, 0xe9]), "“€”é"],
    ["x-mac-japanese", Buffer.from([0x93, 0xfa, 0x96, 0x7b]), "日本"],
    ["cp437", Buffer.from([0x81, 0xe1]), "üß"],
    ["cp850", Buffer.from([0x81, 0x9b]), "üø"],
    ["utf-32le", Buffer.from([0x3a, 0x26, 0, 0]), "☺"],
    ["gb18030-2005", Buffer.from([0xd6, 0xd0, 0xce, 0xc4]), "中文"],
    ["iso-2022-kr", latin1("\x1b$)C\r\n\x0eGQ19\x0f ok"), "한국 ok"],
    ["iso-2022-cn", latin1("\x1b$)A\x0eVPND\x0f ok"), "中文 ok"],
    ["hz-gb-2312", latin1("~{VPND~} ok"), "中文 ok"],
    ["iso-2022-jp", latin1("\x1b$BF|K\\\x1b(B"), "日本"],
    ["koi8-r", Buffer.from([0xd0, 0xd2, 0xc9]), "при"],
  ])("in %s is decoded", async (charset, body, text) => {
    expect((await read([`Content-Type: text/plain; charset="${charset}"`], body)).text).toBe(text);
    const base64 = [
      `Content-Type: text/plain; charset=${charset}; format=flowed`,
      "Content-Transfer-Encoding: base64",
    ];
    expect((await read(base64, body.toString("base64"))).text).toBe(text);
  });

  it.each([
    ["UTF-8 that says ASCII", "us-ascii", Buffer.from("Grüße"), "Grüße"],
    ["UTF-8 that says Latin-1", "iso-8859-1", Buffer.from("Grüße"), "Grüße"],
    ["Latin-1 that says UTF-8", "utf-8", latin1("Gr\xfc\xdfe"), "Grüße"],
    ["Latin-1 that says nothing", undefined, latin1("Gr\xfc\xdfe"), "Grüße"],
    ["UTF-8 with a broken byte", "utf-8", Buffer.from("c3bcc39fff c3a4", "hex"), "üß\uFFFD"],
    ["UTF-8 in a set that nobody knows", "x-nobody", Buffer.from("Grüße"), "Grüße"],
    ["UTF-8 that a database calls so", "utf8mb4", Buffer.from("Grüße"), "Grüße"],
    ["UTF-8 that says how many bits it has", "8bit", Buffer.from("Grüße"), "Grüße"],
    ["western in a set that nobody knows", "x-nobody", latin1("\x93\xdf\x94"), "“ß”"],
    ["western quotes that say Latin-1", "iso-8859-1", latin1("\x93\xdf\x94"), "“ß”"],
  ])("is read if it is %s", async (_what, charset, body, text) => {
    const type = charset === undefined ? [] : [`Content-Type: text/plain; charset=${charset}`];
    expect((await read(type, body)).text).toBe(text);
  });

  it.each([
    ["an answer below a quotation", "> Do you \n> agree \nNo.\n", "> Do you agree\nNo."],
    ["a quotation in a quotation", ">> Do you \n> agree \nNo.\n", ">> Do you\n> agree\nNo."],
    ["an empty line", "One \ntwo. \n\nThree.\n", "One two.\n\nThree."],
    ["a signature", "Yours \n-- \nAnn \nLee\n", "Yours\n--\nAnn Lee"],
    ["a line that was moved in", "One\n >two\n From\n", "One\n>two\nFrom"],
  ])("with flowed lines ends a paragraph at %s", async (_what, body, text) => {
    const type = "Content-Type: text/plain; charset=UTF-8; format=flowed";
    expect((await read([type], body)).text).toBe(text);
    const quoted = [type, "Content-Transfer-Encoding: quoted-printable"];
    expect((await read(quoted, body.replaceAll(" \n", "=20\n"))).text).toBe(text);
  });

  it("with DelSp is joined without the blanks, in any character set", async () => {
    const type = (charset: string): string =>
      `Content-Type: text/plain; Format="Flowed"; DelSp=Yes; charset=${charset}`;
    expect((await read([type("utf-8")], "> 東 \r\n> 京\r\n")).text).toBe("> 東京");
    expect((await read([type("iso-8859-1")], latin1("Gr\xfc \r\n\xdfe"))).text).toBe("Grüße");
    const wide = Buffer.from("> a ", "utf16le");
    expect((await read([type("utf-16le")], wide)).text).toBe("> a");
  });

  it("in quoted-printable UTF-7, within parts, is decoded, and other parts stay unchanged", async () => {
    const { text, attachments } = await read(
      ['Content-Type: multipart/mixed; boundary="a b"'],
      [
        "preamble",
        "--a b",
        'Content-Type: multipart/alternative; boundary="inner"',
        "",
        "--inner",
        "Content-Type: text/plain; charset=utf-7",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        "Gr+APwA3w-e, a=",
        "ll =3D one",
        "--inner--",
        "--a b",
        "Content-Type: text/csv; charset=koi8-r; name=t.csv",
        "Content-Disposition: attachment",
        "Content-Transfer-Encoding: base64",
        "",
        Buffer.from([0xd0, 0xd2, 0xc9]).toString("base64"),
        "--a b--",
      ].join("\r\n"),
    );
    expect(text).toBe("Grüße, all = one");
    expect(attachments).toMatchObject([{ name: "t.csv", bytes: 3, charset: "koi8-r" }]);
  });

  it("with CR line ends is read like any other", async () => {
    const lines = ["From: a@b.example", "Subject: old", "Content-Type: text/html", "", "<p>Hello"];
    const message = Buffer.from([...lines, "<p>Mac", ""].join("\r"));
    const { envelope, text } = await parseMessage(message, new Date());
    expect(envelope).toMatchObject({ subject: "old", from: { address: "a@b.example" } });
    expect(Buffer.from(text).toString()).toBe("Hello\n\nMac");
  });

  it("has header words in rare character sets", async () => {
    const subject = `=?utf-7?Q?Gr+APwA3w-e?= =?x-mac-ce?B?${Buffer.from([0x92]).toString("base64")}?=`;
    expect((await read([`Subject: ${subject}`], "x")).envelope.subject).toBe("Grüßeí");
    const western = "=?windows-1252?Q?=93quoted=94_=80?= =?utf-8?Q?=C3?= =?utf-8?Q?=BC?=";
    expect((await read([`Subject: ${western}`], "x")).envelope.subject).toBe("“quoted” €ü");
  });

  // Each word was decoded alone, so that the halves of a character became replacement characters.
  it.each([
    ["UTF-8, whose first word is padded", "utf-8", Buffer.from("Überprüfung €"), 8],
    ["GB 2312", "gb2312", Buffer.from("b8b6bfeecda8d6aa", "hex"), 3],
    ["Shift_JIS", "shift_jis", Buffer.from("93fa967b8cea", "hex"), 3],
  ])("has a character that is split between two words in %s", async (_, charset, bytes, at) => {
    const words = [bytes.subarray(0, at), bytes.subarray(at)].map(
      (part) => `=?${charset}?B?${part.toString("base64")}?=`,
    );
    const { envelope } = await read([`Subject: ${words.join("\r\n ")}`], "x");
    expect(envelope.subject).toBe(new TextDecoder(charset).decode(bytes));
  });
});

describe("a uuencoded file", () => {
  const content = Uint8Array.from({ length: 1_000 }, (_, index) => (index * 7) % 256);

  it("in a part is an attachment with its own bytes", async () => {
    const { attachments } = await read(
      ["Content-Type: multipart/mixed; boundary=b"],
      [
        "--b",
        "Content-Type: application/octet-stream",
        "Content-Transfer-Encoding: x-uuencode",
        "",
        uuencoded("data.bin", content),
        "--b--",
      ].join("\r\n"),
    );
    expect(attachments).toHaveLength(1);
    expect(attachments[0]).toMatchObject({ name: "data.bin", bytes: 1_000 });
    expect(Buffer.from(attachments[0]!.content)).toEqual(Buffer.from(content));
  });

  it("within the text is an attachment, and the text says so", async () => {
    const body = `Here it is.\r\n\r\n${uuencoded("my data.bin", content)}\r\nBye`;
    const { text, attachments } = await read([], body);
    expect(text).toBe("Here it is.\n\n[The file my data.bin was moved to the attachments.]\nBye");
    expect(attachments).toMatchObject([{ name: "my data.bin", inline: false }]);
    expect(Buffer.from(attachments[0]!.content)).toEqual(Buffer.from(content));
  });

  it("in base64 is an attachment too", async () => {
    const lines =
      Buffer.from(content)
        .toString("base64")
        .match(/.{1,60}/g) ?? [];
    const file = ["begin-base64 644 data.bin", ...lines, "===="].join("\r\n");
    const { text, attachments } = await read([], `Here.\r\n\r\n${file}\r\nBye`);
    expect(text).toBe("Here.\n\n[The file data.bin was moved to the attachments.]\nBye");
    expect(Buffer.from(attachments[0]!.content)).toEqual(Buffer.from(content));
  });

  it.each([
    ["never ends", "begin 644 a\r\n#0V%T\r\n"],
    [
      "holds other lines",
      "begin 644 a\r\nThis is what I said to the people there, and more.\r\nend",
    ],
    ["is only a sentence", "begin 644 times and end"],
  ])("that %s stays text", async (_what, body) => {
    const { text, attachments } = await read([], body);
    expect(text).toBe(body.replaceAll("\r\n", "\n").trim());
    expect(attachments).toEqual([]);
  });
});

describe("the name of an attachment", () => {
  it.each([
    ["filename*=utf-8'de'Gr%C3%BC%C3%9Fe.pdf", "Grüße.pdf"],
    ["filename*0*=iso-8859-1''Gr%FC; filename*1=%DFe; filename*2*=%2Epdf", "Grü%DFe.pdf"],
    ['filename*1=d.pdf; filename*0="a long "', "a long d.pdf"],
    ['filename="=?utf-8?B?R3LDvMOfZS5wZGY=?="', "Grüße.pdf"],
    ['filename="../../etc/passwd"', "passwd"],
    ['filename="C:\\\\Users\\\\ann\\\\bill.pdf"', "bill.pdf"],
    ["filename*=utf-8''a%2Fb%0D%0A%00%E2%80%AEfdp.exe", "b fdp.exe"],
    ['filename="/"', undefined],
  ])("given as %s is %j", async (disposition, name) => {
    const { attachments } = await read(
      ["Content-Type: application/pdf", `Content-Disposition: attachment; ${disposition}`],
      "x",
    );
    expect(attachments.map((attachment) => attachment.name)).toEqual([name]);
  });
});

/** Encodes an element of ASN.1 whose length is known, or unknown until its end. */
function asn1(tag: number, parts: readonly Uint8Array[], isUnbounded = false): Buffer {
  const content = Buffer.concat(parts);
  if (isUnbounded) return Buffer.concat([Buffer.of(tag, 0x80), content, Buffer.of(0, 0)]);
  const { length } = content;
  return Buffer.concat([Buffer.of(tag, 0x82, length >> 8, length & 0xff), content]);
}

/** Encodes signed data of S/MIME without signatures. */
function signedData(pieces: readonly string[], isUnbounded: boolean): Buffer {
  const id = (hex: string): Buffer => Buffer.from(`0609${hex}`, "hex");
  const octets = pieces.map((piece) => asn1(0x04, [Buffer.from(piece)]));
  const text = isUnbounded ? asn1(0x24, octets, true) : Buffer.concat(octets);
  const content = [id("2a864886f70d010701"), asn1(0xa0, [text], isUnbounded)];
  const version = Buffer.of(0x02, 1, 1);
  const signed = [version, asn1(0x31, []), asn1(0x30, content, isUnbounded), asn1(0x31, [])];
  const wrapped = asn1(0xa0, [asn1(0x30, signed, isUnbounded)], isUnbounded);
  return asn1(0x30, [id("2a864886f70d010702"), wrapped], isUnbounded);
}

// The text was missing, and the note said that a key is needed to read it.
describe("a message that is signed with S/MIME as a whole", () => {
  const inner = [
    "Content-Type: multipart/mixed; boundary=i\r\n\r\n--i\r\nContent-Type: text/plain; charset=utf-8",
    "\r\n\r\nGrüße aus dem Umschlag\r\n--i\r\nContent-Type: application/pdf; name=a.pdf\r\n\r\nx\r\n--i--\r\n",
  ];
  const type = "Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m";

  it.each([
    ["with lengths", [inner.join("")], false],
    ["in pieces without lengths", inner, true],
  ])("%s is read", async (_how, pieces, isUnbounded) => {
    const { text, attachments } = await read(
      [type, "Content-Transfer-Encoding: base64"],
      signedData(pieces, isUnbounded).toString("base64"),
    );
    expect(text).toBe("Grüße aus dem Umschlag");
    expect(attachments.map(({ name }) => name)).toEqual(["a.pdf"]);
  });

  it("is read beside the footer of a mailing list", async () => {
    const { text } = await read(
      ["Content-Type: multipart/mixed; boundary=b"],
      `--b\r\n${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${signedData(inner, true).toString("base64")}\r\n--b\r\nContent-Type: text/plain\r\n\r\nTo leave the list, write to us.\r\n--b--`,
    );
    expect(text).toContain("To leave the list");
    expect(text).toContain("Grüße aus dem Umschlag");
    expect(text).not.toContain("cannot be opened");
  });

  it("is an attachment if it is cut off", async () => {
    for (const isUnbounded of [false, true]) {
      const whole = signedData(inner, isUnbounded);
      for (let length = 0; length < whole.length - (isUnbounded ? 12 : 8); length += 7) {
        const { text, attachments } = await read(
          [type, "Content-Transfer-Encoding: base64"],
          whole.subarray(0, length).toString("base64"),
        );
        expect(text).toContain("cannot be opened here");
        expect(attachments.length).toBeLessThanOrEqual(1);
      }
    }
  });
});

describe("an opaque part", () => {
  it.each([
    ["application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m", "S/MIME"],
    ["application/octet-stream; name=smime.p7m", "S/MIME"],
    ["application/ms-tnef; name=winmail.dat", "(TNEF). The text of that attachment contains it."],
    ["application/mac-binhex40; name=a.hqx", "BinHex"],
    ["message/partial; id=a; number=1; total=2", "one piece"],
    ["message/external-body; access-type=URL", "stored elsewhere"],
  ])("of type %s is mentioned", async (type, words) => {
    const { text, attachments } = await read(
      ["Content-Type: multipart/mixed; boundary=b"],
      `--b\r\nContent-Type: text/plain\r\n\r\nHello\r\n--b\r\nContent-Type: ${type}\r\n\r\nAA==\r\n--b--`,
    );
    expect(text).toMatch(/^Hello\n\n\[/);
    expect(text).toContain(words);
    expect(attachments).toHaveLength(1);
  });

  it("of PGP is mentioned, as MIME and within the text", async () => {
    const mime = await read(
      ['Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b'],
      "--b\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n--b\r\nContent-Type: application/octet-stream\r\n\r\nx\r\n--b--",
    );
    expect(mime.text).toContain("encrypted with PGP");
    const block = "-----BEGIN PGP MESSAGE-----\r\n\r\nabc\r\n-----END PGP MESSAGE-----";
    expect((await read([], block)).text).toContain("cannot be opened here");
  });

  it("of BinHex within the text is mentioned too", async () => {
    const file = '(This file must be converted with BinHex 4.0)\r\n\r\n:$f*TEQKPH#jdH@0QFL"0:';
    expect((await read([], `Here it is.\r\n\r\n${file}`)).text).toMatch(
      /^Here it is\.\n\n\(This file[^]*\n\n\[.*BinHex.* It is not unpacked here\.\]$/,
    );
  });
});
