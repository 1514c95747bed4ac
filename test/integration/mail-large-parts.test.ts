import { describe, expect, it } from "vitest";
import { parseMessage } from "../../src/ingest/mime/parse-message.ts";

/** More than the parser is given of a part. */
const bytes = 300_000;

async function read(type: string, body: string) {
  const head = `From: a@b.example\r\nContent-Type: ${type}\r\n`;
  const message = Buffer.from(`${head}${body}`, "latin1");
  const { text, attachments } = await parseMessage(message, new Date());
  return {
    text: Buffer.from(text).toString(),
    files: attachments.map(({ name, content }) => ({ name, content: Buffer.from(content) })),
  };
}

const part = (head: string, body: string): string => `--b\r\n${head}\r\n\r\n${body}\r\n`;
const mixed = (...parts: string[]): string => `\r\n${parts.join("")}--b--\r\n`;

describe("a large part", () => {
  const content = Buffer.from(Array.from({ length: bytes }, (_, index) => (index * 7) % 256));
  const lines = (text: string, length: number): string[] =>
    text.match(new RegExp(`.{1,${length}}`, "gs")) ?? [];
  const ascii = "Some = words, and ~ signs of a file. ".repeat(bytes / 30);

  it.each([
    ["in base64", "base64", lines(content.toString("base64"), 76).join("\r\n"), content],
    [
      "in base64 of which every line is padded",
      "base64",
      lines(content.toString("latin1"), 50)
        .map((line) => Buffer.from(line, "latin1").toString("base64"))
        .join("\r\n"),
      content,
    ],
    [
      "in quoted-printable",
      "Quoted-Printable",
      lines(content.toString("hex"), 48)
        .map((line) => line.replace(/../g, "=$&"))
        .join("=\r\n"),
      Buffer.concat([content, Buffer.from("\n")]),
    ],
    [
      "as it is",
      "7bit",
      lines(ascii, 72).join("\r\n"),
      Buffer.from(`${lines(ascii, 72).join("\n")}\n`),
    ],
  ])("%s is an attachment with its own bytes", async (_what, encoding, body, expected) => {
    const { text, files } = await read(
      "multipart/mixed; boundary=b",
      mixed(
        part("Content-Type: text/plain", "Hello"),
        part(
          `Content-Type: application/x-some; name=a.bin\r\nContent-Transfer-Encoding: ${encoding}`,
          body,
        ),
        part("Content-Type: application/pdf; name=small.pdf", "small"),
      ),
    );
    expect(text).toBe("Hello");
    expect(files.map(({ name }) => name)).toEqual(["a.bin", "small.pdf"]);
    expect(files[0]?.content.equals(expected)).toBe(true);
  });

  it("that is the whole message is an attachment", async () => {
    const { files } = await read(
      "application/pdf; name=a.pdf",
      `Content-Transfer-Encoding: base64\r\n\r\n${content.toString("base64")}\r\n`,
    );
    expect(files).toEqual([{ name: "a.pdf", content }]);
  });

  it("that the parser reads as text although we see a file is the text", async () => {
    const { text, files } = await read(
      "multipart/mixed; boundary=b",
      mixed(
        part(
          "Content-Type: text/plain\r\nContent-Disposition: attachment-like",
          lines(ascii, 72).join("\r\n"),
        ),
      ),
    );
    expect(text).toContain("Some = words, and ~ signs of a file.");
    expect(files).toEqual([]);
  });

  it("after an unclosed multipart does not end at that one's delimiter", async () => {
    const body = `${lines(ascii, 72).join("\r\n")}\r\n--inner\r\nmore`;
    const { files } = await read(
      "multipart/mixed; boundary=b",
      mixed(
        part("Content-Type: multipart/mixed; boundary=inner", "--inner\r\n\r\nHello"),
        part("Content-Type: application/x-some; name=a", body),
      ),
    );
    expect(files.map(({ content: kept }) => kept.toString())).toEqual([
      `${body.replaceAll("\r\n", "\n")}\n`,
    ]);
  });

  it("of a digest is a message by default", async () => {
    const inner = `Subject: inner\r\n\r\n${lines(ascii, 72).join("\r\n")}`;
    const { files, text } = await read(
      "multipart/digest; boundary=b",
      `\r\n--b\r\n\r\n${inner}\r\n--b--\r\n`,
    );
    expect(files).toHaveLength(1);
    expect(text).toContain("Subject: inner");
  });
});

describe("a text beyond the limit", () => {
  const sentence = "A page has some words like these.\r\n";
  const long = sentence.repeat(7_000_000 / sentence.length);

  it("is cut and says so, next to a text and before a file", async () => {
    const { text, files } = await read(
      "multipart/mixed; boundary=b",
      mixed(
        part("Content-Type: text/plain", "First"),
        part("Content-Type: text/plain", long),
        part("Content-Type: application/pdf; name=a.pdf", "file"),
      ),
    );
    expect(text).toMatch(
      /^First\s+A page has[^]*\[Cut here: \d+ more bytes are in the raw message only\.\]\n$/,
    );
    expect(files.map(({ name }) => name)).toEqual(["a.pdf"]);
  });

  it("does not cut the part that is shown instead", async () => {
    const { text } = await read(
      "multipart/alternative; boundary=b",
      mixed(
        part("Content-Type: text/plain", "Short and whole"),
        part("Content-Type: text/html", `<div style="display:none">${long}</div>`),
      ),
    );
    expect(text).toMatch(/^Short and whole\n\n\[The page of this message has no words\./);
    expect(text).not.toContain("[Cut here");
  });

  it("is read after its inline pictures", async () => {
    const picture = Buffer.alloc(6_000_000, 7).toString("base64");
    const { text } = await read(
      "text/html",
      `\r\n<p>before</p><img alt="a" src="data:image/png;base64,${picture}"><p>behind</p>`,
    );
    expect(text).toBe("before\n\n[a]\n\nbehind");
  });

  it("yields the file that is uuencoded in it", async () => {
    const line = `M${"#0V%T".slice(1).repeat(15)}`;
    const body = `begin 644 a.bin\r\n${`${line}\r\n`.repeat(120_000)}\`\r\nend\r\n`;
    const { text, files } = await read("text/plain", `\r\nSee here.\r\n\r\n${body}`);
    expect(text).toBe("See here.\n\n[The file a.bin was moved to the attachments.]");
    expect(files).toMatchObject([{ name: "a.bin" }]);
    expect(files[0]?.content.length).toBe(120_000 * 45);
  });
});

it("a page with very many elements is read up to the cut, and says so", async () => {
  const row = "<tr><td>a</td><td>b</td></tr>";
  const { text } = await read("text/html", `\r\n<table>${row.repeat(60_000)}</table>`);
  expect(text).toMatch(
    /^a \| b\n[^]*\[Cut here: \d+ more characters of the page are in the raw message only\.\]$/,
  );
});

it("a message with very many parts is read up to the cut, and says so", async () => {
  const parts = Array.from({ length: 3_000 }, (_, index) => part("", `word${index} here`));
  const { text } = await read("multipart/mixed; boundary=b", mixed(...parts));
  expect(text).toContain("word0 here");
  expect(text).toContain("word900 here");
  expect(text).not.toContain("word2000 here");
  expect(text).toMatch(/\[Cut here: \d+ more bytes are in the raw message only\.\]/);
});

it("a message attached after too much text is an attachment only", async () => {
  const attached = part("Content-Type: message/rfc822", "Subject: inner\r\n\r\nnever reached");
  const { text, files } = await read(
    "multipart/mixed; boundary=b",
    mixed(part("Content-Type: text/plain", "many words\r\n".repeat(250_000)), attached),
  );
  expect(text).toContain("[Cut here: ");
  expect(files).toHaveLength(1);
});
