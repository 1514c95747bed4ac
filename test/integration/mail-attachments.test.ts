import { beforeAll, describe, expect, it } from "vitest";
import { pageWindow } from "../../src/core/shared/page.ts";
import { pdfOf } from "../fixtures/documents.ts";
import { suiteThatIngests } from "../servers/ingest-world.ts";

const picture = Uint8Array.from({ length: 30_000 }, (_, index) => index % 251);

function part(headers: string, content: Uint8Array): string {
  return `--b\r\n${headers}\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString("base64")}\r\n`;
}

const message = [
  "From: ann@shop.example\r\nSubject: Papers\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n",
  "--b\r\nContent-Type: text/plain\r\n\r\nSee below.\r\n",
  part('Content-Type: application/pdf; name="bill.pdf"', pdfOf("You owe us 12.50")),
  part('Content-Type: image/png; name="p.png"\r\nContent-Disposition: attachment', picture),
  "--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: inner\r\nFrom: z@example.org\r\n\r\nInner text.\r\n",
  "--b--\r\n",
].join("");

describe("an attachment", () => {
  const world = suiteThatIngests();
  let emailId: string;

  beforeAll(async () => {
    emailId = await world.arrived(message);
  });

  async function idOf(mediaType: string): Promise<string> {
    const { attachments } = await world.stores.mail.read(emailId, { offset: 0, length: 10 });
    return attachments.find((one) => one.mediaType === mediaType)!.attachmentId;
  }

  it.each([
    ["application/pdf", "You owe us 12.50"],
    ["message/rfc822", "Inner text."],
  ])("of type %s is read as text [mail.attachment-text]", async (mediaType, text) => {
    const page = await world.stores.mail.readAttachment(
      emailId,
      await idOf(mediaType),
      pageWindow({ offset: 0, maxBytes: 1_000 }),
    );
    expect(page).toMatchObject({ mediaType, isText: true });
    expect(Buffer.from(page.window).toString()).toContain(text);
    expect(page.totalBytes).toBe(page.window.length);
  });

  it("without text is read as bytes, in parts", async () => {
    const id = await idOf("image/png");
    const page = await world.stores.mail.readAttachment(emailId, id, { offset: 100, length: 50 });
    expect(page).toMatchObject({ name: "p.png", isText: false, totalBytes: 30_000 });
    expect(Buffer.from(page.window)).toEqual(Buffer.from(picture.slice(100, 150)));
  });

  it("that is absent, or belongs to another message, is not found", async () => {
    const window = { offset: 0, length: 10 };
    await expect(world.stores.mail.readAttachment(emailId, "at_no", window)).rejects.toMatchObject({
      kind: "not_found",
    });
    await expect(
      world.stores.mail.readAttachment("em_no", await idOf("image/png"), window),
    ).rejects.toMatchObject({ kind: "not_found" });
  });
});
