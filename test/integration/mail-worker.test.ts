import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { expect, it } from "vitest";
import { z } from "zod";
import { openIngestWorld } from "../servers/ingest-world.ts";
import { runCommandHere, s3Environment } from "../servers/ingest.ts";
import { hasS3, makeBucket } from "../servers/s3-bucket.ts";

const guide = readFileSync(new URL("../../docs/guides/mail.md", import.meta.url), "utf8");
const worker = /```js\n(export default \{\n {2}async email\([\s\S]*?)```/.exec(guide)?.[1] ?? "";

/** Called as Cloudflare does. R2's `put` is limited to what S3 offers too. */
interface Worker {
  email(
    message: { from: string; to: string; raw: ReadableStream },
    env: {
      MAIL: {
        put(key: string, body: Blob, options: { httpMetadata: { contentType: string } }): unknown;
      };
    },
  ): Promise<void>;
}

it("the Worker in the mail guide has at most 15 lines", () => {
  expect(worker.trimEnd().split("\n").length).toBeLessThanOrEqual(15);
  expect(worker).toMatch(/^\};$/m);
});

it.skipIf(!hasS3())(
  "mail that the Worker of the guide to mail puts into the bucket is found, its envelope known, and removed there [mail.bucket]",
  { timeout: 120_000 },
  async () => {
    const { client, settings } = await makeBucket();
    const environment = { ...s3Environment(settings), S3_PREFIX: "home/" };
    const { dataDir, stores, startHere } = openIngestWorld(environment);
    const path = join(dataDir, "worker.mjs");
    writeFileSync(path, worker);
    const loaded = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as {
      default: Worker;
    };
    const put: Parameters<Worker["email"]>[1]["MAIL"]["put"] = async (key, body, options) =>
      await client.send(
        new PutObjectCommand({
          Bucket: settings.bucket,
          Key: key,
          Body: new Uint8Array(await body.arrayBuffer()),
          ContentType: options.httpMetadata.contentType,
        }),
      );
    const message = "From: ann@shop.example\r\nSubject: by worker\r\n\r\nheliograph\r\n";
    const handed = (from: string, text: string) => ({
      from,
      to: "me@in.example",
      raw: new Blob([text]).stream(),
    });
    await loaded.default.email(handed("me@home.example", message), { MAIL: { put } });
    await loaded.default.email(handed("x@evil.example", `X: y\r\n${message}`), { MAIL: { put } });
    const inBucket = async (): Promise<string[]> => {
      const command = new ListObjectsV2Command({ Bucket: settings.bucket, Prefix: "incoming/" });
      return ((await client.send(command)).Contents ?? []).map(({ Key = "" }) => Key);
    };
    expect(await inBucket()).toHaveLength(2);
    await startHere({ INGEST_BUCKET_PREFIX: "incoming", INGEST_SENDERS: "me@home.example" });
    await expect
      .poll(async () => (await stores.mail.search({ query: "heliograph", limit: 5 })).total)
      .toBe(1);
    await expect.poll(inBucket).toEqual([]);
    const { lines } = await runCommandHere(dataDir, ["mail", "quarantine", "--json"], environment);
    const held = lines.map((line) => z.object({ subject: z.string() }).parse(JSON.parse(line)));
    expect(held).toEqual([{ subject: "by worker" }]);
  },
);
