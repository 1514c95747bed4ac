import { afterAll, describe, expect, it } from "vitest";
import { sha256Hex } from "../../src/core/shared/digest.ts";
import { attachmentDeadlineMs, parseDeadlineMs } from "../../src/ingest/pipeline/limits.ts";
import { parseStep } from "../../src/ingest/pipeline/parse-step.ts";
import { createParser } from "../../src/ingest/mime/parser.ts";
import { rawKey } from "../../src/ports/mail/mail-objects.ts";
import { createFakeObjects } from "../fakes/objects.ts";
import { hostileDocuments } from "../fixtures/hostile-documents.ts";
import { hostileMail } from "../fixtures/hostile-mail.ts";

describe("a message that is designed to cost time or memory", () => {
  const parser = createParser({ threads: 1 });
  const objects = createFakeObjects();
  const step = parseStep({
    objects,
    parser,
    ownerAddresses: ["owner@example.org"],
    hidesCodes: true,
    hasFarObjects: true,
  });
  afterAll(() => parser.close());

  it.each(Object.entries({ ...hostileMail, ...hostileDocuments }))(
    "by %s is readable as a mail or as raw text, and parsing continues [mail.hostile]",
    { timeout: 180_000 },
    async (what, make) => {
      const raw = Buffer.from(make());
      const rawSha256 = sha256Hex(raw);
      await objects.put(rawKey(rawSha256), raw, { mediaType: "message/rfc822" });
      const receivedAt = new Date("2026-03-10T12:00:00Z");
      const mail = { emailId: "em_1", claim: "c", step: "parse", rawSha256, receivedAt };
      const before = process.cpuUsage();
      const { facts, text } = await step.run({ ...mail, attempts: 2, rawBytes: raw.length });
      const { user, system } = process.cpuUsage(before);
      // The deadlines, and what starting a thread anew takes. By the processor, as a deadline counts what its thread had.
      const attachmentMs = what in hostileDocuments ? 2 * attachmentDeadlineMs(raw.length) : 0;
      const limitMs = parseDeadlineMs(raw.length) + attachmentMs + 10_000;
      expect((user + system) / 1_000).toBeLessThan(limitMs);
      expect(text?.length).toBeLessThan(2_000_500);
      expect(facts?.parseProblem ?? "").not.toMatch(/memory/);
      const next = await parser.parse(Buffer.from("Subject: next\n\nx"), receivedAt);
      expect(next).toMatchObject({ kind: "parsed", mail: { envelope: { subject: "next" } } });
    },
  );

  it("that cannot be parsed says how much of its raw text is left out", async () => {
    const body = "Words of a broken mail.\n".repeat(150_000);
    const nested = Array.from(
      { length: 300 },
      (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\n`,
    );
    const raw = Buffer.from(nested.join("") + body);
    const rawSha256 = sha256Hex(raw);
    await objects.put(rawKey(rawSha256), raw, { mediaType: "message/rfc822" });
    const mail = { emailId: "em_1", claim: "c", step: "parse", rawSha256, receivedAt: new Date() };
    const { text = "" } = await step.run({ ...mail, attempts: 2, rawBytes: raw.length });
    expect(text).toMatch(/^\[This message could not be read as a mail \(its parts are nested/);
    const [, more] = /\[Cut here: (\d+) more bytes are in the raw message only\.\]\n$/.exec(text)!;
    expect(Number(more)).toBeGreaterThan(raw.length - 2_000_000);
    expect(Number(more)).toBeLessThan(raw.length - 1_990_000);
  });
});
