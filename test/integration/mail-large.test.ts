import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { attachmentKey, rawKey } from "../../src/ports/mail/mail-objects.ts";
import { openIngestWorld } from "../servers/ingest-world.ts";
import { s3Environment, smtpSession } from "../servers/ingest.ts";
import { hasS3, makeBucket } from "../servers/s3-bucket.ts";

const content = randomBytes(7_000_000);

/** Makes a message that is large enough for shared memory between threads. */
function large(number: number): Uint8Array {
  const file = content.toString("base64").replace(/.{76}/g, "$&\r\n");
  return Buffer.from(
    `Subject: number ${number}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n` +
      `--b\r\nContent-Type: application/zip; name=a.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n` +
      `${file}\r\n--b--\r\n`,
  );
}

const places = [
  { store: "the embedded store", isThere: () => true, environment: () => Promise.resolve({}) },
  {
    store: "a bucket",
    isThere: hasS3,
    environment: async () => s3Environment((await makeBucket()).settings),
  },
];

describe.each(places)("large messages, several at a time, on $store", (place) => {
  it.runIf(place.isThere())(
    "are kept byte for byte, with their attachments",
    async () => {
      const { stores, start } = openIngestWorld(await place.environment());
      const ingest = await start();
      const messages = [1, 2, 3, 4].map(large);
      const replies = await Promise.all(
        messages.map(async (message) => {
          const session = await smtpSession(ingest.port);
          const reply = await session.send(message);
          session.close();
          return reply;
        }),
      );
      expect(replies).toEqual(messages.map(() => "250 Kept"));
      for (const message of messages) {
        const sha256 = createHash("sha256").update(message).digest("hex");
        const kept = await stores.objects.get(rawKey(sha256));
        expect(Buffer.compare(kept?.body ?? new Uint8Array(0), message)).toBe(0);
      }
      const search = async () => await stores.mail.search({ limit: 10 });
      await expect.poll(async () => (await search()).pending, { timeout: 240_000 }).toBe(0);
      expect((await search()).total).toBe(4);
      const file = createHash("sha256").update(content).digest("hex");
      const kept = await stores.objects.get(attachmentKey(file));
      expect(Buffer.compare(kept?.body ?? new Uint8Array(0), content)).toBe(0);
      expect(await ingest.stop("SIGTERM")).toBe(0);
      // Hashing and storing 37 MB takes more than a minute on a slow and busy machine.
    },
    300_000,
  );
});
