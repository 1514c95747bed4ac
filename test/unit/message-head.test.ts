import { describe, expect, it } from "vitest";
import { parseMessage } from "../../src/ingest/mime/parse-message.ts";

async function read(message: string) {
  const { envelope, text } = await parseMessage(Buffer.from(message, "latin1"), new Date());
  return {
    from: envelope.from.address,
    subject: envelope.subject,
    text: Buffer.from(text).toString(),
  };
}

const sender = "From: ann@example.org\r\nSubject: hello\r\n";
const whole = { from: "ann@example.org", subject: "hello" };

// The first paragraph was taken for headers, and was missing in the text and the search.
describe("a text without an empty line above it", () => {
  it.each(["\r\n", "\n", "\r"])("is read from its first line (%j)", async (end) => {
    const lines = [`${sender}Hello Bob,`, "please call me.", "", "Bye", ""].join("\r\n");
    expect(await read(lines.replaceAll("\r\n", end))).toEqual({
      ...whole,
      text: "Hello Bob,\nplease call me.\n\nBye",
    });
  });

  it("is the whole message if no line is a header", async () => {
    expect(await read("The disk is full.\r\nPlease look.\r\n\r\nBye\r\n")).toEqual({
      from: "",
      subject: "",
      text: "The disk is full.\nPlease look.\n\nBye",
    });
  });

  it("is read in an attached message", async () => {
    const parts = [
      "Content-Type: multipart/mixed; boundary=b",
      "",
      "--b",
      "Content-Type: message/rfc822",
      "",
      `${sender}Hello Bob,`,
      "",
      "Bye",
      "--b--",
    ];
    expect((await read(parts.join("\r\n"))).text).toContain("Subject: hello\n\nHello Bob,\n\nBye");
  });

  it.each([
    ["that went astray", `From: ann@example.org\r\nof no header\r\nSubject: hello\r\n\r\nBye\r\n`],
    ["of a mailbox file", `From ann@example.org Mon Mar  2 14:25:00 2026\r\n${sender}\r\nBye\r\n`],
    ["that is folded", `From: ann@example.org\r\nSubject:\r\n hello\r\n\r\nBye\r\n`],
  ])("does not include headers that contain a line %s", async (_what, message) => {
    expect(await read(message)).toEqual({ ...whole, text: "Bye" });
  });
});
